"""Handlers by action type."""

from __future__ import annotations

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.errors import InvalidRequest
from heartrule.model.template_store import TemplateStore
from monitor_service.handlers.ai_ask_monitor import AiAskMonitorHandler
from monitor_service.handlers.ai_say_monitor import AiSayMonitorHandler
from monitor_service.handlers.fill_form_monitor import FillFormMonitorHandler
from monitor_service.handlers.handler_registry import handler_classes, standard_handlers
from monitor_service.json_call import Tools
from tests.support.fake_model import FakeModel
from tests.support.reports import ask_round

HANDLERS = standard_handlers(
    Tools(model=FakeModel(), templates=TemplateStore(system_dir() / "config"))
)


@pytest.mark.parametrize(
    ("action_type", "handler"),
    [
        ("ai_ask", AiAskMonitorHandler),
        ("ai_say", AiSayMonitorHandler),
        ("fill_form", FillFormMonitorHandler),
    ],
)
def test_known_types(action_type: str, handler: type) -> None:
    """Each monitored action type has its handler."""
    assert isinstance(HANDLERS.get(action_type), handler)


def test_every_module_with_a_handler_is_found() -> None:
    """Nobody has to name a new one; each has a template, and no type has two."""
    found = handler_classes()
    types = [each.action_type for each in found]
    assert {AiAskMonitorHandler, AiSayMonitorHandler, FillFormMonitorHandler} <= set(found)
    assert len(set(types)) == len(types)
    templates = TemplateStore(system_dir() / "config")
    assert all(templates.get(f"{each}_monitor").name == f"{each}_monitor" for each in types)


@pytest.mark.parametrize("action_type", ["ai_think", "", "AI_ASK"])
def test_unknown_types(action_type: str) -> None:
    """A type without a monitor is refused, with the known ones named."""
    with pytest.raises(InvalidRequest) as refused:
        HANDLERS.get(action_type)
    assert refused.value.reason == "NO_MONITOR"
    assert refused.value.violations[0].field == "report.action_type"
    assert ", ".join(HANDLERS.action_types()) in refused.value.message


def test_a_type_without_metrics_is_not_judged() -> None:
    """The generic monitor has nothing to go by: the type is refused like before."""
    report = ask_round(action_type="ai_think", metrics=ActionMetrics())
    with pytest.raises(InvalidRequest) as refused:
        HANDLERS.judging(report)
    assert refused.value.reason == "NO_MONITOR"
