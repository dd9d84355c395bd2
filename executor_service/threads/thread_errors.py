"""What can be wrong with a path, a document, an agent or one of its parts."""

from __future__ import annotations

from heartrule.domain.errors import FieldViolation, InvalidRequest

_SHOWN = 80


class InvalidThreadPath(InvalidRequest):
    """A text is no path of a sub-thread (RESOLUTIONS T1, T2); nothing was written."""

    def __init__(self, text: str, problem: str, *, segment: int = 0) -> None:
        """`segment` is the part between two dots that is wrong, from 0."""
        place = f"path[{segment}]"
        super().__init__(
            f"{shown(text)!r} is no path of a thread: {problem}",
            reason="INVALID_THREAD_PATH",
            metadata={"path": shown(text), "segment": str(segment)},
            violations=(FieldViolation(field=place, description=problem),),
        )


class InvalidThreadDocument(InvalidRequest):
    """A document is not that of a thread; the violation names the place."""

    def __init__(self, place: str, problem: str) -> None:
        """`place` is written like a path, such as `messages.1.meta._thread.settings`."""
        super().__init__(
            f"{place or 'the document'}: {problem}",
            reason="INVALID_THREAD_DOCUMENT",
            metadata={"place": place},
            violations=(FieldViolation(field=place, description=problem),),
        )


class InvalidAgent(InvalidRequest):
    """An agent holds what it must not hold, or lacks what it needs; found when it is built.

    Reasons: WRONG_HOLDING, SHARED_INSTANCE, SHARED_CLASS, PREPARE_WITHOUT_EXECUTE,
    AGENTS_TOO_DEEP, NO_HOST, NOT_AN_AGENT.
    """

    def __init__(self, reason: str, problem: str, *, holder: str, held: str) -> None:
        """`holder` and `held` are names of classes, or of an agent and a phase."""
        super().__init__(problem, reason=reason, metadata={"holder": holder, "held": held})


class ThreadFault(InvalidRequest):
    """A part of an agent, or its task, broke a rule of threads; the message says which.

    Reasons: NOT_MAIN_THREAD, MISSING_PATH, UNKNOWN_THREAD_PHASE, ENDLESS_PHASES, NOTHING_RETURNED,
    EMPTY_RESPONSE, SKIP_WITHOUT_MESSAGE, MESSAGE_TOO_LONG, NOT_A_PLACEHOLDER,
    STREAM_IN_SUB_THREAD, SUB_THREAD_FAILED.
    """

    def __init__(self, reason: str, problem: str, **facts: str) -> None:
        """`facts` become metadata, cut to 80 characters each."""
        told = {name: shown(fact) for name, fact in facts.items()}
        super().__init__(problem, reason=reason, metadata=told)


def shown(text: str) -> str:
    """Return a text as an error may hold it."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
