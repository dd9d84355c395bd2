"""The line that the log has of each turn that ended."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from executor_service.turns.turn_log import TurnLog
from heartrule.chassis.logs import facts
from heartrule.domain.events import Outcome
from tests.support.engine_builders import before_the_script
from tests.support.store_builders import call, judged, said, step


def test_a_turn_is_told_in_figures_and_ids(caplog: pytest.LogCaptureFixture) -> None:
    """Rounds, calls and tokens are those of all its steps; nobody's words are among them."""
    snapshot = before_the_script()
    used = replace(call("c1"), prompt_tokens=200, completion_tokens=30)
    log = TurnLog(action="ask_name")
    log.saw_step(replace(step(snapshot, said("你好，小明")), calls=(used, used)))
    log.saw_step(replace(step(snapshot), result=judged(), calls=(used,)))
    with caplog.at_level(logging.INFO):
        log.tell(Outcome.WAITING)
    told = facts(caplog.records[0])
    first, took = told.pop("first_text_ms"), told.pop("took_ms")
    assert isinstance(first, int)
    assert isinstance(took, int)
    assert 0 <= first <= took
    assert told.pop("action")
    assert told == {
        "outcome": "waiting", "rounds": 1, "model_calls": 3,
        "prompt_tokens": 600, "completion_tokens": 90,
    }  # fmt: skip
