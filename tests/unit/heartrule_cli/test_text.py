"""What a terminal may be given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule_cli.text import clean, one_line, rows, width, wrapped


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("小明，你好。", "小明，你好。"),
        ("a\x1b[31mred\x1b[0m", "a[31mred[0m"),
        ("\x1b]0;title\x07", "]0;title"),
        ("one\r\ntwo\x0bthree", "one\ntwothree"),
        ("\x9b31m\x90", "31m"),
        ("a\tb", "a    b"),
        ("up\u2028down", "up\ndown"),
        ("\u202egnp.exe", "gnp.exe"),
        ("half \ud83d pair", "half \ufffd pair"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("全角\u3000空格", "全角\u3000空格"),
    ],
)
def test_what_steers_a_terminal_is_left_out(raw: str, safe: str) -> None:
    """Escape, bell, C1 and reordering signs never reach the terminal; words and emoji do."""
    assert clean(raw) == safe


@given(st.lists(st.text()))
def test_cleaning_pieces_gives_the_clean_whole(pieces: list[str]) -> None:
    """A draft cleaned piece by piece equals the message cleaned at once."""
    assert "".join(map(clean, pieces)) == clean("".join(pieces))


@given(st.text(alphabet=st.characters()))
def test_clean_text_has_no_control_characters(text: str) -> None:
    """Whatever a model writes, only line breaks are left of what is not printed."""
    assert all(sign == "\n" or ord(sign) >= 32 for sign in clean(text))
    assert "\x7f" not in clean(text)


def test_one_line_is_one_line() -> None:
    """A table's cell never breaks its row."""
    assert one_line("一\n二\r\n") == "一⏎二⏎"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("小明", 4), ("，", 2), ("e\u0301", 1), ("é", 1), ("😀", 2), ("", 0)],
)
def test_chinese_signs_are_two_columns_wide(text: str, columns: int) -> None:
    """Width is what a terminal shows, not what Python counts."""
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("", 10, 1),
        ("1234567890", 10, 1),
        ("12345678901", 10, 2),
        ("小明小明小", 10, 1),
        ("a小明小明小", 10, 2),
        ("123456789小", 10, 2),
        ("一\n\n二", 10, 3),
    ],
)
def test_rows_follow_the_terminals_wrapping(text: str, columns: int, expected: int) -> None:
    """A wide sign that does not fit at the end of a row goes to the next."""
    assert rows(text, columns) == expected


def test_chinese_is_wrapped_by_its_columns() -> None:
    """Between signs, with stops and brackets beside what they belong to."""
    told = wrapped("给人看（text），给程序用（json）", 14)
    assert told == ["给人看", "（text），给程", "序用（json）"]
    assert wrapped("one two  three", 8) == ["one two", "three"]


@given(st.text(), st.integers(2, 40))
def test_nothing_is_lost_by_wrapping(text: str, columns: int) -> None:
    """Only blanks are."""
    assert "".join("".join(wrapped(text, columns)).split()) == "".join(text.split())
