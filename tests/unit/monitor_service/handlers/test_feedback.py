"""The blocks of advice, as document 000 prints them."""

from __future__ import annotations

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.monitoring import InterventionLevel, MonitorAnalysis
from heartrule.model.prompt_words import base_words
from heartrule.model.template_store import TemplateStore
from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler
from monitor_service.handlers.ai_say_monitor import AiSayMonitorHandler
from monitor_service.handlers.base import MonitorHandler
from monitor_service.json_call import Tools
from tests.support.fake_model import FakeModel

TOOLS = Tools(model=FakeModel(), templates=TemplateStore(system_dir() / "config"))
ASK = AiAskMonitorHandler(TOOLS)
SAY = AiSayMonitorHandler(TOOLS)
BOTH = pytest.mark.parametrize("handler", [ASK, SAY], ids=["ai_ask", "ai_say"])


def test_ask_block() -> None:
    """ai_ask's next prompt gets the suggestion, the other approach and the closing sentence."""
    analysis = MonitorAnalysis(
        feedback_for_action="建议降低提问直接性",
        modified_approach="可以先询问家庭氛围",
        example_suggestion="not for ai_ask",
    )
    assert ASK.build_feedback_prompt(analysis, base_words()) == (
        "【Topic层策略建议】\n建议降低提问直接性\n\n"
        "【建议调整方式】\n可以先询问家庭氛围\n\n"
        "请根据以上建议调整你的提问方式。"
    )


def test_say_block() -> None:
    """ai_say's next prompt gets the suggestion, the example and the closing sentence."""
    analysis = MonitorAnalysis(
        feedback_for_action="用生活化的例子",
        example_suggestion="换个角度看问题",
        modified_approach="not for ai_say",
    )
    assert SAY.build_feedback_prompt(analysis, base_words()) == (
        "【表达优化建议】\n用生活化的例子\n\n"
        "【具体例子】\n换个角度看问题\n\n"
        "请调整你的表达方式,确保用户能够理解。"
    )


@BOTH
def test_one_part_alone(handler: MonitorHandler) -> None:
    """Without a second text its heading is left out too."""
    block = handler.build_feedback_prompt(
        MonitorAnalysis(feedback_for_action="慢一点"), base_words()
    )
    title, text, blank, closing = block.splitlines()
    assert (title[0], text, blank) == ("【", "慢一点", "")
    assert closing.startswith("请")


@BOTH
def test_no_feedback(handler: MonitorHandler) -> None:
    """An analysis without feedback makes no block, whatever else it says (C11)."""
    analysis = MonitorAnalysis(
        intervention_needed=True, modified_approach="x", example_suggestion="y"
    )
    assert handler.build_feedback_prompt(analysis, base_words()) == ""


@BOTH
@pytest.mark.parametrize("needed", [False, True])
@pytest.mark.parametrize("level", [None, *InterventionLevel])
def test_orchestration(
    handler: MonitorHandler,
    level: InterventionLevel | None,
    needed: bool,  # noqa: FBT001 - a table
) -> None:
    """Orchestration is triggered as the analysis says, by its level or its flag (C18)."""
    analysis = MonitorAnalysis(orchestration_needed=needed, intervention_level=level)
    expected = needed or level is InterventionLevel.TOPIC_ORCHESTRATION
    assert handler.should_trigger_orchestration(analysis) is expected
