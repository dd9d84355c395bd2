"""A client is told only what it said it can show (CONTRACT: OpenConversation.accepts)."""

from __future__ import annotations

from datetime import timedelta

from executor_service.streams.relay import View
from executor_service.streams.showing import as_accepted
from heartrule.domain.conversation import (
    Feature,
    FormAnswer,
    Media,
    Message,
    Part,
    QuickReplies,
    Role,
    text_part,
)
from heartrule.domain.events import InputAccepted, MessageCommitted, Opened, SessionEvent
from heartrule.domain.input_request import InputRequested
from heartrule.domain.position import ExecutionState, ExecutionStatus
from tests.support.event_builders import durable

NOTHING: frozenset[Feature] = frozenset()
PICTURE = Part(media=Media(mime_type="image/png", data=b"png"), fallback_text="一棵树")
SOUND = Part(media=Media(mime_type="audio/ogg", data=b"ogg"), fallback_text="雨声")
REPLIES = Part(quick_replies=QuickReplies(texts=("甲", "乙")), fallback_text="（甲、乙）")
FORM = Part(form=FormAnswer(values={"a": 1}), fallback_text="已填写")
REQUEST = InputRequested(input_request_id="req_1", kind=Feature.FORM, fallback_text="请填表")


def message(*parts: Part) -> Message:
    return Message(message_id="msg_1", role=Role.ASSISTANT, parts=parts)


def parts_of(event: SessionEvent) -> tuple[Part, ...]:
    assert isinstance(event.body, MessageCommitted)
    return event.body.message.parts


def test_a_picture_becomes_its_text_for_who_cannot_show_it() -> None:
    """The words beside it stay."""
    event = durable(1, MessageCommitted(message=message(text_part("看"), PICTURE)))
    told = parts_of(as_accepted(event, NOTHING))
    assert told == (text_part("看"), text_part("一棵树"))


def test_each_kind_of_media_has_a_feature_of_its_own() -> None:
    """Who shows pictures need not play sounds."""
    event = durable(1, MessageCommitted(message=message(PICTURE, SOUND)))
    told = parts_of(as_accepted(event, frozenset({Feature.PICTURE})))
    assert told == (PICTURE, text_part("雨声"))


def test_quick_replies_become_words_for_who_has_no_buttons() -> None:
    """The message's own text, which prompts hold, is without them."""
    asked = message(text_part("哪个？"), REPLIES)
    event = durable(1, MessageCommitted(message=asked))
    assert parts_of(as_accepted(event, NOTHING)) == (text_part("哪个？"), text_part("（甲、乙）"))
    assert as_accepted(event, frozenset({Feature.QUICK_REPLIES})) == event
    assert asked.plain_text() == "哪个？"


def test_a_form_sent_by_another_device_becomes_its_text() -> None:
    """A watcher without forms reads what stands for it."""
    event = durable(1, InputAccepted(messages=(message(FORM),)))
    told = as_accepted(event, NOTHING).body
    assert told == InputAccepted(messages=(message(text_part("已填写")),))


def test_what_can_be_shown_stays_the_same_event() -> None:
    """Nothing is copied for a client of plain text."""
    event = durable(1, MessageCommitted(message=message(text_part("好"))))
    assert as_accepted(event, NOTHING) is event


def test_a_request_is_told_only_to_who_accepts_its_kind() -> None:
    """Others never see it, neither as an event nor in the state."""
    state = ExecutionState(status=ExecutionStatus.WAITING_INPUT, pending_request=REQUEST)
    opened = Opened(state=state, max_input_bytes=1, heartbeat_interval=timedelta(seconds=1))
    told = as_accepted(SessionEvent(session_id="s", body=opened), NOTHING).body
    assert isinstance(told, Opened)
    assert told.state.pending_request is None
    assert not View().shows(durable(1, REQUEST))
    assert View(accepts=frozenset({Feature.FORM})).shows(durable(1, REQUEST))
