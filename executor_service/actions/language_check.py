"""Whether a reply is in the language of its session, or of the client's last words (ADR 87)."""

from __future__ import annotations

import asyncio
import logging
from functools import lru_cache
from typing import TYPE_CHECKING

from executor_service.actions.action_context import RoundContext
from executor_service.actions.message_order import unanswered
from executor_service.actions.outgoing.reply_language import DOUBTFUL, own_words, written_in
from heartrule.domain.problem import Degradation

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

#: The reason of the degradation.
WRONG_LANGUAGE = "WRONG_LANGUAGE"
# From this probability on the classifier is believed.
_SURE = 0.9
# Seconds that a turn waits for the classifier; the first reply waits for its loading.
_LONGEST_S = 2.0
# Messages of the client that are looked at, the newest first.
_HEARD = 3


async def language_faults(
    context: RoundContext, reply: str, *, scripted: str = ""
) -> tuple[Degradation, ...]:
    """Return a degradation where a reply is in a wrong language; it is sent all the same.

    Args:
        context: The round.
        reply: What the model wrote of a message.
        scripted: Words of the script that the reply may repeat as they are.
    """
    expected, client = context.scene.language, _of_client(context)
    options = getattr(context.action.config, "options", ())
    found = await language_of(own_words(reply, (*client, *options, scripted)))
    if found in {"", expected} or found == await _heard(client):
        return ()
    return (Degradation.of("outgoing", WRONG_LANGUAGE, expected=expected, found=found),)


async def language_of(text: str) -> str:
    """Return the language of a text as a tag; empty where it cannot be told."""
    found = written_in(text)
    if found != DOUBTFUL:
        return found
    try:
        async with asyncio.timeout(_LONGEST_S):
            return await asyncio.to_thread(_classified, text)
    except Exception:  # noqa: BLE001 - a check fails no turn
        _log.exception("the language of a reply could not be told")
        return ""


async def _heard(client: tuple[str, ...]) -> str:
    """Return the language of the client's newest message that has one."""
    for text in client[:_HEARD]:
        if found := await language_of(own_words(text)):
            return found
    return ""


def _of_client(context: RoundContext) -> tuple[str, ...]:
    """Return the client's messages, newest first."""
    newest = context.reply if context.reply is not None else unanswered(context.history)[1]
    earlier = [each.content for each in context.history if each.role == "user"]
    return tuple(dict.fromkeys(filter(None, (newest, *reversed(earlier)))))


def _classified(text: str) -> str:
    found, probability = _classifier().classify(text)
    return found if probability >= _SURE else ""


@lru_cache(maxsize=1)
def _classifier() -> LanguageIdentifier:
    """Return the classifier, loaded once; half a second and 100 MB, so for a doubtful text only."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
