"""The bench plays, is the same each time, and keeps the limits that stand beside it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conversations.command import play_all
from tests.conversations.measuring import sum_of
from tests.conversations.playing import Case, cases
from tests.conversations.table import MEASURES, figures

HERE = "tests/conversations/test_conversations.py"
# What the engine holds today, whatever the model does; a change that is worse than this is a step
# back, and one that is better writes its figure here.
LIMITS = {
    "asked_known": 0.02,
    "unawaited": 0,
    "late_exits": 0,
    "unsupported": 0,
    "repeated": 0.01,
    "echoed": 0,
    "advice_wrong": 75,
    "mismatched": 230,
    "concerned": 45,
    "alarmed": 0,
    "calls": 19.5,
    "prompt_tokens": 1_264,
    "reply_tokens": 82,
    "unfinished": 0,
}


async def counted(chosen: list[Case]) -> Counter[str]:
    return sum_of(list((await play_all(chosen)).values()))


async def test_a_bench_is_the_same_each_time() -> None:
    """Equal seeds give equal figures, and every conversation comes to its end."""
    few = cases(scripts=["greeting", "calm_down"], personas=["all-at-once", "silent", "english"])
    first, again = await counted(few), await counted(few)
    assert (first["conversations"], first["unfinished"]) == (48, 0)
    assert figures({"all": first}) == figures({"all": again})


@pytest.mark.timeout(1800)  # 576 conversations: fourteen minutes, where other tests run beside it
@pytest.mark.long(short=f"{HERE}::test_a_bench_is_the_same_each_time")
async def test_no_figure_is_worse_than_its_limit() -> None:
    """Twelve clients, six scripts and eight manners stay within what the engine holds."""
    counts = await counted(cases())
    found = {each.key: each.value(counts) for each in MEASURES if each.key in LIMITS}
    assert {name: value for name, value in found.items() if value > LIMITS[name]} == {}
