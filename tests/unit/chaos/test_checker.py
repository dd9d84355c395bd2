"""Each rule of the checker, on a history written by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from heartrule.domain.conversation import Message, Part, Role
from heartrule.domain.events import (
    DraftDelta,
    DraftPosition,
    EventBody,
    InputAccepted,
    InputRejected,
    MessageCommitted,
    SessionEvent,
    TurnStarted,
)
from heartrule.domain.problem import Problem
from heartrule.domain.safety import SafetyCard, SafetyFallback, SafetyLevel
from tests.chaos.checker import check
from tests.chaos.danger import IN_DANGER
from tests.chaos.dump import AttemptRow, Dump, EventRow, FinalState, MessageRow, SessionRow
from tests.chaos.history import (
    History,
    ReadBack,
    ReceivedEvent,
    Record,
    Sent,
    StreamEnded,
    StreamOpened,
)

FINAL_STATE = FinalState("waiting {}", ("称呼",), ("ask",), ("client | 小明",), (), ())


def message(number: int, role: str, text: str, client_message_id: str = "") -> MessageRow:
    parts = f'[{{"text":"{text}"}}]'
    return MessageRow(
        "s", number, f"m{number}", role, parts, "complete", "t", client_message_id, ""
    )


def event(number: int, kind: str, message_id: str = "", attempt: int = 1) -> EventRow:
    turn_id = "" if kind == "input_accepted" else "t"
    return EventRow("s", number, turn_id, attempt if turn_id else 0, kind, message_id, "{}")


SOUND = Dump(
    sessions={"s": SessionRow("s", "waiting", "{}", 5)},
    messages=(message(1, "client", "小明", "c1"), message(3, "assistant", "你好")),
    events=(
        event(1, "input_accepted", "m1"),
        event(2, "turn_started"),
        event(3, "message_committed", "m3"),
        event(4, "turn_ended"),
    ),
    attempts=(AttemptRow("s", "t", 1, "completed", '["c1"]'),),
    final_states={"s": FINAL_STATE},
    safety={},
)


def told(body: EventBody, sequence: int = 0, attempt: int = 1) -> ReceivedEvent:
    turn_id = "" if isinstance(body, InputAccepted) else "t"
    told_event = SessionEvent(
        session_id="s", body=body, sequence=sequence, turn_id=turn_id,
        attempt=attempt if turn_id else 0,
    )  # fmt: skip
    return ReceivedEvent(at=1.0, client="c", session_id="s", stream=1, event=told_event)


def said(number: int, role: Role, text: str) -> Message:
    return Message(message_id=f"m{number}", role=role, parts=(Part(text=text),), sequence=number)


def draft(text: str, attempt: int = 1, message_id: str = "m3") -> ReceivedEvent:
    return told(DraftDelta(at=DraftPosition(message_id=message_id), text=text), attempt=attempt)


ACCEPTED = told(InputAccepted(messages=(said(1, Role.CLIENT, "小明"),)), 1)
STARTED = told(TurnStarted(client_message_ids=("c1",)), 2)
COMMITTED = told(MessageCommitted(message=said(3, Role.ASSISTANT, "你好")), 3)
READ = ReadBack(began=2.0, at=2.1, client="c", session_id="s", message_ids=("m1", "m3"))


def history(*more: Record) -> History:
    return History([ACCEPTED, STARTED, draft("你"), COMMITTED, READ, *more])


def rules(dump: Dump = SOUND, told: History | None = None) -> set[str]:
    found = check(told or history(), dump, expected={"s": FINAL_STATE})
    return {violation.rule for violation in found}


def test_a_sound_history_has_no_violation() -> None:
    """What was told is kept, in order, once."""
    assert rules() == set()


def without(dump: Dump, number: int) -> Dump:
    """Return a dump that lost a message and its event's body, as a late commit would."""
    return replace(dump, messages=tuple(m for m in dump.messages if m.sequence != number))


