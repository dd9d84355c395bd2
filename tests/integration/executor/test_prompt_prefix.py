"""How much of a conversation's prompts a provider's prefix cache can serve."""

from __future__ import annotations

import pytest

from tests.support.prefix_play import served_over

TURNS = 100


@pytest.mark.parametrize(
    ("script", "prompts", "share"), [("bench", TURNS + 1, 0.85), ("alternate", 3 * TURNS // 2, 0.7)]
)
async def test_prompts_begin_as_the_ones_before(script: str, prompts: int, share: float) -> None:
    """Over a hundred turns a cache of whole blocks serves 85 % of the prompts' bytes.

    Where asks and says alternate, two messages of the client for three prompts, it serves 70 %.
    """
    served = await served_over(script, TURNS)
    assert served.prompts >= prompts
    assert served.served_bytes >= share * served.sent_bytes
