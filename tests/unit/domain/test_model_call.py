"""Records of model calls."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.domain.problem import Degradation
from tests.support.store_builders import call


@pytest.mark.parametrize(
    ("facts", "crowded"),
    [
        ({}, False),
        ({"budget_tokens": 100, "estimated_tokens": 75}, False),
        ({"budget_tokens": 100, "estimated_tokens": 76}, True),
        ({"cuts": (Degradation.of("prompt", "HISTORY_LEFT_OUT"),)}, True),
        ({"cuts": (Degradation.of("prompt", "HISTORY_SUMMARIZED"),)}, False),
        ({"cuts": (Degradation.of("prompt", "REPLY_CUT"),)}, False),
    ],
)
def test_a_prompt_is_crowded(facts: dict[str, Any], crowded: bool) -> None:  # noqa: FBT001 - a table column
    """It is above three quarters of its budget, or where earlier messages give way."""
    assert call(**facts).crowded is crowded
