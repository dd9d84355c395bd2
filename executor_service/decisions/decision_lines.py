"""What an agent is told of intents and nodes: lines of its template, those its script allows."""

from __future__ import annotations

from collections.abc import Collection

from executor_service.decisions.intents import DECISIONS_BY_INTENT
from executor_service.scripts.model.agent_config import DRAFTING_DECISIONS
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import NodeType
from heartrule.model.template import Template

# They have nothing to configure, and a plan may have them whatever is allowed.
_BOUNDARIES = frozenset({NodeType.START, NodeType.END})


def intent_lines(template: Template, allowed: Collection[DecisionType]) -> str:
    """Return each intent with the decisions that usually answer it, as far as they are allowed.

    That is the table of document 002, section 5; an intent that nothing allowed answers is left
    out.
    """
    lines = []
    for intent, answers in DECISIONS_BY_INTENT.items():
        told = [
            f"{kind} ({template.lists.get(f'when.{intent}.{kind}', '')})"
            for kind in answers
            if kind in allowed
        ]
        if told:
            meaning = template.lists.get(f"intents.{intent}", "")
            lines.append(f"- {intent} ({meaning}): {', '.join(told)}")
    return "\n".join(lines)


def node_lines(
    template: Template, allowed: Collection[DecisionType], node_types: Collection[NodeType]
) -> str:
    """Return the types of nodes that may be drafted; nothing where no decision drafts any.

    Args:
        template: Says what each type needs.
        allowed: The decisions.
        node_types: The types that script and installation allow; none: all.
    """
    if not {*allowed} & {*DRAFTING_DECISIONS}:
        return ""
    types = (each for each in NodeType if each not in _BOUNDARIES)
    return template.listed("nodes", (t for t in types if not node_types or t in node_types))
