"""`safety` of a script and `safety_item` of a field."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.fields import FieldType, FormField

Load = Callable[..., LoadResult]
SCRIPT = """
session:
  session_id: s
  safety: {safety}
  phases:
    - phase_id: p
      topics:
        - topic_id: t
          actions: [{{action_type: ai_say, action_id: a, config: {{content: 你好}}}}]
"""


def written(safety: str) -> bytes:
    """Return a script with that value of `safety`."""
    return SCRIPT.format(safety=safety).encode()


def test_a_reason_is_needed_to_opt_out(load: Load) -> None:
    """A script without the crisis path says why."""
    (error,) = load(written("{mode: off}")).errors
    assert "`safety` needs `reason`" in error.message


@pytest.mark.parametrize(
    ("safety", "reason"), [("{mode: off, reason: a game}", "a game"), ("{mode: on}", "")]
)
def test_the_reason_is_kept(load: Load, safety: str, reason: str) -> None:
    """The reason stands in the script, and only where the path is off."""
    script = load(written(safety)).script
    assert script is not None
    assert script.safety.opt_out == reason


@pytest.mark.parametrize(
    ("value", "counts"),
    [(0, False), (1, True), (True, False), ("almost never", False), (None, False)],
)
def test_answers_that_count(value: int | str | None, counts: bool) -> None:  # noqa: FBT001
    """A value counts where `safety_values` names it, as it is typed."""
    item = FormField(
        name="x", type=FieldType.SCALE, safety_item=True, safety_values=("1", "2", "3", "often")
    )
    assert item.counts(value) is counts
