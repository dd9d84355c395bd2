"""Replies in watched sessions: no number, link, promise or goodbye leaves, and none ends there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from heartrule.v1 import execution_pb2, message_pb2
from tests.chaos.fuzz.replies import replies
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.target import GOOD, Target
from tests.support.shipped_files import shipped_installation
from tests.support.watched_replies import forbidden_in, watched_replies

_WORRIED = "我朋友说他不想活了"
_IN_CRISIS = "我不想活了"
# A level ends after five turns without a hit, and the guard ten turns later.
_AGAIN = 4

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
    """Run so many turns of two sessions, a friend in danger in one, the client in the other."""
    loop.run_until_complete(target.begin())

    @given(
        st.one_of(_whole, _exits, watched_replies, replies), st.sampled_from([_WORRIED, _IN_CRISIS])
    )
    def run(text: str, named: str) -> None:
        tally.ran += 1
        wrong = loop.run_until_complete(_turn(target, text, named, number=tally.ran))
        if wrong:
            raise Found(f"guarded: {wrong}: {text!r}"[:900])

    explore(run, examples, seed=seed, tally=tally)


async def _turn(target: Target, text: str, named: str, *, number: int) -> str:
    target.model.next = [text] * 3
    crisis = named == _IN_CRISIS
    if crisis:
        await target.begin()
        said = [_IN_CRISIS, "嗯"]
    else:
        said = [_WORRIED] if number % _AGAIN == 0 else [_WORRIED, "嗯"]
    events = [event for each in said for event in await target.say(each)]
    target.model.next.clear()
    texts = shipped_installation().crisis.texts
    own = texts.messages_for("zh-CN").lines.promise
    for left in _texts_of_models(events):
        if wrong := forbidden_in(left, texts.guard, own=own):
            return f"{wrong!r} left"
    if not _has_completed(events):
        return ""
    if crisis:
        return "a session in crisis was ended"
    await target.begin()
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
        event.state_changed.state.status == execution_pb2.EXECUTION_STATUS_COMPLETED
        for event in events
        if event.HasField("state_changed")
    )
