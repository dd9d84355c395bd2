"""Plain scalars follow YAML 1.2's core schema."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.loading.tree import UnsafeNumber, plain_value

Load = Callable[..., LoadResult]

TEXTS = [
    "on",
    "off",
    "yes",
    "no",
    "Yes",
    "NO",
    "y",
    "n",
    "2026-11-21",
    "12:30",
    "1_000",
    "0b1",
    "是",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_older_yaml_took_for_a_boolean_or_a_date_is_text(text: str) -> None:
    """on, off, yes, no, dates and times are just what was written."""
    assert text == plain_value(text)


VALUES = [
    ("true", True),
    ("False", False),
    ("null", None),
    ("~", None),
    ("", None),
    ("12", 12),
    ("-3", -3),
    ("010", 10),
    ("0o17", 15),
    ("0xff", 255),
    ("1.50", 1.5),
    ("1e3", 1000.0),
    ("9007199254740991", 2**53 - 1),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_core_scalars_have_their_types(text: str, value: object) -> None:
    """Booleans, null and numbers are recognised as YAML 1.2 spells them."""
    found = plain_value(text)
    assert (value, type(value)) == (found, type(found))


@pytest.mark.parametrize("text", [".inf", "-.INF", ".nan", "1e400", "9007199254740992", "9" * 5000])
def test_numbers_json_cannot_hold_exactly_are_refused(text: str) -> None:
    """An identity card's number would silently change its last digits, so it must be quoted."""
    with pytest.raises(UnsafeNumber, match="in quotes as text"):
        plain_value(text)


def test_quoted_scalars_are_always_text(load_session: Load) -> None:
    """Quotes take the meaning out of true, 3 and ~."""
    script = load_session("session_name: 'true'\ndescription: \"3\"\n").script
    assert script is not None
    assert (script.session_name, script.description) == ("true", "3")


def test_words_that_look_like_booleans_can_be_values(load_session: Load) -> None:
    """`no` as a first value stays the word the author wrote."""
    script = load_session("declare: [{var: a, value: no}, {var: b, value: 2026-11-21}]").script
    assert script is not None
    assert [made.value for made in script.declarations] == ["no", "2026-11-21"]
