"""Outputs of other questions, and questions that are answered before they are put."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.engine.outputs_beside import MOST_AHEAD, outputs_beside
from executor_service.engine.passed_over import (
    CONFIRMED,
    SKIPPED,
    gathered_ahead,
    passed_over,
    when_known,
)
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import WhenKnown
from executor_service.variables.known import KnownValues, OutputsBeside
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import ValueSupport, VariableScope, VariableValue
from tests.support.engine_builders import (
    NOW,
    action_of_type,
    ask,
    phase,
    script,
    script_of,
    topic,
    waiting_at,
)
from tests.support.plan_builders import walking

STEP = StepSkipped(phase_id="p1", topic_id="t1", action_id="age")
SAID = VariableValue(
    name="岁数", value=30, type="number", scope=VariableScope.SESSION, source="name",
    last_updated=NOW, support=ValueSupport.CLIENT_WORDS, quote="三十",
)  # fmt: skip
AGE = ask("age", get=("岁数",))
UNASKED = KnownValues(script())


def beside(running: Script, *values: VariableValue) -> OutputsBeside:
    """Return what the first action of a script may hear besides its own outputs."""
    snapshot = waiting_at(running, variables=values)
    state = walking(running, snapshot)
    current = state.current()
    assert current is not None
    return outputs_beside(state, running, current[1])


def names(outputs: tuple[Output, ...]) -> list[str]:
    """Return their names."""
    return [output.get for output in outputs]


def test_later_questions_nearest_first() -> None:
    """Of the topic, then of later topics and phases; what is always asked is none of them."""
    always = changed(ask("safe", get=("安全",)), mandatory=True)
    rated = ask("rate", output=(Output(get="之后", ahead=False),))
    here = topic(ask("name"), always, rated, ask("job", get=("职业",)))
    there = phase(topic(ask("home", get=("住处",)), topic_id="t3"), phase_id="p2")
    running = script_of(phase(here, topic(AGE, topic_id="t2")), there)
    assert names(beside(running).later) == ["职业", "岁数", "住处"]


def test_what_is_known_may_be_corrected() -> None:
    """An output of the topic with a value of the client's is no later one."""
    found = beside(script_of(phase(topic(ask("name"), AGE))), SAID)
    assert (names(found.later), names(found.known)) == ([], ["岁数"])


def test_a_prompt_lists_a_dozen() -> None:
    """Sixty outputs of one question, and five hundred of later ones."""
    many = ask("many", get=tuple(f"v{n}" for n in range(60)))
    more = [topic(ask("q", get=(f"w{n}",)), topic_id=f"t{n}") for n in range(2, 502)]
    found = beside(script_of(phase(topic(ask("name"), many), *more)))
    assert names(found.later) == [f"v{n}" for n in range(MOST_AHEAD)]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [(WhenKnown.CONFIRM, CONFIRMED), (WhenKnown.SKIP, SKIPPED), (WhenKnown.ASK, "")],
)
def test_a_question_that_is_answered(rule: WhenKnown, reason: str) -> None:
    """It is passed over with its answers, unless the script wants it put all the same."""
    store = VariableStore((SAID,))
    skipped = passed_over(AGE, rule, STEP, UNASKED, variables=store)
    assert (skipped.reason if skipped else "") == reason
    if skipped:
        assert [(a.variable, a.value, a.quote) for a in skipped.answers] == [("岁数", 30, "三十")]


@pytest.mark.parametrize(
    "changes",
    [
        {"mandatory": True},
        {"config": ask(get=("岁数", "称呼")).config},
        {"config": ask(get=()).config},
    ],
)
def test_a_question_that_is_put(changes: dict[str, Any]) -> None:
    """A mandatory one, one that lacks an answer, one that asks for nothing."""
    action = changed(AGE, **changes)
    store = VariableStore((SAID,))
    assert passed_over(action, WhenKnown.SKIP, STEP, UNASKED, variables=store) is None


def test_an_agent_is_never_passed_over() -> None:
    """Its outputs may be heard ahead, and its goal is not its outputs."""
    config = AgentConfig(goal="谈谈", output=(Output(get="岁数"), Output(get="之后", ahead=False)))
    agent = action_of_type(ActionType.AI_AGENT, "talk", config)
    assert names(beside(script_of(phase(topic(ask("name"), agent)))).later) == ["岁数"]
    alone = changed(agent, config=changed(config, output=(Output(get="岁数"),)))
    known = VariableStore((SAID,))
    assert passed_over(alone, WhenKnown.SKIP, STEP, UNASKED, variables=known) is None


def test_the_innermost_rule_counts() -> None:
    """Action, topic, session; the session's default is to confirm."""
    running = script_of(phase(topic(AGE)))
    inside = topic(AGE, when_known=WhenKnown.SKIP)
    assert when_known(running, topic(AGE), AGE) is WhenKnown.CONFIRM
    assert when_known(running, inside, AGE) is WhenKnown.SKIP
    assert when_known(running, inside, changed(AGE, when_known=WhenKnown.ASK)) is WhenKnown.ASK
    assert names(gathered_ahead(AGE)) == ["岁数"]
