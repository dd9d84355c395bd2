"""A recovery that was late beside other faults is measured again alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import cast

import pytest

from tests.chaos import command
from tests.chaos.options import DEFAULT, Options
from tests.chaos.result import Result
from tests.chaos.world import World


def late_row(what: str) -> Result:
    """Return a row with one recovery, a thousand seconds beyond any limit."""
    row = Result(fault="kill -9", database="sqlite", what=what, limit_s=0.0)
    row.recovered(1e9)
    return row


@pytest.mark.parametrize("is_late_again", [True, False])
async def test_a_late_recovery_is_a_violation_if_it_is_late_alone(
    monkeypatch: pytest.MonkeyPatch, *, is_late_again: bool
) -> None:
    """The row runs again by its place and database; what it takes then decides."""

    async def fault(_: World, options: Options) -> AsyncIterator[Result]:
        assert (options.points, options.databases) == (("mid_stream",), ("sqlite",)), "alone"
        row = late_row("mid_stream")
        yield row if is_late_again else replace(row, late=[])

    monkeypatch.setattr(command, "fault", lambda _: fault)
    first, results = late_row("mid_stream"), list[Result]()
    await command.measure_alone(cast("World", None), "kill", first, DEFAULT, results)
    assert not first.violations
    assert bool(results[0].violations) is is_late_again
