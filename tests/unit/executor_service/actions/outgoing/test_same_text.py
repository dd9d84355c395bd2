"""A text that was said before, by the client or by the assistant."""

from __future__ import annotations

import pytest

from executor_service.actions.outgoing.same_text import EarlierTexts, SameText
from executor_service.actions.outgoing.text_fault import TextFault

EARLIER = EarlierTexts(client=("我叫小鱼",), said=("怎么称呼你？", "好，我记下了。"))


def passed(*pieces: str) -> tuple[list[str], TextFault | None]:
    """Return what leaves with each piece, then at the end, and what is wrong."""
    same = SameText(EARLIER)
    left = [same.feed(each) for each in pieces]
    rest, fault = same.finish()
    return [*left, rest], fault


@pytest.mark.parametrize(
    ("pieces", "left", "fault"),
    [
        (("我叫", "小鱼。"), ["", "", ""], TextFault.ECHO),
        (
            (
                "「怎么",
                "称呼 你」",
            ),
            ["", "", ""],
            TextFault.REPETITION,
        ),
        (("怎么", "说呢，", "称呼"), ["", "怎么说呢，", "称呼", ""], None),
        (("怎么称呼你", "？可以", "不说"), ["", "怎么称呼你？可以", "不说", ""], None),
        (("好，", "我记下了。"), ["", "", "好，我记下了。"], None),
        (("我叫",), ["", "我叫"], None),
        (("……",), ["", "……"], None),
    ],
)
def test_a_text_waits_while_it_may_be_an_earlier_one(
    pieces: tuple[str, ...], left: list[str], fault: TextFault | None
) -> None:
    """Equal but for spaces and punctuation does not leave; a short acknowledgement may recur."""
    assert passed(*pieces) == (left, fault)
