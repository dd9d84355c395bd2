"""What a terminal shows of a message that announces a result."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from heartrule.domain import events as body
from heartrule.domain.conversation import Completeness, text_part
from heartrule.domain.run_events import Activity, ActivityKind, ActivityState
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.style import Style
from tests.support.wire_samples import ASKED, STATE, event_of

PLACEHOLDER = replace(
    ASKED, message_id="m1", parts=(text_part("在查…"),), completeness=Completeness.PLACEHOLDER
)
RESULT = replace(ASKED, message_id="m2", parts=(text_part("查到了"),), replaces_message_id="m1")
GOES_ON = Activity(
    activity_id="r1",
    kind=ActivityKind.SUB_THREAD,
    state=ActivityState.GOES_ON,
    label="核对",
    message_id="m1",
)
ANNOUNCED = body.MessageCommitted(message=PLACEHOLDER)
UP = "\r\x1b[1A\x1b[J"
"""Goes up to the line that changes, and clears from there."""


def shown(*said: body.EventBody, live: bool = True) -> str:
    out = io.StringIO()
    printer = EventPrinter(Screen(out, Style(colours=False), live=live), debug=False)
    for each in said:
        printer.show(event_of(each))
    return out.getvalue()


def test_a_placeholder_is_one_line_that_changes() -> None:
    """With the label of what is done now, until the result stands in its place."""
    done = replace(GOES_ON, state=ActivityState.ENDED, is_completed=True)
    told = shown(ANNOUNCED, GOES_ON, done, body.MessageCommitted(message=RESULT))
    assert told == f"在查…\n{UP}在查… (核对)\n{UP}查到了\n"


def test_other_lines_come_above_the_one_that_changes() -> None:
    """The conversation goes on meanwhile."""
    other = replace(ASKED, message_id="m3", parts=(text_part("还有吗？"),))
    told = shown(ANNOUNCED, body.MessageCommitted(message=other), GOES_ON)
    assert told == f"在查…\n{UP}还有吗？\n在查…\n{UP}在查… (核对)\n"


def test_a_file_has_the_placeholder_once_and_the_result() -> None:
    """It cannot take back what it holds."""
    told = shown(ANNOUNCED, GOES_ON, body.MessageCommitted(message=RESULT), live=False)
    assert told == "在查…\n查到了\n"


def test_what_was_taken_back_has_no_line() -> None:
    """Its result will never come."""
    told = shown(ANNOUNCED, body.HistoryRewound(removed_message_ids=("m1",), state=STATE), GOES_ON)
    assert told.startswith(f"在查…\n{UP}")
    assert "核对" not in told


@pytest.mark.parametrize("message_id", ["", "m7"])
def test_a_thread_without_a_message_is_told_as_a_run(message_id: str) -> None:
    """Of one whose message is elsewhere nothing is told."""
    began = replace(GOES_ON, state=ActivityState.BEGAN, name="researcher", message_id=message_id)
    assert shown(began) == ("" if message_id else "  (researcher is under way: 核对)\n")


def test_a_turn_that_has_said_nothing_yet_is_seen_to_think() -> None:
    """The line gives way to the first words, and a file has none of it."""
    said = body.MessageCommitted(message=replace(ASKED, parts=(text_part("你好"),)))
    thinks = "  (thinking …)\n"
    assert shown(body.TurnStarted(), said) == f"{thinks}{UP}你好\n"
    assert shown(body.TurnStarted(), said, live=False) == "你好\n"


def test_a_turn_that_failed_thinks_no_more() -> None:
    """What is told of the failure stands alone."""
    ended = body.TurnEnded(outcome=body.Outcome.FAILED)
    assert shown(body.TurnStarted(), ended) == f"  (thinking …)\n{UP}"
