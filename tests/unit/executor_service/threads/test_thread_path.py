"""Paths of sub-threads: what is one, and what is refused (003-3.1; RESOLUTIONS T1, T2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.threads.thread_errors import InvalidThreadPath
from executor_service.threads.thread_path import MAIN, ThreadPath

NUMBERS = st.lists(st.integers(min_value=0, max_value=99_999), min_size=1, max_size=8)
ONE = "messages.1.meta._thread"


@given(NUMBERS)
def test_a_path_is_written_and_read_back(numbers: list[int]) -> None:
    """T1: a path is `messages.N.meta._thread`, repeated with dots, and a tuple of its numbers."""
    path = ThreadPath(tuple(numbers))
    assert ThreadPath.parse(str(path)) == path
    assert str(path).count("_thread") == path.depth == len(numbers)


@pytest.mark.parametrize(
    ("text", "segment"),
    [
        ("", 0),
        ("messages", 1),
        ("messages.1.meta", 3),
        (f"{ONE}.settings", 4),
        (f"{ONE}.", 4),
        (f".{ONE}", 0),
        ("messages.-1.meta._thread", 1),
        ("messages.01.meta._thread", 1),
        ("messages.1e3.meta._thread", 1),
        ("messages.+1.meta._thread", 1),
        ("messages. 1.meta._thread", 1),
        ("messages.１.meta._thread", 1),
        ("messages.4294967296.meta._thread", 1),
        (f"messages.{'9' * 300}.meta._thread", 1),
        ("messages.__class__.meta._thread", 1),
        ("messages.1.meta.__class__", 3),
        ("__class__", 0),
        ("messages[1].meta._thread", 0),
        (f"{ONE}.{ONE}x", 7),
        (f"{ONE}\n", 3),
        (".".join([ONE] * 9), 32),
        ("x" * 10_000_000, 0),
    ],
)
def test_anything_else_is_refused_with_its_place(text: str, segment: int) -> None:
    """T2: a bad path is an error that names the part which is wrong, and stays short."""
    with pytest.raises(InvalidThreadPath) as refused:
        ThreadPath.parse(text)
    assert refused.value.metadata["segment"] == str(segment)
    assert len(refused.value.message) < 250


@pytest.mark.parametrize("value", [None, 3, [ONE], {"messages": 1}])
def test_a_path_is_a_text(value: object) -> None:
    """T2: what is no text is no path."""
    with pytest.raises(InvalidThreadPath):
        ThreadPath.parse(value)  # type: ignore[arg-type]


@given(st.text(alphabet="mesag.0123-_thrd", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    """T2: any text is a path that is written alike, or refused."""
    try:
        path = ThreadPath.parse(text)
    except InvalidThreadPath:
        return
    assert str(path) == text


def test_no_text_leads_to_the_main_thread() -> None:
    """003-3.1: the main thread is passed on itself, so no path leads to it."""
    assert (MAIN.depth, MAIN.is_main, str(MAIN)) == (0, True, "")
    assert str(MAIN.below(3).below(0)) == "messages.3.meta._thread.messages.0.meta._thread"
