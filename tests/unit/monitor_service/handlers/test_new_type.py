"""A monitor for a new action type is one module and one template, as CONTRIBUTING shows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.prompt_words import PromptWords
from heartrule.model.reply.contract import ASK_MONITOR_CONTRACT, ReplyContract
from heartrule.model.template_store import TemplateStore
from monitor_service.handlers.base import MonitorHandler, advice_block
from monitor_service.handlers.handler_registry import HandlerRegistry, standard_handlers
from monitor_service.json_call import Tools
from monitor_service.judge import judge_round
from tests.support.fake_model import FakeModel
from tests.support.reports import ask_round

ROUND = ask_round(action_type="breathe")
REPLY = json.dumps({"intervention_needed": True, "feedback_for_action": "慢一点"})
TEMPLATE = """---
template: breathe_monitor
version: 1
asks: []
fields:
  intervention_needed: true or false
  feedback_for_action: words
---
<!-- section: system -->
{%field_list%}
<!-- section: turn -->
{%user_engagement%}
{%dialogue%}
"""


class BreatheMonitorHandler(MonitorHandler):
    """The module: four class variables and a block."""

    action_type: ClassVar[str] = "breathe"
    metric_names: ClassVar[tuple[str, ...]] = ("user_engagement",)
    contract: ClassVar[ReplyContract] = ASK_MONITOR_CONTRACT
    required: ClassVar[str] = "intervention_needed"

    def build_feedback_prompt(self, analysis: MonitorAnalysis, words: PromptWords) -> str:
        """Return the block for the next prompt, in this language whatever the session's."""
        del words
        return advice_block(("呼吸建议", analysis.feedback_for_action), closing="请照做。")


def tools(root: Path, model: FakeModel) -> Tools:
    """Return tools with the new template in the default layer."""
    folder = root / "default"
    folder.mkdir()
    (folder / "breathe_monitor_v1.md").write_text(TEMPLATE, encoding="utf-8")
    return Tools(model=model, templates=TemplateStore(root))


async def test_one_module_and_one_template_are_enough(tmp_path: Path) -> None:
    """Metrics, prompt, call, parse, block and orchestration come with the base class."""
    model = FakeModel([REPLY])
    handlers = HandlerRegistry([BreatheMonitorHandler(tools(tmp_path, model))])
    answer = await judge_round(handlers.judging(ROUND), ROUND, seconds=10)
    assert answer.feedback_text == "【呼吸建议】\n慢一点\n\n请照做。"
    assert model.requests[0].card["kind"] == "breathe_monitor"
    assert "不想说" in model.last_prompt()


async def test_a_type_without_a_module_has_the_generic_monitor() -> None:
    """Its metrics are judged with the template `generic_monitor`, whatever they are."""
    model, other = FakeModel([REPLY]), ask_round(action_type="sing")
    shipped = TemplateStore(Path(__file__).parents[4] / "_system" / "config")
    handlers = standard_handlers(Tools(model=model, templates=shipped))
    answer = await judge_round(handlers.judging(other), other, seconds=10)
    assert answer.feedback_text.startswith("【Topic层策略建议】\n慢一点")
    assert "Action类型：sing" in model.last_prompt()
    assert "回答很短" in model.last_prompt()
