"""`heartrule ablate` over models of which it is known what a switch does to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable

import pytest

from executor_service.scripts.model.findings import At
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.ports import ChatRequest
from heartrule_cli.ablation.arm_runner import ArmRunner, play_all, steps_of
from heartrule_cli.ablation.report import report_lines
from heartrule_cli.ablation.study import NONE, AblationPlan, Arm, Design, Factor, Study
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn
from heartrule_cli.style import Style
from tests.support.fake_model import ask_reply
from tests.support.scenes import script_under_test
from tests.support.scripts import topic_script
from tests.support.shipped_files import shipped_installation

SCRIPT = topic_script(
    "{action_type: ai_ask, action_id: a, content: 家里怎样, output: [{get: 家庭}], max_rounds: 5}",
    "{action_type: ai_say, action_id: bye, content: 再见, require_acknowledgment: false}",
)
ADVICE = "先表示理解"
WATCHED = json.dumps({"intervention_needed": True, "feedback_for_action": ADVICE})
URGENT = {"intervention_level": "topic_orchestration", "orchestration_needed": True}
INSERTED = {
    "action": "insert",
    "target_position": "after_current",
    "new_action": {"type": "ai_say", "content": "歇一会儿。", "require_acknowledgment": False},
    "reason": "来访者很抗拒",
}
MONITOR = Arm(on=frozenset({Factor.MONITOR}))
ORCHESTRATION = Arm(on=frozenset({Factor.ORCHESTRATION}))


class Answering:
    """Answers a request by a function of it."""

    def __init__(self, answer: Callable[[ChatRequest], str]) -> None:
        """`answer` returns what is written; empty: nobody answers."""
        self._answer = answer

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str]:
        """Write the answer at once; a token each call."""
        del visible
        text = self._answer(request)
        if not text:
            raise ModelUnavailable("down", reason="MODEL_CONNECTION")
        yield text
        call_id = f"c{len(calls)}-{id(request)}"
        calls.append(
            LLMDebugInfo(
                call_id=call_id, purpose=request.purpose, prompt_type=request.prompt_type,
                provider="written", model="written", input="", output=text, completion_tokens=1,
            )
        )  # fmt: skip

    async def aclose(self) -> None:
        """Do nothing."""


def helped(request: ChatRequest) -> str:
    """Answer so that an advised round is the last: advice saves rounds, nothing else does."""
    if request.purpose is Purpose.MONITOR:
        return WATCHED
    if ADVICE in request.messages[-1].content:
        return ask_reply("谢谢", exit_="YES", variables={"家庭": "不大好"})
    return ask_reply(f"再说说{len(request.messages)}")


def deaf(request: ChatRequest) -> str:
    """Answer alike whatever stands in the prompt."""
    if request.purpose is Purpose.MONITOR:
        return WATCHED
    return ask_reply(f"再说说{len(request.messages)}")


def urgent(request: ChatRequest) -> str:
    """Answer so that each analysis asks for an edit."""
    if request.prompt_type.startswith("topic_orchestrator"):
        return json.dumps(INSERTED, ensure_ascii=False)
    if request.purpose is Purpose.MONITOR:
        return json.dumps({**json.loads(WATCHED), **URGENT})
    return deaf(request)


async def played(
    answer: Callable[[ChatRequest], str], *, design: Design = Design.FULL, repeats: int = 2
) -> Study:
    """Return the study of a conversation of six answers with this model."""
    said = ("不想说", "不大好", "还好", "就这样", "好吧", "谢谢")
    turns = (WrittenTurn(spot=At()), *(WrittenTurn(spot=At(), client=words) for words in said))
    talk = WrittenConversation(file="a.yaml", turns=turns)
    plan = AblationPlan(
        script="s.yaml", conversations=["a.yaml"], design=design,
        repeats=repeats, model="model: written", rehearsed=False,
    )  # fmt: skip
    runner = ArmRunner(
        script=script_under_test(SCRIPT),
        installation=shipped_installation(),
        model=Answering(answer),
    )
    steps = list(steps_of(plan, [talk]))
    runs = [run async for run in play_all(runner, steps, at_once=2, on_run_started=lambda _: None)]
    return Study(plan=plan, runs=runs)


def difference(study: Study, arm: Arm, key: str) -> float:
    """Return how an arm differs from the base."""
    found = study.difference(arm, key)
    assert found is not None
    return found.mean


async def test_advice_that_helps_is_a_difference() -> None:
    """It shortens the rounds from five to two, and fills a variable, in all arms with monitor."""
    study = await played(helped)
    assert [difference(study, MONITOR, key) for key in ("rounds", "variables")] == [-3, 1]
    effect = study.effect(Factor.MONITOR, "rounds")
    assert effect is not None
    assert (effect.mean, effect.same) == (-3, True)
    lines = [line.split() for line in report_lines(study, Style(colours=False))]
    assert ["monitor", "2.00", "-3.00", "in", "every", "run"] in lines


async def test_advice_that_changes_nothing_is_no_difference() -> None:
    """It was used, as the report says, and the rounds stayed what they were."""
    study = await played(deaf)
    assert (difference(study, MONITOR, "advice_used") > 0, study.differs("rounds")) == (True, False)
    lines = list(report_lines(study, Style(colours=False)))
    equal = lines[next(i for i, line in enumerate(lines) if line.startswith("no difference")) :]
    assert any(line.startswith("rounds judged  ") for line in equal)


async def test_orchestration_alone_edits_and_advises_nobody() -> None:
    """The monitor alone advises and edits nothing; off, neither is even looked at."""
    study = await played(urgent, repeats=1)
    keys = ("advice_used", "edits_applied")
    alone = [difference(study, ORCHESTRATION, key) > 0 for key in keys]
    watching = [difference(study, MONITOR, key) > 0 for key in keys]
    assert (alone, watching) == ([False, True], [True, False])
    beside = study.mean(NONE, "tokens_beside")
    assert beside is not None
    assert beside.mean == 0


async def test_strategy_off_asks_nobody() -> None:
    """On, the engine is asked although the script does not say so; its answer may be unreadable."""
    study = await played(deaf, design=Design.ALONE, repeats=1)
    strategy = Arm(on=frozenset({Factor.STRATEGY}))
    assert difference(study, strategy, "tokens_beside") > 0
    assert difference(study, strategy, "rounds") == 0


async def test_a_model_that_is_down_loses_runs() -> None:
    """Each is told with its reason; no figure is made of them."""
    study = await played(lambda _: "", design=Design.ALONE, repeats=1)
    assert {run.lost for run in study.runs} == {"MODEL_CONNECTION"}
    assert study.mean(NONE, "rounds") is None
    told = "\n".join(report_lines(study, Style(colours=False)))
    assert "5 runs lost; no figure counts them" in told


@pytest.mark.parametrize("repeats", [1, 3])
async def test_arms_begin_in_turn(repeats: int) -> None:
    """No arm is always the first of its conversation."""
    study = await played(deaf, design=Design.ALONE, repeats=repeats)
    assert len(study.runs) == 5 * repeats
    talk = WrittenConversation(file="a.yaml", turns=())
    firsts = [step.arm for step in steps_of(study.plan, [talk])][:: len(study.plan.arms)]
    assert len(set(firsts)) == repeats
