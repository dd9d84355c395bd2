"""The exit table: every combination of what can ask for an exit, against document 001's words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, product

import pytest

from executor_service.exits.decision import judge_exit
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.exits.policy import EffectiveExitPolicy
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from heartrule.domain.exits import DecisionSource, ExitReason

SOURCES = tuple(DecisionSource)
"""In the order of document 001 section 3.2.1: the first that is enabled and asks decides."""
SUBSETS = tuple(chain.from_iterable(combinations(SOURCES, n) for n in range(len(SOURCES) + 1)))
HELD_BACK = {DecisionSource.EXIT_CRITERIA, DecisionSource.LLM_SUGGESTION}
"""What min_rounds holds back; never the last round or an explicit EXIT (RESOLUTIONS C7)."""
ROUND, MAX_ROUNDS = 4, 4
EXISTS = CustomCondition(variable="x", operator=ConditionOperator.EQUAL, value="有")


@dataclass(frozen=True, slots=True)
class Case:
    """Who asks, who may, and what stands in the way."""

    asking: frozenset[DecisionSource]
    enabled: frozenset[DecisionSource]
    too_few_rounds: bool
    client_spoke: bool

    def oracle(self) -> DecisionSource | None:
        """Return who decides, as document 001 and its resolutions say; None: the action goes on."""
        if not self.client_spoke:
            return None
        for source in SOURCES:
            held = self.too_few_rounds and source in HELD_BACK
            if source in self.asking & self.enabled and not held:
                return source
        return None

    def inputs(self) -> ExitInputs:
        """Return the facts of a round in which exactly these sources ask."""
        return ExitInputs(
            round=ROUND,
            max_rounds=MAX_ROUNDS if DecisionSource.MAX_ROUNDS in self.asking else MAX_ROUNDS + 1,
            policy=EffectiveExitPolicy(supports_exit=True, enabled_sources=self.enabled),
            exit_flag=DecisionSource.EXIT_FLAG in self.asking,
            should_exit=DecisionSource.LLM_SUGGESTION in self.asking,
            client_has_spoken=self.client_spoke,
            criteria=ExitCriteria(
                min_rounds=ROUND + 1 if self.too_few_rounds else ROUND,
                custom_conditions=(EXISTS,),
            ),
            lookup={"x": "有" if DecisionSource.EXIT_CRITERIA in self.asking else "无"}.get,
        )


CASES = [
    Case(frozenset(asking), frozenset(enabled), few, spoke)
    for asking, enabled, few, spoke in product(SUBSETS, SUBSETS, (False, True), (False, True))
]


@pytest.mark.parametrize("enabled", SUBSETS, ids=lambda names: "+".join(names) or "none")
def test_exit_table(enabled: tuple[DecisionSource, ...]) -> None:
    """The first enabled source that asks decides; silence of the client and min_rounds hold."""
    mine = [case for case in CASES if case.enabled == frozenset(enabled)]
    wrong = [
        case for case in mine if judge_exit(case.inputs()).decision.decision_source != case.oracle()
    ]
    assert (len(mine), wrong) == (64, [])


@pytest.mark.parametrize("spoke", [True, False])
def test_an_exit_has_a_reason_and_a_class(*, spoke: bool) -> None:
    """should_exit, the source, a readable reason and the classification go together."""
    for case in (one for one in CASES if one.client_spoke is spoke):
        found = judge_exit(case.inputs())
        exits = found.decision.decision_source is not None
        assert (found.decision.should_exit, bool(found.decision.reason)) == (exits, exits)
        assert (found.exit_reason is not None) == exits
        if found.decision.decision_source is DecisionSource.MAX_ROUNDS:
            assert found.exit_reason is ExitReason.MAX_ROUNDS_REACHED