BROKEN: dict[str, Callable[[Dump], Dump]] = {
    "acknowledged is kept": lambda d: without(d, 1),
    "ids are unique": lambda d: replace(
        d, messages=(*d.messages, replace(d.messages[0], sequence=9))
    ),
    "sequences have no gap": lambda d: replace(
        d, events=(*d.events[:3], replace(d.events[3], sequence=5))
    ),
    "sent is kept as sent": lambda d: replace(
        d, events=(*d.events[:2], replace(d.events[2], attempt=2), d.events[3])
    ),
    "one outcome per turn": lambda d: replace(
        d, events=(*d.events, replace(d.events[3], sequence=5))
    ),
    "late commits are refused": lambda d: replace(
        d, events=(*d.events[:1], replace(d.events[1], attempt=2), *d.events[2:])
    ),
    "one text per message": lambda d: replace(
        d, messages=(*d.messages, replace(d.messages[1], message_id="m4", sequence=4))
    ),
    "everything is answered": lambda d: replace(
        d, attempts=(replace(d.attempts[0], state="running"),)
    ),
    "safety stands as sent": lambda d: replace(d, safety={"s": '{"level":4}'}),
    "stands as undisturbed": lambda d: replace(
        d, final_states={"s": replace(FINAL_STATE, variables=("年龄",))}
    ),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_database_is_named(rule: str) -> None:
    """Each rule finds what it is there for."""
    assert rule in rules(BROKEN[rule](SOUND))


@pytest.mark.parametrize(
    ("rule", "more"),
    [
        ("drafts become messages", draft("再见")),
        ("drafts become messages", draft("你", message_id="m9")),
        ("reads never go back", replace(READ, message_ids=("m1",))),
        (
            "one text per message",
            told(MessageCommitted(message=said(3, Role.ASSISTANT, "您好")), 3),
        ),
        ("sequences have no gap", told(MessageCommitted(message=said(9, Role.CLIENT, "?")), 9)),
        (
            "sequences have no gap",
            StreamEnded(at=3.0, client="c", session_id="s", stream=1, code="OUT_OF_RANGE"),
        ),
    ],
)
def test_a_client_that_was_told_otherwise_is_believed(
    rule: str, more: ReceivedEvent | ReadBack | StreamEnded
) -> None:
    """What clients heard counts as much as what is kept."""
    assert rule in rules(told=history(more))


@pytest.mark.parametrize(("after", "found"), [(2, set()), (1, {"sequences have no gap"})])
def test_what_a_later_stream_tells_again_is_no_gap(after: int, found: set[str]) -> None:
    """Of a repeat its input is told once more; what is new begins behind the stream's place."""
    place = StreamOpened(at=2.0, client="c", session_id="s", stream=2, after=after, replica="e")
    heard = (replace(each, stream=2) for each in (ACCEPTED, COMMITTED))
    assert rules(told=history(place, *heard)) == found


def test_a_draft_of_a_voided_attempt_is_no_violation() -> None:
    """DraftVoided takes back what a lost attempt showed."""
    voided = replace(
        SOUND,
        sessions={"s": replace(SOUND.sessions["s"], next_seq=6)},
        events=(
            *SOUND.events[:2],
            replace(event(3, "draft_voided", attempt=2), body='{"up_to_attempt":1}'),
            event(4, "message_committed", "m3", 2),
            event(5, "turn_ended", attempt=2),
        ),
    )
    lost = History([ACCEPTED, draft("您", message_id="m9")])
    assert rules(voided, lost) == set()


def test_advice_of_a_round_nobody_judged_is_not_missed() -> None:
    """Where an analysis was dropped, words and advice may differ; the position may not."""
    other = replace(
        FINAL_STATE, analyses=("dropped",), advice=("none",), messages=("client | 小红",)
    )
    assert rules(replace(SOUND, final_states={"s": other})) == set()
    moved = replace(other, position="elsewhere")
    assert rules(replace(SOUND, final_states={"s": moved})) == {"stands as undisturbed"}


@pytest.mark.parametrize(
    ("role", "found"), [("assistant", {"danger is answered"}), ("system", set())]
)
def test_whoever_named_a_danger_is_owed_a_card(role: str, found: set[str]) -> None:
    """Before all else of the turn that has these words."""
    cry = Sent(
        at=0.5, client="c", session_id="s", client_message_id="c1", text=IN_DANGER, replica="r"
    )
    dump = replace(SOUND, messages=(SOUND.messages[0], message(3, role, "你好")))
    assert rules(dump, history(cry)) == found


def test_a_refusal_with_a_card_answers_a_danger() -> None:
    """What was refused is in no history; the card of the refusal is enough, its lack is not."""
    cry = Sent(
        at=0.5, client="c", session_id="s", client_message_id="c9", text=IN_DANGER, replica="r"
    )
    refused = InputRejected(
        client_message_id="c9", problem=Problem(code=9, reason="SESSION_COMPLETED", message="over")
    )
    card = SafetyFallback(card=SafetyCard(level=SafetyLevel.CRISIS, text="call"))
    assert rules(told=history(cry, told(replace(refused, fallback=card)))) == set()
    assert rules(told=history(cry, told(refused))) == {"danger is answered"}
