"""Broken replies, read: by the parser and scanner alone, and in whole turns of an executor."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heartrule.model.reply.contract import talk_contract
from heartrule.model.reply.prose import Skeleton
from heartrule.model.reply.scanner import ContentScanner
from heartrule.model.reply.typed_replies import read_talk_reply, read_think_reply
from tests.chaos.fuzz.replies import replies
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.target import Target

_METRICS = ("information_completeness", "user_engagement")
_CONTRACT = talk_contract(metrics=_METRICS, outputs=("称呼",))
_FINISHED = 9
"""FAILED_PRECONDITION: the replies before have led the script to its end."""


def fuzz_parser(examples: int, *, seed: int, tally: Tally) -> None:
    """Read so many replies: no error leaves, and what was shown is what was read."""

    @given(replies, st.integers(1, 60))
    def run(text: str, size: int) -> None:
        tally.ran += 1
        try:
            wrong = _read(text, size)
        except Exception as error:
            raise Found(f"reply: {type(error).__name__}: {error}: {text!r}"[:900]) from error
        if wrong:
            raise Found(f"reply: {wrong}: {text!r}"[:900])

    explore(run, examples, seed=seed, tally=tally)


def _read(text: str, size: int) -> str:
    read_think_reply(text, contract=_CONTRACT, own_words=Skeleton({}))
    reply = read_talk_reply(text, contract=_CONTRACT, own_words=Skeleton({}))
    scanner = ContentScanner(_CONTRACT)
    shown = "".join(scanner.feed(text[at : at + size]) for at in range(0, len(text), size))
    shown.encode()
    if reply.readable and not reply.content.startswith(shown.rstrip()):
        return f"showed {shown[:80]!r}, read {reply.content[:80]!r}"
    if not is_right(text) and not _recorded(reply.diagnosis):
        return "no record that it was not right"
    return ""


def _recorded(diagnosis: Any) -> bool:
    return bool(diagnosis.parse_error or diagnosis.repairs or diagnosis.warnings
                or diagnosis.retry_count > 1)  # fmt: skip


def is_right(text: str) -> bool:
    """Say whether a reply needs no mending at all: it is an object, and its content is text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("content"), str)


def fuzz_turns(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int, *, seed: int, tally: Tally
) -> None:
    """Run so many turns on broken replies: each ends well, and records what was wrong."""

    @given(replies)
    def run(text: str) -> None:
        tally.ran += 1
        wrong = loop.run_until_complete(_turn(target, text))
        if wrong:
            raise Found(f"turn: {wrong}: {text!r}"[:900])

    explore(run, examples, seed=seed, tally=tally)


async def _turn(target: Target, text: str) -> str:
    target.model.next = [text]
    events = await target.say("嗯")
    target.model.next.clear()
    if any(event.input_rejected.problem.code == _FINISHED for event in events):
        await target.begin()
        return ""
    ended = [event.turn_ended for event in events if event.HasField("turn_ended")]
    if len(ended) != 1:
        return f"{len(ended)} ends"
    problem = ended[0].problem
    if problem.code:
        return f"the turn failed: {problem.code} {problem.reason}"
    is_recorded = bool(ended[0].degradations) or any(map(_noted, events))
    return "" if is_recorded or is_right(text) else "no degradation is recorded"


def _noted(event: Any) -> bool:
    """Return whether an action's result records how its reply was read."""
    result = event.action_result if event.HasField("action_result") else None
    if result is None:
        return False
    names: Sequence[str] = list(result.metadata.fields if hasattr(result.metadata, "fields")
                                else result.metadata)  # fmt: skip
    return "parseError" in names or "parseRetryCount" in names
