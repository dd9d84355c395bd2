"""What must hold of a session's history, however its turns were stopped."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from heartrule.domain.conversation import Completeness, Message
from heartrule.domain.events import (
    DraftDelta,
    DraftVoided,
    MessageCommitted,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionStatus
from session_store.ports import Store
from session_store.records import Page


async def check_history(
    store: Store, key: SessionKey, told: Sequence[SessionEvent], accepted: Sequence[str]
) -> None:
    """Hold a session that has come to rest against all of it; `told` holds the drafts."""
    events = await store.read_events(key, 0, 100_000)
    messages, _ = await store.list_messages(key, Page(size=100_000))
    session = await store.get_session(key)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    inputs = [each for each in messages if each.client_message_id]
    assert sorted(each.client_message_id for each in inputs) == sorted(accepted)
    if session.status is not ExecutionStatus.COMPLETED:
        assert all(each.turn_id for each in inputs), "every input has its turn"
    ids = Counter(each.message_id for each in messages)
    assert max(ids.values(), default=1) == 1
    _check_ends(events, inputs)
    _check_drafts(events, told)


def _check_ends(events: Sequence[SessionEvent], inputs: Sequence[Message]) -> None:
    """Every turn has one outcome besides failures that were overcome, and none after it."""
    ends = defaultdict(list)
    for event in events:
        if isinstance(event.body, TurnEnded):
            ends[event.turn_id].append(event.body)
    for turn_id in {event.turn_id for event in events if event.turn_id}:
        outcomes = [each.outcome for each in ends[turn_id]]
        assert outcomes, f"{turn_id} has no end"
        assert all(each is Outcome.FAILED for each in outcomes[:-1])
    answered = [name for each in ends.values() for name in each[-1].client_message_ids]
    taken = [each.client_message_id for each in inputs if each.turn_id]
    assert sorted(answered) == sorted(taken), "each input is of one turn"


def _check_drafts(events: Sequence[SessionEvent], told: Sequence[SessionEvent]) -> None:
    """What was shown begins a committed message, or ends where it was interrupted, or is void."""
    committed = {
        event.body.message.message_id: event.body.message
        for event in events
        if isinstance(event.body, MessageCommitted)
    }
    void: dict[str, int] = defaultdict(int)
    for event in events:
        if isinstance(event.body, DraftVoided):
            void[event.turn_id] = max(void[event.turn_id], event.body.up_to_attempt)
    shown: dict[tuple[str, int, str], str] = defaultdict(str)
    for event in told:
        if isinstance(event.body, DraftDelta):
            shown[event.turn_id, event.attempt, event.body.at.message_id] += event.body.text
    for (turn_id, attempt, message_id), text in shown.items():
        message = committed.get(message_id)
        if message is None:
            assert attempt <= void[turn_id], f"{text!r} was shown and is neither kept nor void"
        elif message.completeness is Completeness.INTERRUPTED:
            assert text.startswith(message.plain_text())
        else:
            assert message.plain_text().startswith(text)
