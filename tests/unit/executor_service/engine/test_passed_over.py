"""Whether what is about to begin may begin."""

from __future__ import annotations

import pytest

from executor_service.engine.passed_over import admit
from executor_service.scripts.model.settings import OnError
from heartrule.domain.output_type import OutputType
from heartrule.domain.skipping import StepSkipped
from tests.support.engine_builders import known
from tests.support.plan_builders import condition

HERE = StepSkipped(phase_id="p1", topic_id="t1", action_id="a1", action_instance_id="act_1")
ADULT = condition("{年龄} >= 18", {"年龄": OutputType.NUMBER})
ADULT_OR_SKIP = condition("{年龄} >= 18", {"年龄": OutputType.NUMBER}, OnError.SKIP)


def test_nothing_asked_means_that_it_begins() -> None:
    """Most actions have no condition."""
    assert admit(None, HERE, known({})) == (None, None)


def test_a_condition_that_holds_lets_it_begin() -> None:
    """The variables that count are those visible here."""
    assert admit(ADULT, HERE, known({"年龄": 18})) == (None, None)


def test_a_condition_that_does_not_hold_skips_it() -> None:
    """The record names what was skipped and why, in the script's words."""
    skipped, degradation = admit(ADULT, HERE, known({"年龄": 17}))
    assert degradation is None
    assert skipped == StepSkipped(
        phase_id="p1",
        topic_id="t1",
        action_id="a1",
        action_instance_id="act_1",
        condition="{年龄} >= 18",
        reason="CONDITION_FALSE",
    )


@pytest.mark.parametrize(("values", "cause"), [({}, "NO_VALUE"), ({"年龄": "x"}, "WRONG_TYPE")])
def test_an_undecided_condition_runs_and_is_told(values: dict[str, str], cause: str) -> None:
    """By default what cannot be asked is no reason to leave an action out."""
    skipped, degradation = admit(ADULT, HERE, known(values))
    assert skipped is None
    assert degradation is not None
    assert degradation.reason == "CONDITION_UNDECIDED"
    assert degradation.metadata == {
        "phase_id": "p1",
        "action_id": "a1",
        "condition": "{年龄} >= 18",
        "cause": cause,
        "variable": "年龄",
        "on_error": "run",
    }


def test_the_author_may_have_it_skipped_instead() -> None:
    """`on_error: skip` skips for the evaluation's own reason; the degradation is told as well."""
    skipped, degradation = admit(ADULT_OR_SKIP, HERE, known({}))
    assert skipped is not None
    assert (skipped.reason, skipped.variable) == ("NO_VALUE", "年龄")
    assert degradation is not None
    assert degradation.metadata["on_error"] == "skip"
