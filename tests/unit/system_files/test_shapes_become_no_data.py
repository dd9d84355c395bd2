"""No shape of a reply that a template shows can become data, whoever reads it (ADR 61)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from executor_service.strategy.recommendation import read_recommendation
from executor_service.summaries.summary_prompt import read_summary
from heartrule.domain.monitoring import MonitorAnalysis
from heartrule.model.prompt_words import base_words
from heartrule.model.reply.agent_reply import read_agent_reply
from heartrule.model.reply.contract import THINK_CONTRACT, agent_contract
from heartrule.model.reply.typed_replies import read_think_reply
from heartrule.model.template import Template, parse_template
from monitor_service.analysis_reply import read_analysis
from monitor_service.plan_reply import read_plan

ROOT = Path(__file__).parents[3] / "_system" / "config"
# The talking templates have tests of their own.
TALKING = {"ai_ask_v1.md", "ai_say_v1.md", "fill_form_v1.md"}
INNER = sorted(path for path in ROOT.rglob("*_v1.md") if path.name not in TALKING)

each = pytest.mark.parametrize("path", INNER, ids=lambda path: path.relative_to(ROOT).as_posix())


def thought(template: Template, reply: str) -> object:
    contract = replace(THINK_CONTRACT, outputs=("…", "称呼"))
    read = read_think_reply(reply, contract=contract, own_words=template.own_words)
    return (*read.variables, *read.foreign, read.brief) if any((read.variables, read.brief)) else ()


def recommended(template: Template, reply: str) -> object:
    return read_recommendation(reply, base_words(), own_words=template.own_words, client_text="")[0]


def decided(template: Template, reply: str) -> object:
    contract = agent_contract(metrics=(), outputs=("…", "称呼"))
    read = read_agent_reply(reply, contract=contract, own_words=template.own_words)
    return (*read.decisions, *read.variables, *read.foreign)


def planned(template: Template, reply: str) -> object:
    plan, _ = read_plan(json.loads(reply), own_words=template.own_words, queue=())
    return plan and (plan.new_action, dict(plan.modifications), plan.reason, plan.order)


def summarized(template: Template, reply: str) -> object:
    return read_summary(reply, template, base_words())[0]


def analysed(template: Template, reply: str) -> object:
    analysis, _ = read_analysis(
        json.loads(reply), own_words=template.own_words, required="intervention_needed"
    )
    switched = replace(analysis, intervention_needed=False, understanding_issue=False, metadata={})
    return switched if switched != MonitorAnalysis() else None


READERS: Mapping[str, Callable[[Template, str], object]] = {
    "ai_agent": decided,
    "ai_think": thought,
    "strategy_generation": recommended,
    "topic_orchestrator": planned,
    "conversation_summary": summarized,
}


def read(path: Path, **switches: object) -> object:
    """Return what is read of the shape, sent back with some fields set."""
    template = parse_template(path.read_text(encoding="utf-8"), source=path.name)
    shape = json.loads(template.shape(template.always_asked())) | switches
    reader = READERS.get(template.name, analysed)
    return reader(template, json.dumps(shape, ensure_ascii=False))


@each
def test_a_shape_sent_back_is_no_data(path: Path) -> None:
    """The dots of a shape advise, propose, conclude and summarize nothing."""
    assert not read(path)


@each
def test_a_switch_alone_says_nothing(path: Path) -> None:
    """A model that turns a switch and copies all else gives no text, of which advice is made."""
    if path.name.endswith("_monitor_v1.md"):
        assert not read(path, intervention_needed=True, understanding_issue=True)
    elif path.name.startswith("topic_orchestrator"):
        assert read(path, action="insert") == (None, {}, "", ())
