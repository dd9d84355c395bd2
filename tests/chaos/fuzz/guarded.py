"""Replies in watched sessions: no number, link, promise or goodbye leaves, and none ends there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heartrule.v1 import message_pb2, turn_pb2
from tests.chaos.fuzz.replies import replies
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.target import GOOD, Target
from tests.support.shipped_files import shipped_installation
from tests.support.watched_replies import forbidden_in, watched_replies

_WORRIED = "我朋友说他不想活了"
_IN_CRISIS = "我不想活了"

_whole = watched_replies.map(
    lambda text: json.dumps(json.loads(GOOD) | {"content": text}, ensure_ascii=False)
)
_exits = watched_replies.map(
    lambda text: json.dumps(json.loads(GOOD) | {"content": text, "EXIT": "YES"}, ensure_ascii=False)
)
_replies = st.one_of(_whole, _exits, watched_replies, replies)


def fuzz_guarded(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int, *, seed: int, tally: Tally
) -> None:
    """Run so many sessions in which a friend or the client is in danger, two turns each."""

    @given(_replies, st.sampled_from([_WORRIED, _IN_CRISIS]))
    def run(text: str, named: str) -> None:
        tally.ran += 1
        wrong = loop.run_until_complete(_turns(target, text, named))
        if wrong:
            raise Found(f"guarded: {wrong}: {text!r}"[:900])

    explore(run, examples, seed=seed, tally=tally)


async def _turns(target: Target, text: str, named: str) -> str:
    await target.begin()
    target.model.next = [text] * 4
    events = [event for said in (named, "嗯") for event in await target.say(said)]
    target.model.next.clear()
    texts = shipped_installation().crisis.texts
    own = texts.messages_for("zh-CN").lines.promise
    for left in _texts_of_models(events):
        if wrong := forbidden_in(left, texts.guard, own=own):
            return f"{wrong!r} left"
    if named == _IN_CRISIS and _has_completed(events):
        return "a session in crisis was ended"
    return ""


def _texts_of_models(events: list[Any]) -> Iterator[str]:
    """Yield what a client saw of a model: each message, and each draft of one."""
    drafts: dict[str, str] = {}
    for event in events:
        if event.HasField("draft_delta"):
            at = event.draft_delta.at.message_id
            drafts[at] = drafts.get(at, "") + event.draft_delta.text
        if event.HasField("message_committed"):
            message = event.message_committed
            if message.role == message_pb2.ROLE_ASSISTANT:
                yield "".join(part.text for part in message.parts)
    yield from drafts.values()


def _has_completed(events: list[Any]) -> bool:
    return any(
        event.turn_ended.outcome == turn_pb2.OUTCOME_SESSION_COMPLETED
        for event in events
        if event.HasField("turn_ended")
    )
