"""What a YAML file may be: its limits, and what they protect from."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.loading.yaml_reader import MAX_DEPTH, MAX_FILE_BYTES
from executor_service.scripts.model.findings import MAX_FINDINGS

Load = Callable[..., LoadResult]

REFUSED = [
    (b"session: &s\n  session_id: x\n  phases: 3\n", "1:10", "anchors (&s) are not supported"),
    (b"session:\n  session_id: *s\n  phases: 3\n", "2:15", "aliases (*s) are not supported"),
    (
        b"session:\n  session_id: !!str 3\n  phases: 3\n",
        "2:15",
        "'!!str' is text, put it in quotes",
    ),
    (b"session:\n  session_id: !x\n  phases: 3\n", "2:15", "'!x' is text, put it in quotes"),
    (b"session:\n  session_id: .nan\n  phases: 3\n", "2:15", ".nan is no number"),
    (b"session:\n  session_id: 1e999\n  phases: 3\n", "2:15", "too large"),
    (b"session:\n  session_id: 110101199003078888\n  phases: 3\n", "2:15", "kept exactly"),
    (b"session:\n  session_id: a\n  session_id: b\n  phases: 3\n", "3:3", "first is in line 2"),
    (b"session:\n  session_id: a\n  'session_id': b\n  phases: 3\n", "3:3", "stands here twice"),
]


@pytest.mark.parametrize(("data", "place", "said"), REFUSED)
def test_what_yaml_has_beyond_plain_data_is_refused_and_the_rest_is_checked(
    load: Load, data: bytes, place: str, said: str
) -> None:
    """Anchors, aliases, tags, unsafe numbers and duplicates are errors; reading goes on."""
    first, second = load(data).errors
    assert f"s.yaml:{place}" == first.where
    assert said in first.message
    assert "`phases` is the number 3" in second.message


UNREADABLE = [
    (b"x" * (MAX_FILE_BYTES + 1), "1:1", "the file has 1,048,577 bytes; at most 1,048,576"),
    (b"session:\n  \xff\xfe\n", "2:3", "not UTF-8 text"),
    ("session:\n  名称: \x07\n".encode(), "2:7", "the character U+0007 may not stand here"),
    (b"[" * (MAX_DEPTH + 1), f"1:{MAX_DEPTH + 1}", "nested deeper than 32 levels"),
    (b"session: 1\n---\nsession: 2\n", "2:1", "a file holds one"),
    (b"session:\n\tsession_id: x\n", "2:1", "indent with spaces"),
    ("session:\n  session_id： x\n  phases: []\n".encode(), "2:13", "half-width colon"),
    (
        "session:\n  description: {称呼}，好\n".encode(),
        "2:20",
        "begins with { must stand in quotes",
    ),
    ("session:\n  description: {%称呼%}\n".encode(), "2:17", "begins with { must stand in quotes"),
    ("session:\n  description: **重\n".encode(), "2:17", "begins with * must stand in quotes"),
    (
        "session:\n  description: 他说: 好\n".encode(),
        "2:18",
        "with `: ` in it must stand in quotes",
    ),
    ('session:\n  description: "说"好""\n'.encode(), "2:20", "stands inside the quoted text"),
    (b"session:\n  description: 'x\n", "3:1", "never closed"),
    (b"session:\n  phases: - a\n", "2:11", "must begin a line of its own"),
    (b"session:\n  session_id: x\n phases: []\n", "3:2", "look at indentation"),
    (b"session:\n  session_id: x\n    phases: []\n", "3:11", "indented too far"),
]


@pytest.mark.parametrize(("data", "place", "said"), UNREADABLE)
def test_a_file_that_is_not_readable_gives_one_piece_of_advice(
    load: Load, data: bytes, place: str, said: str
) -> None:
    """Where nothing more can be read, one error tells a person without YAML what to change."""
    (error,) = load(data).findings
    assert said in error.message
    if "quoted text" not in said and "closed" not in said:
        assert f"s.yaml:{place}" == error.where


def test_a_bomb_of_aliases_is_never_expanded(load: Load) -> None:
    """Nine aliases of nine aliases of … cost what their 306 bytes cost, and are errors."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    lines += [
        f"{b}: &{b} [{','.join(['*' + a] * 9)}]"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    tracemalloc.start()
    result = load("\n".join(lines))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(result.errors) >= 9 + 72
    assert peak < 1_000_000


def test_findings_are_counted_not_hoarded(load: Load) -> None:
    """A file of nothing but mistakes gives a thousand of them, and one that says so."""
    result = load("session:\n" + "  a: 1\n" * 50_000)
    assert len(result.findings) == MAX_FINDINGS + 1
    assert "too many findings" in result.findings[-1].message


def test_more_than_five_thousand_actions_are_refused(load: Load) -> None:
    """The action after the 5,000th is where the error stands, and reading stops there."""
    action = "      - {action_type: ai_say, action_id: a%d, goal: x}\n"
    head = "session:\n  session_id: s\n  phases:\n  - phase_id: p\n    topics:\n"
    topic = "    - topic_id: t\n      actions:\n"
    text = head + topic + "".join(action % index for index in range(5_001))
    (error,) = load(text).errors
    assert (error.line, error.message) == (7 + 5_001, "more than 5,000 actions; split the script")


def test_a_byte_order_mark_and_windows_line_ends_change_no_place(load: Load) -> None:
    """Files of other editors are read, and lines and columns are those an editor shows."""
    (error,) = load("\ufeffsession:\r\n  session_id: 中 文\r\n  phases: 3\r\n".encode()).errors[:1]
    assert error.where == "s.yaml:2:15"
