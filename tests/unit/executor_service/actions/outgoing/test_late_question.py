"""Questions at the end of a text that ends its action."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.actions.outgoing.late_question import LateQuestion

PARTS = st.lists(
    st.sampled_from(
        [
            "好的，",
            "谢谢你。",
            "你多大了？",
            "睡得怎么样？！",
            "嗯",
            "I see. ",
            "How old?",
            "\n",
            "3.5",
        ]
    ),
    max_size=6,
).map("".join)


def passed(
    text: str, *, ends: bool, size: int = 1, said: frozenset[str] = frozenset()
) -> tuple[str, str]:
    """Return what leaves of a text that comes in pieces, and what is cut."""
    late = LateQuestion(may_end=True, said_before=said.__contains__)
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    left = "".join(map(late.feed, pieces)) + late.finish()
    return left + (late.settle(ends=ends) if late.waits else ""), late.cut


@pytest.mark.parametrize(
    ("text", "left", "cut"),
    [
        ("谢谢你。那你多大了？", "谢谢你。", "那你多大了？"),
        ("谢谢你。睡得怎么样？什么时候开始的？", "谢谢你。", "睡得怎么样？什么时候开始的？"),
        ("好的，那睡得怎么样", "好的。", "，那睡得怎么样"),
        ("Thanks, how old are you?", "Thanks.", ", how old are you?"),
        ("你多大了？", "", "你多大了？"),
        ("你好吗？我在听。", "你好吗？我在听。", ""),
        ("好，我记下了。", "好，我记下了。", ""),
    ],
)
def test_a_text_that_ends_its_action_is_cut_behind_its_last_statement(
    text: str, left: str, cut: str
) -> None:
    """An acknowledgement before the question stays, and is closed."""
    assert passed(text, ends=True) == (left, cut)


@given(
    text=PARTS,
    size=st.integers(1, 9),
    ends=st.booleans(),
    said=st.frozensets(st.sampled_from(["好的", "谢谢你。", "I see. "])),
)
def test_pieces_change_nothing(text: str, size: int, said: frozenset[str], *, ends: bool) -> None:
    """However a text is cut into pieces, the same leaves; where the action goes on, all of it."""
    whole = passed(text, ends=ends, size=len(text) or 1, said=said)
    assert passed(text, ends=ends, size=size, said=said) == whole
    assert passed(text, ends=False, size=size, said=said) == (text, "")


@pytest.mark.parametrize("text", ["谢谢你。你多大了？", "好的，你多大了？"])
def test_an_acknowledgement_that_was_a_message_before_goes_with_its_question(text: str) -> None:
    """Else the client would read it again, and nothing else."""
    said = frozenset({"谢谢你。", "好的"})
    assert passed(text, ends=True, said=said) == ("", text)
    assert passed("谢谢你。", ends=True, said=said) == ("谢谢你。", "")


def test_a_statement_leaves_as_soon_as_it_is_over() -> None:
    """Only what may be a question waits."""
    late = LateQuestion(may_end=True)
    assert [late.feed(each) for each in ("谢谢", "你。", "那你", "多大了？")] == [
        "",
        "",
        "谢谢你。",
        "",
    ]


def test_nothing_waits_where_the_action_goes_on_anyhow() -> None:
    """An opening, and a round that cannot end, are streamed as they come."""
    late = LateQuestion(may_end=False)
    assert (late.feed("多大"), late.feed("了？"), late.finish(), late.waits) == (
        "多大",
        "了？",
        "",
        False,
    )
