"""The list of conversations."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from heartrule.v1 import execution_pb2, session_pb2
from heartrule_cli.commands.sessions import SessionFilter, label_filter, session_lines
from heartrule_cli.failure import Failure
from heartrule_cli.style import Style
from session_store.sql.lists.list_fields import SESSION_FIELDS
from session_store.sql.lists.list_filter import parse_filter

WAITING = execution_pb2.EXECUTION_STATUS_WAITING_INPUT


def session(
    script: str = "greeting", title: str = "问候", status: execution_pb2.ExecutionStatus = WAITING
) -> session_pb2.Session:
    made = session_pb2.Session(session_id="ses_1", script_id=script, title=title, status=status)
    made.create_time.FromDatetime(datetime(2026, 11, 28, 12, tzinfo=UTC))
    return made


@pytest.mark.parametrize(
    ("wanted", "takes"),
    [
        (SessionFilter(), True),
        (SessionFilter(script="greeting"), True),
        (SessionFilter(script="greeting.yaml"), True),
        (SessionFilter(script="问"), True),
        (SessionFilter(script="greet"), False),
        (SessionFilter(status="waiting_input"), True),
        (SessionFilter(status="completed"), False),
        (SessionFilter(since=date(2026, 11, 27), until=date(2026, 11, 29)), True),
        (SessionFilter(since=date(2026, 11, 30)), False),
        (SessionFilter(until=date(2026, 11, 26)), False),
    ],
)
def test_a_filter_takes_what_all_its_parts_take(wanted: SessionFilter, *, takes: bool) -> None:
    """A script by its whole id or a part of its name for people; both days are included."""
    assert wanted.takes(session()) is takes


def test_names_stand_first_and_columns_below_each_other() -> None:
    """A Chinese sign takes two columns of a terminal; the id, which nobody reads, is last."""
    lines = list(session_lines([session(), session("x", "")], Style(colours=False)))
    assert [line.split()[0] for line in lines] == ["NAME", "问候", "–"]
    assert lines[0].index("SCRIPT") == lines[1].index("greeting") + 2
    assert lines[1].endswith("ses_1")


def test_a_name_of_a_script_steers_no_terminal() -> None:
    """It is data: an escape sequence in it is not sent."""
    (_, line) = session_lines([session(title="\x1b[31mred\n")], Style(colours=False))
    assert "\x1b" not in line
    assert "\n" not in line


def test_labels_become_a_filter_of_the_contract() -> None:
    """A value is data: its quotes and backslashes end nothing; a name alone takes any value."""
    values = ['a"b', "c\\", "x = 1 AND y"]
    written = label_filter([*(f"研究={value}" for value in values), "seen"])
    types = {name: field.type for name, field in SESSION_FIELDS.items()}
    found = [(each.label, each.value) for each in parse_filter(written, types)]
    assert found == [*(("研究", value) for value in values), ("seen", "seen")]
    assert label_filter([]) == ""


def test_a_label_without_a_name_is_refused() -> None:
    """Before any executor is asked."""
    with pytest.raises(Failure, match="is no label"):
        label_filter(["=autumn"])
