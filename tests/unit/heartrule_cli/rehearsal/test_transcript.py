"""A rehearsal as its author reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from executor_service.scripts.model.findings import At
from heartrule.domain.conversation import (
    Completeness,
    Feature,
    FormAnswer,
    Media,
    Message,
    Part,
    Role,
    text_part,
)
from heartrule.domain.decision_events import DecisionMade, DecisionValidated
from heartrule.domain.decisions import DecisionAuthor, DecisionType
from heartrule.domain.events import EventBody, SessionEvent
from heartrule.domain.input_request import InputRequested
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.rehearsal_transcript import message_lines, turn_lines
from heartrule_cli.rehearsal.written_conversation import WrittenTurn
from heartrule_cli.style import Style

PLAIN = Style(colours=False)


def message(*parts: Part, role: Role = Role.ASSISTANT, **changes: Any) -> list[str]:
    return list(message_lines(Message(message_id="m", role=role, parts=parts, **changes)))


def turn(*bodies: EventBody, seen: dict[str, Any] | None = None, **said: Any) -> Sequence[str]:
    played = Played(
        number=2,
        turn=WrittenTurn(spot=At(), **said),
        events=[SessionEvent(session_id="s", body=body) for body in bodies],
        seen=seen or {},
    )
    return list(turn_lines(played, PLAIN))


def test_lines_of_a_message_stand_one_below_the_other() -> None:
    """Nothing in them steers the terminal."""
    assert message(text_part("一\x1b[31m\n二")) == ["  assistant  一[31m", "             二"]


def test_a_form_is_told_by_its_values() -> None:
    """Not by the text that stands for it."""
    form = Part(form=FormAnswer(values={"年龄": 25, "心情": "好"}), fallback_text="（表单）")
    assert message(form, text_part("给你"), role=Role.CLIENT) == [
        '  client     (form) 年龄 = 25, 心情 = "好"',
        "             给你",
    ]


def test_a_picture_is_told_below_its_words() -> None:
    """With its address, or as one of the script's own."""
    address = Media(mime_type="image/png", uri="https://example.org/a.png", caption="看")
    own = Media(mime_type="image/png", uri="asset:00ff")
    shown = [Part(media=media, fallback_text="一个圆") for media in (address, own)]
    assert message(*shown) == [
        "  assistant  一个圆",
        "             看",
        "             (picture https://example.org/a.png)",
        "             一个圆",
        "             (picture image/png from the script)",
    ]


def test_a_counsellor_is_told_from_the_model() -> None:
    """And a message that is not whole says so."""
    cut = message(text_part("你"), role=Role.COUNSELLOR, completeness=Completeness.TRUNCATED)
    assert cut == [
        "  counsellor [counsellor] 你",
        "             (the model's answer broke off here)",
    ]


def test_a_form_that_is_asked_for_names_its_fields() -> None:
    """And those that are filled already."""
    schema = {"properties": {"年龄": {}, "心情": {"default": "好"}}}
    asked = InputRequested(input_request_id="r", kind=Feature.FORM, schema=schema)
    assert turn(asked) == ["  · asks for a form: 年龄, 心情 (filled)"]


def test_an_input_that_is_refused_is_told_with_the_reason() -> None:
    """No event holds it."""
    refused = {"rejected": ["SESSION_COMPLETED"], "status": "completed"}
    assert turn(seen=refused, client="还有") == [
        "  client     还有",
        "  refused: SESSION_COMPLETED",
        "  the script is at its end",
    ]


def test_a_decision_of_an_agent_is_told_with_its_verdict() -> None:
    """So that an author sees what was decided and what the gate made of it."""
    made = DecisionMade(
        decision_id="d",
        correlation_id="c",
        decision_type=DecisionType.CONTINUE,
        payload={"thought": "想想"},
        author=DecisionAuthor.AGENT,
    )
    assert turn(made, DecisionValidated(decision_id="d", correlation_id="c")) == [
        '  · decision continue by agent (d) {"thought": "想想"}',
        "  · decision d: valid",
    ]
