"""What an agent is told it may decide: the lines of its template that its script allows."""

from __future__ import annotations

import pytest

from executor_service.decisions.decision_lines import intent_lines, node_lines
from executor_service.decisions.intents import DECISIONS_BY_INTENT
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import NodeType
from heartrule.model.template_store import TemplateStore
from tests.support.source_tree import ROOT

STORE = TemplateStore(ROOT / "_system" / "config")
TEMPLATE = STORE.get("ai_agent")
TALKING = (DecisionType.RESPOND, DecisionType.REQUEST_CLARIFICATION, DecisionType.CONTINUE)


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("scheme", ["", "cbt_anxiety"])
def test_the_table_of_intents_is_told_as_it_is(scheme: str, language: str) -> None:
    """Section 5: each intent, its decisions and their conditions stand in every template."""
    template = STORE.get("ai_agent", scheme, language)
    lines = dict(
        line.removeprefix("- ").split(" (", 1)
        for line in intent_lines(template, [*DecisionType]).splitlines()
    )
    assert list(lines) == [intent.value for intent in DECISIONS_BY_INTENT]
    for intent, answers in DECISIONS_BY_INTENT.items():
        for kind in answers:
            assert f"{kind} ({template.lists[f'when.{intent}.{kind}']})" in lines[intent]
    told = {name for name in template.lists if name.startswith("when.")}
    assert told == {
        f"when.{i}.{kind}" for i, kinds in DECISIONS_BY_INTENT.items() for kind in kinds
    }


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_decision_and_type_of_node_is_described(language: str) -> None:
    """START and END have nothing to configure."""
    template = STORE.get("ai_agent", "", language)
    for kind in DecisionType:
        assert template.lists[f"decisions.{kind}"]
    nodes = {name.removeprefix("nodes.") for name in template.lists if name.startswith("nodes.")}
    assert nodes == {*NodeType} - {NodeType.START, NodeType.END}


def test_only_what_is_allowed_is_listed() -> None:
    """In the order in which the script names it, each with its payload."""
    lines = TEMPLATE.listed("decisions", TALKING).splitlines()
    assert [line.split(":")[0] for line in lines] == [f"- {kind}" for kind in TALKING]
    assert "requires_followup" in lines[0]


def test_an_intent_that_nothing_allowed_answers_is_left_out() -> None:
    """An agent that only talks is told of no tool and of no workflow."""
    lines = intent_lines(TEMPLATE, TALKING)
    assert [line.split(" ")[1] for line in lines.splitlines()] == [
        "greeting",
        "simple_query",
        "unknown",
    ]
    assert "create_node" not in lines


def test_types_of_nodes_are_told_to_who_may_draft() -> None:
    """All of them, or those that are allowed; nothing to an agent that only talks."""
    drafting = (*TALKING, DecisionType.CREATE_NODE)
    assert node_lines(TEMPLATE, TALKING, ()) == ""
    assert len(node_lines(TEMPLATE, drafting, ()).splitlines()) == 6
    two = node_lines(TEMPLATE, drafting, (NodeType.LLM, NodeType.HTTP)).splitlines()
    assert [line.split(":")[0] for line in two] == ["- LLM", "- HTTP"]
