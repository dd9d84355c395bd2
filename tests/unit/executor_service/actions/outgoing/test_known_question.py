"""A question for what the client has told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.actions.outgoing.known_question import (
    NOTHING_ASKED,
    AskedOutput,
    AskedOutputs,
    KnownQuestion,
)

ASKED = AskedOutputs(
    outputs=(
        AskedOutput(name="低落", label="感到心情低落、沮丧或绝望", steps=("不会", "好几天")),
        AskedOutput(name="睡眠", label="入睡困难、睡不安稳，或睡得太多", question="入睡困难"),
    ),
    held={"低落": 1},
)
INSTEAD = "想再听你说说：入睡困难"


def passed(text: str, *, size: int = 3) -> tuple[str, str]:
    """Return what leaves of a text in pieces, and the question that does not."""
    known = KnownQuestion(ASKED, INSTEAD)
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    return "".join(map(known.feed, pieces)) + known.finish(), known.replaced


def test_it_gives_way_with_all_that_follows() -> None:
    """What came before it stays."""
    text = "谢谢你。感到心情低落，有多少天？随便说说就好。"
    assert passed(text) == (f"谢谢你。{INSTEAD}", "感到心情低落，有多少天？")


@pytest.mark.parametrize(
    "text",
    [
        "感到心情低落和入睡困难，有多少天？",
        "感到心情低落有好几天，对吗？",
        "你想把感到心情低落那一题改成几？",
        "你说感到心情低落，我记下了。",
        "最近怎么样？",
        "沮丧吗？",
    ],
)
def test_only_a_question_for_what_is_known_alone_gives_way(text: str) -> None:
    """One that also asks for what is missing, names the value, or offers a change stays."""
    assert passed(text) == (text, "")


def test_where_nothing_is_told_all_passes_as_it_comes() -> None:
    """An action of which nothing is known costs no waiting."""
    assert KnownQuestion(NOTHING_ASKED, INSTEAD).feed("感到心情") == "感到心情"


def test_what_is_asked_is_the_first_that_is_missing() -> None:
    """A form asks by item from the first on; a question of several outputs once one is known."""
    none = AskedOutputs(outputs=ASKED.outputs)
    first = AskedOutput(name="低落", label="低落", question="心情")
    assert (none.question, ASKED.question) == ("", "入睡困难")
    assert AskedOutputs(outputs=(first,), by_item=True).question == "心情"
    assert ASKED.after({"睡眠": 2}).question == ""


@given(
    parts=st.lists(
        st.sampled_from(["谢谢。", "感到心情低落，几天？", "你好吗？", "I see. ", "入睡困难几天？"])
    ),
    size=st.integers(1, 9),
)
def test_pieces_change_nothing(parts: list[str], size: int) -> None:
    """However a text is cut into pieces, the same leaves."""
    text = "".join(parts)
    assert passed(text, size=size) == passed(text, size=len(text) or 1)


def test_a_short_label_that_is_missing_keeps_its_question() -> None:
    """A question that names it asks for it, beside what is known."""
    asked = AskedOutputs(
        outputs=(
            AskedOutput(name="a", label="睡眠质量"),
            AskedOutput(name="b", label="情绪", question="情绪"),
        ),
        held={"a": "差"},
    )
    assert not asked.known_alone("睡眠质量对你的情绪有什么影响？")
    assert asked.known_alone("你的睡眠质量怎么样？")


def test_a_latin_label_is_found_as_words_and_not_inside_one() -> None:
    """`name` and `work` stand in too many questions, and `rage` in `courage`."""
    asked = AskedOutputs(
        outputs=(
            AskedOutput(name="name", label="name"),
            AskedOutput(name="c", label="inner rage"),
            AskedOutput(name="sleep_quality", label="sleep_quality"),
            AskedOutput(name="worry", label="worry", question="worry"),
        ),
        held={"name": "Tom", "c": "much", "sleep_quality": "bad"},
    )
    assert not asked.known_alone("Could you name the situation that weighs on you?")
    assert not asked.known_alone("What would dinner ragedly be?")
    assert asked.known_alone("And how is your sleep quality?")
