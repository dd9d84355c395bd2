"""Filters and orders as callers write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.request_limits import LONGEST_FILTER
from heartrule.domain.safety import SafetyLevel
from session_store.sql.lists.list_filter import (
    NUMBER,
    TEXT,
    TIME,
    TRUTH,
    Comparison,
    parse_filter,
    parse_order,
    words,
)

FIELDS = {
    "user_id": TEXT,
    "create_time": TIME,
    "priority": NUMBER,
    "status": words(ExecutionStatus),
    "level": words(SafetyLevel),
    "had_failure": TRUTH,
    "labels": TEXT,
}


def one(text: str) -> tuple[str, str, object]:
    """Return the only comparison of a filter."""
    (found,) = parse_filter(text, FIELDS)
    return found.field, found.operator, found.value


def refused(text: str) -> str:
    """Return what is said of a filter that is none."""
    with pytest.raises(InvalidRequest) as error:
        parse_filter(text, FIELDS)
    (violation,) = error.value.violations
    assert violation.field == "filter"
    return violation.description


def test_comparisons_are_joined_by_and() -> None:
    """In any spacing; a blank filter compares nothing."""
    found = parse_filter(' user_id="a b" AND\n priority>=2  AND labels.研究 != x ', FIELDS)
    assert [(each.field, each.operator, each.value) for each in found] == [
        ("user_id", "=", "a b"), ("priority", ">=", 2), ("labels", "!=", "x"),
    ]  # fmt: skip
    assert parse_filter(" \n", FIELDS) == ()


def test_values_have_the_type_of_their_field() -> None:
    """Times with an offset, words in capitals or not, levels in their order."""
    assert one('create_time < "2026-11-01T00:00:00Z"')[2] == datetime(2026, 11, 1, tzinfo=UTC)
    assert one("status = WAITING_INPUT") == one("status = waiting_input")
    assert one("level >= crisis") == ("level", ">=", 4)
    assert one("had_failure = TRUE") == ("had_failure", "=", True)


def test_a_label_is_asked_for_by_name() -> None:
    """With a value, or with any."""
    assert parse_filter("labels.study = autumn AND labels:seen", FIELDS) == (
        Comparison(field="labels", operator="=", value="autumn", label="study"),
        Comparison(field="labels", operator=":", value="seen", label="seen"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "' OR 1=1 --",
        '"; DROP TABLE sessions; --',
        "%_\\",
        "好\u202e🦊",
        "a\nb",
        "it's",
        "x" * 3_000,
    ],
)
def test_a_quoted_text_is_data(text: str) -> None:
    """Whatever it looks like; quotes and backslashes within it are escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    assert one(f'user_id = "{escaped}"')[2] == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("nobody = 1", 1),
        ("user_id = a OR user_id = b", 13),
        ("user_id = a user_id = b", 13),
        ("NOT user_id = a", 5),
        ("(user_id = a)", 1),
        ("(" * 4_000, 1),
        ("user_id", 8),
        ("user_id =", 10),
        ("user_id = a AND", 16),
        ('user_id = "open', 11),
        ("user_id > a", 9),
        ("user_id : a", 9),
        ("user_id = a; DROP", 14),
        ("user_id = 'a\x00'", 11),
        ("status = asleep", 10),
        ("had_failure = yes", 15),
        ("had_failure > true", 13),
        ("create_time > 2026-11-01", 15),
        ("priority = 99999999999", 12),
        ("priority = １", 12),
        ("labels = a", 1),
        ("labels.a.b = c", 1),
        ("labels.a > c", 10),
        (" AND ".join(["priority = 1"] * 33), 545),
    ],
)
def test_what_is_no_filter_is_refused_with_its_place(text: str, place: int) -> None:
    """Counted in characters from 1."""
    assert refused(text).startswith(f"character {place}: ")


def test_a_very_long_filter_is_refused() -> None:
    """Before it is read."""
    assert refused("x" * (LONGEST_FILTER + 1)) == "must have at most 4096 characters"


def test_an_order_is_a_field_and_its_direction() -> None:
    """The smallest first, unless `desc` is said."""
    assert parse_order(" create_time ", {"create_time"}) == ("create_time", False)
    assert parse_order("create_time desc", {"create_time"}) == ("create_time", True)


@pytest.mark.parametrize("text", ["status", "create_time up", "create_time, status", "1; DROP"])
def test_any_other_order_is_refused(text: str) -> None:
    """The field of the request is named."""
    with pytest.raises(InvalidRequest) as error:
        parse_order(text, {"create_time"})
    assert [each.field for each in error.value.violations] == ["order_by"]
