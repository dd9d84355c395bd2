"""A turn through a plan with conditions, skills and roles."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from executor_service.engine.run_turn import run_turn
from executor_service.scripts.model.fields import SkillOutput
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.settings import RoleDefinition
from heartrule.domain.events import Outcome
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.model.template_store import TemplateStore
from session_store.records import TurnEnd, TurnSnapshot
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    before_the_script,
    engine_deps,
    heard,
    phase,
    reasons,
    say,
    script,
    script_of,
    topic,
    waiting_at,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.plan_builders import condition, technique, use, when

ROOT = Path(__file__).parents[4]


async def run(
    running: Script, snapshot: TurnSnapshot, model: FakeModel, **deps: Any
) -> tuple[TurnEnd, RecordingSink]:
    """Run one turn and return its end and what it committed."""
    sink = RecordingSink()
    end = await run_turn(snapshot, running, engine_deps(model, **deps), sink)
    return end, sink


async def test_a_skip_is_committed_with_the_step_before_it() -> None:
    """The turn goes on to the next action that begins; the skipped one leaves no result."""
    running = script(ask(get=("称呼",)), when(say("a2"), "{称呼} == '小红'"), say("a3"))
    model = FakeModel(
        [ask_reply("好。", exit_="YES", variables={"称呼": "小明"}), ask_reply("那么")]
    )
    _, sink = await run(running, waiting_at(running, inputs=(heard("小明"),)), model)
    first, second = sink.steps
    assert [(each.action_id, each.reason) for each in first.skipped] == [("a2", "CONDITION_FALSE")]
    assert (first.position.action_id, second.skipped) == ("a3", ())
    assert [step.result.action_id for step in sink.steps if step.result] == ["ask", "a3"]


async def test_an_undecided_condition_is_told_at_the_end_of_the_turn() -> None:
    """It is a degradation of the step that reached it, and of the turn."""
    running = script(ask(get=("称呼",)), when(say("a2"), "{称呼} == '小红'"))
    model = FakeModel([ask_reply("好。", exit_="YES"), ask_reply("那么")])
    end, sink = await run(running, waiting_at(running, inputs=(heard("不说"),)), model)
    assert reasons(sink.steps[0].degradations) == ["CONDITION_UNDECIDED"]
    assert "CONDITION_UNDECIDED" in reasons(end.degradations)
    assert sink.texts() == ["好。", "那么"]


async def test_a_last_action_that_ends_before_a_skipped_rest_ends_the_session() -> None:
    """Nothing is left to begin, so the step completes the session."""
    running = script(say("a1", require_acknowledgment=False), when(say("a2"), "1 == 2"))
    end, sink = await run(running, before_the_script(), FakeModel([ask_reply("你好")]))
    assert end.outcome is Outcome.SESSION_COMPLETED
    assert [step.status for step in sink.steps] == [ExecutionStatus.COMPLETED]
    assert len(sink.steps[0].skipped) == 1


async def test_a_script_that_is_skipped_as_a_whole_ends_without_a_word() -> None:
    """One step tells what was skipped; no model is asked."""
    never = replace(phase(topic(say())), entry_condition=condition("{x} == 'y' && 1 == 2"))
    end, sink = await run(script_of(never), before_the_script(), FakeModel())
    assert (end.outcome, end.message_ids) == (Outcome.SESSION_COMPLETED, ())
    (step,) = sink.steps
    assert (step.status, step.position) == (ExecutionStatus.COMPLETED, ExecutionPosition())
    assert [each.phase_id for each in step.skipped] == ["p1"]
    assert step.result is None


async def test_a_skill_runs_in_the_turn_that_reaches_it() -> None:
    """Its first action opens behind the action before; reports and messages name that action."""
    calm = technique("calm", ask("feel", get=("感受",)), topic_goal="让{who}陪着呼吸")
    running = script(
        ask(get=("称呼",)),
        use("calm", outputs=(SkillOutput(get="效果", source="感受"),)),
        say("bye", require_acknowledgment=False),
        techniques={"calm": calm},
    )
    model = FakeModel([ask_reply("好。", exit_="YES"), ask_reply("现在感觉如何？")])
    _, sink = await run(running, waiting_at(running, inputs=(heard("小明"),)), model)
    waiting = sink.steps[-1]
    assert (waiting.position.action_id, waiting.position.technique_id) == ("feel", "calm")
    assert waiting.messages[0].action_id == "feel"
    assert waiting.status is ExecutionStatus.WAITING_INPUT


async def test_a_skills_last_action_hands_its_output_to_the_next() -> None:
    """The operations of one step: extracted inside, handed out, and the namespace deleted."""
    calm = technique("calm", ask("feel", get=("感受",)))
    running = script(
        use("calm", outputs=(SkillOutput(get="效果", source="感受"),)),
        say("bye", content="{效果}就好", require_acknowledgment=False),
        techniques={"calm": calm},
    )
    opening = FakeModel([ask_reply("现在感觉如何？")])
    _, before = await run(running, before_the_script(), opening)
    snapshot = before_the_script(
        plan=tuple(sorted(_last_rows(before), key=lambda one: one.ordinal)),
        position=before.steps[-1].position,
        inputs=(heard("平静"),),
        turn_no=1,
    )
    model = FakeModel(
        [ask_reply("好。", exit_="YES", variables={"感受": "平静"}), ask_reply("再见")]
    )
    end, sink = await run(running, snapshot, model)
    assert end.outcome is Outcome.SESSION_COMPLETED
    told = [(o.operation.value, o.variable_name, o.scope_id) for o in sink.steps[0].operations]
    assert told == [
        ("extract", "感受", "t1/act_1"),
        ("extract", "效果", "t1"),
        ("delete", "感受", "t1/act_1"),
    ]
    assert "平静就好" in model.last_prompt()


async def test_roles_name_who_speaks_in_every_prompt() -> None:
    """{who}, {user} and the tone of an action that names none are the roles'."""
    roles = (
        RoleDefinition(role="counsellor", name="小禾", tone="像朋友一样"),
        RoleDefinition(role="client", name="同学"),
    )
    running = script(say(content="{who}向{user}问好"), roles=roles)
    model = FakeModel([ask_reply("你好")])
    templates = TemplateStore(ROOT / "_system" / "config")
    await run(running, before_the_script(), model, templates=templates)
    assert "小禾向同学问好" in model.last_prompt()
    assert "【语气】像朋友一样" in model.last_prompt()


def _last_rows(sink: RecordingSink) -> list[Any]:
    """Return the plan as the steps left it."""
    rows = {one.action_instance_id: one for step in sink.steps for one in step.instances}
    return list(rows.values())
