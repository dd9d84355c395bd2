"""What a chat says at its end."""

from __future__ import annotations

from heartrule_cli.arguments.invocation import Invocation
from heartrule_cli.chat.chat_end import ChatEnd, ChatOutcome, closing_lines
from tests.support.wire_samples import STATE

HERE = Invocation(program="heartrule")


def closing(end: ChatEnd) -> list[str]:
    return list(map(str, closing_lines(end, STATE, "ses_1", HERE)))


def test_the_scripts_end_names_the_way_to_read_it_again() -> None:
    """Nothing more can be said, much can be looked at."""
    assert closing(ChatEnd(how=ChatOutcome.COMPLETED)) == [
        "the script is at its end · heartrule show ses_1"
    ]


def test_lines_left_after_the_scripts_end_are_reported() -> None:
    """Each is named, so that nobody believes it was heard."""
    lines = closing(ChatEnd(how=ChatOutcome.COMPLETED, unsent=("还有", "一句")))
    assert lines[1:] == ["not sent, since the script had ended: 2 lines", "  还有", "  一句"]


def test_many_lines_left_are_counted_and_not_all_listed() -> None:
    """A long file does not bury the conversation."""
    lines = closing(ChatEnd(how=ChatOutcome.COMPLETED, unsent=tuple(map(str, range(100)))))
    assert (len(lines), lines[1], lines[-1]) == (
        23,
        "not sent, since the script had ended: 100 lines",
        "  …",
    )


def test_lines_that_end_early_tell_where_the_session_waits() -> None:
    """And what to type to go on."""
    assert closing(ChatEnd(how=ChatOutcome.LINES_ENDED)) == [
        "the input ended; the session waits at rapport › names › ask_name · round 1 of 3",
        "go on with: heartrule run --session ses_1",
    ]
