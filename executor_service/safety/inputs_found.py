"""What a client's inputs mean: their texts, one by one and together."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from executor_service.safety.safety_metrics import count_failure
from heartrule.domain.conversation import Part
from heartrule.domain.json_value import texts_in
from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.answers import Answer
from heartrule.safety.crisis_rules import ClientScreen
from heartrule.safety.safety_path import NOTHING_HEARD, TurnHearing
from heartrule.safety.screen import ScreenContext, Screening
from heartrule.safety.screening_threads import in_screening_thread

LOG = logging.getLogger(__name__)
# Characters that are screened on the event loop, in some milliseconds. Rules meet often in a text
# without punctuation: 500 characters of one sentence take 80 ms, however rarely that is written.
_SHORT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class InputsFound:
    """What was found in inputs; `heard.text` alone has the client's words."""

    heard: TurnHearing = NOTHING_HEARD
    rules: tuple[str, ...] = ()
    subject: Subject | None = None
    language: str = ""


def found_in(
    texts: Sequence[str], screen: ClientScreen, *, question: str = "", earlier: Sequence[str] = ()
) -> InputsFound:
    """Return the gravest of what texts of a client mean, and whether the last one denies.

    A fault of the screen stops no input and no turn: it is logged and counted.

    Args:
        texts: Those to read, oldest first.
        screen: Reads a text by itself and with those before it.
        question: What the assistant said last; empty where it asked nothing about safety.
        earlier: The client's texts before these, since the assistant spoke.
    """
    best, denied = InputsFound(), False
    earlier = tuple(earlier)
    for text in texts:
        read = _read(text, screen, ScreenContext(question=question, earlier=earlier))
        earlier = (*earlier, text)
        denied = read.answer is Answer.NO and read.level is SafetyLevel.NONE
        if read.level > best.heard.level:
            best = InputsFound(
                heard=TurnHearing(level=read.level, source=read.source),
                rules=read.rules,
                subject=read.subject,
                language=read.language or "",
            )
    return replace(best, heard=replace(best.heard, denied=denied, text="\n".join(texts)))


async def screened(
    texts: Sequence[str], screen: ClientScreen, *, question: str = "", earlier: Sequence[str] = ()
) -> InputsFound:
    """Return what `found_in` finds; longer texts are read in a thread, for the others' sake."""
    read = partial(found_in, texts, screen, question=question, earlier=earlier)
    if sum(map(len, (*texts, *earlier))) <= _SHORT:
        return read()
    return await in_screening_thread(read)


def _read(text: str, screen: ClientScreen, context: ScreenContext) -> Screening:
    """Return what a text means; by itself where the screen fails at what stands before it.

    So a turn finds at least what was found when the input came, by itself.
    """
    for each in (context, ScreenContext()):
        try:
            return screen.screen(text, each)
        except Exception as error:  # noqa: BLE001  whatever the screen stumbles over
            # Without the error's text and its place: they may hold the client's words.
            LOG.error("a text was not screened", extra={"error": type(error).__name__})  # noqa: TRY400
            count_failure()
    return Screening()


def written_in(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the text of one input, and as one text what its form holds.

    The message of a submitted form only names the form.
    """
    own = tuple(parts)
    yield "\n".join(part.plain_text() for part in own)
    filled_in = "\n".join(
        text for part in own if part.form is not None for text in texts_in(part.form.values)
    )
    if filled_in:
        yield filled_in
