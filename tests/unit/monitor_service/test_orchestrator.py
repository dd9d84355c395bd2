"""When a change of the queue is asked for, with which template, and what is sent (000, path 2)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.monitoring import InterventionLevel, MonitorAnalysis
from heartrule.domain.orchestration import OrchestrationAction, OrchestrationReport
from heartrule.model.template_store import TemplateStore
from monitor_service.json_call import Tools
from monitor_service.orchestrator import TEMPLATE, TopicActionOrchestrator
from tests.support.fake_model import FakeModel
from tests.support.reports import ASK_ROUND, ask_round

CONFIG = system_dir() / "config"
PLAN = json.dumps({"action": "insert", "new_action": {"type": "ai_say", "content": "不急"}})
URGENT = MonitorAnalysis(
    intervention_level=InterventionLevel.TOPIC_ORCHESTRATION,
    orchestration_reason="持续抗拒3轮",
    suggested_orchestration={"action": "insert", "new_action_theme": "共情"},
)


def wanted(analysis: MonitorAnalysis = URGENT, *, budget_left: int = 3) -> OrchestrationReport:
    """Return a judged round with an analysis."""
    return OrchestrationReport(
        report=ASK_ROUND,
        analysis=analysis,
        topic_goal="了解抚养者",
        budget_left=budget_left,
        action_types=("ai_say", "ai_ask"),
    )


def orchestrator(model: FakeModel, config: Path = CONFIG) -> TopicActionOrchestrator:
    """Return an orchestrator over the templates of a folder."""
    return TopicActionOrchestrator(Tools(model=model, templates=TemplateStore(config)))


@pytest.mark.parametrize(
    ("analysis", "budget_left", "expected"),
    [
        (URGENT, 1, True),
        (MonitorAnalysis(orchestration_needed=True), 1, True),
        (MonitorAnalysis(intervention_level=InterventionLevel.ACTION_FEEDBACK), 1, False),
        (MonitorAnalysis(intervention_needed=True), 1, False),
        (URGENT, 0, False),
    ],
)
def test_should_orchestrate(analysis: MonitorAnalysis, budget_left: int, *, expected: bool) -> None:
    """What the analysis says decides, as long as the topic takes another edit."""
    report = wanted(analysis, budget_left=budget_left)
    assert orchestrator(FakeModel([])).should_orchestrate(report) is expected


async def test_the_prompt_holds_analysis_strategy_and_context() -> None:
    """The monitor's view, the topic's goal and strategy, the judged reply, and what is allowed."""
    model = FakeModel([PLAN])
    made = await orchestrator(model).generate_orchestration_plan(wanted(), calls=[])
    assert made.plan is not None
    assert made.plan.action is OrchestrationAction.INSERT
    asked = model.last_prompt()
    told = ("持续抗拒3轮", "共情", "了解抚养者", "先建立信任", "不想说", "ai_say、ai_ask", "2/5")
    assert [words for words in told if words not in asked] == []


async def test_a_schemes_template_goes_before_the_default(tmp_path: Path) -> None:
    """Two layers, as for handlers: without a file in the scheme the default one serves."""
    own = tmp_path / "custom" / "mine" / f"{TEMPLATE}_v1.md"
    for path in (tmp_path / "default" / own.name, own):
        path.parent.mkdir(parents=True)
        copy(CONFIG / "default" / own.name, path)
    own.write_text(own.read_text("utf-8").replace("# 任务说明", "# 我们的任务"), "utf-8")
    systems = []
    for scheme in ("mine", "other"):
        model = FakeModel([PLAN])
        report = replace(wanted(), report=ask_round(template_scheme=scheme))
        await orchestrator(model, tmp_path).generate_orchestration_plan(report, calls=[])
        systems.append("我们的任务" in model.requests[0].messages[0].content)
    assert systems == [True, False]
