"""Finds what is not as a conversation says, beside what it expects: answers and refusals."""

from __future__ import annotations

from executor_service.scripts.model.findings import Spot
from heartrule_cli.rehearsal.comparing import Mismatch
from heartrule_cli.rehearsal.models import PlayedModel, WrittenModel
from heartrule_cli.rehearsal.outcome import Difference, Played

_FAILURE = frozenset({"outcome", "problem", "status"})
"""Expectations that tell whether a turn failed."""


def difference_of(found: Mismatch, turn: int) -> Difference:
    """Return what is not as expected as a difference of a turn."""
    return Difference(
        spot=found.spot,
        turn=turn,
        path=found.path,
        expected=found.expected,
        got=found.got,
        word=found.word,
    )


def unanswered(played: Played, model: PlayedModel | None) -> list[Difference]:
    """Return that a list of answers is too short; told once, in the turn that found out."""
    if not isinstance(model, WrittenModel) or not model.unanswered:
        return []
    first = model.unanswered[0]
    count = len(model.requests) - len(model.unanswered)
    model.unanswered.clear()
    message = (
        f"the model is asked once more ({first.prompt_type}), and its {count} "
        f"{'answer is' if count == 1 else 'answers are'} used up"
    )
    return [_told(played, message)]


def gone_wrong(played: Played) -> list[Difference]:
    """Return that an input was refused or the turn failed, where nothing is said about that."""
    expected = played.turn.expected
    about = set() if expected is None else set(expected.entries)
    reasons, problem = played.seen.get("rejected"), played.seen.get("problem")
    found = []
    if isinstance(reasons, list) and reasons and "rejected" not in about:
        message = f"the input is refused ({reasons[0]}); expect `rejected` where that is meant"
        found.append(_told(played, message))
    if not played.seen.get("outcome") and not reasons and "outcome" not in about:
        found.append(_told(played, "nobody answers: what comes before this turn fails again"))
    if isinstance(problem, dict) and not about & _FAILURE:
        message = f"the turn failed ({problem['reason']}); expect `outcome` where that is meant"
        found.append(_told(played, message))
    return found


def _told(played: Played, message: str) -> Difference:
    return Difference(
        spot=played.turn.spot,
        turn=played.number,
        path=(),
        expected="",
        got=None,
        message=message,
    )


def nobody_asked(key: str, spot: Spot, count: int) -> Difference:
    """Return that this answer, the first of `count` below `key`, was left over."""
    rest = "" if count == 1 else f", nor for the {count - 1} after it"
    return Difference(
        spot=spot,
        turn=0,
        path=(),
        expected="to be asked for",
        got=None,
        message=f"nobody asked for this answer of `{key}`{rest}",
    )
