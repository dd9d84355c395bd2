"""What an agent is told of its decisions and drafts: lines of JSON, as data and never as headings.

A line of JSON has no line break, so that no text of a client or a model can forge a line of ours.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from executor_service.actions.action_context import RoundContext
from executor_service.actions.message_order import unanswered
from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.decision_lines import intent_lines, node_lines
from executor_service.decisions.run_results import told as told_of_run
from executor_service.scripts.model.agent_config import AgentConfig
from heartrule.domain.decisions import DecisionState, DecisionType, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow
from heartrule.model.quoting import continued
from heartrule.model.template import Template
from session_store.records import KeptDecision

# Characters of one line, and of all lines together: a small model has to read them too.
_LONGEST_LINE = 2000
_MOST_TOLD = 6000
# Errors of one decision that are told: the first ones are those about missing fields.
_MOST_ERRORS = 8
_MOST_WORKFLOWS = 5
# What of a question stands in the prompt that reads its answer.
_OF_QUESTION = ("question", "options", "required_fields", "context")
# What of a payload the agent needs to know of its own decision in the next step.
_RECALLED = ("thought", "next_step", "response", "question", "name", "node_name", "node_id")


def agent_values(
    template: Template, config: AgentConfig, known: AgentGround, *, left: int
) -> dict[str, str]:
    """Return the system variables that an agent's template has beside those of any action.

    Args:
        template: Has the texts of what may be decided.
        config: What the script allows.
        known: The session.
        left: Decisions that the turn may still make.
    """
    allowed = allowed_decisions(config, known)
    decided, drafts = _remembered(known)
    return {
        "decision_list": "\n".join(
            (template.listed("decisions", allowed), *_subagent_lines(known, allowed))
        ),
        "intent_list": intent_lines(template, allowed),
        "node_list": node_lines(template, allowed, _node_types(known)),
        "workflows": "\n".join(drafts),
        "decisions_left": str(left),
        "decided": "\n".join((*_run_lines(known), *decided)),
    }


def agent_card(
    context: RoundContext, config: AgentConfig, known: AgentGround
) -> dict[str, JsonValue]:
    """Return what the rehearsal model knows of it; the client's words stay the turn's."""
    node_types = sorted(known.policy.node_types or ())
    said = context.reply if context.reply is not None else unanswered(context.history)[1]
    return {
        "allowed": [each.value for each in allowed_decisions(config, known)],
        "subagents": [
            {"name": name, "takes": list(each.takes)}
            for name, each in known.ground.subagent_types.items()
        ],
        "node_types": [each.value for each in node_types],
        "decided": [
            {
                "decision_type": each.decision.decision_type,
                "state": each.state.value,
                "codes": [error.code.value for error in each.verdict.errors]
                if each.verdict
                else [],
            }
            for each in known.of_turn
        ],
        "workflows": [
            {
                "workflow_id": each.workflow_id,
                "nodes": [{"node_id": n.node_id, "type": n.type.value} for n in each.nodes],
            }
            for each in known.ground.workflows
        ],
        "runs": [{"state": each.state.value} for each in known.runs],
        "user_input": said,
    }


def is_open(kept: KeptDecision) -> bool:
    """Return whether a decision is the question that waits for its answer."""
    is_question = kept.decision.decision_type == DecisionType.REQUEST_CLARIFICATION
    return is_question and kept.state is DecisionState.RUNNING


def allowed_decisions(config: AgentConfig, known: AgentGround) -> tuple[DecisionType, ...]:
    """Return the types that the agent is told of: without a sub-agent to ask, none is asked."""
    has_subagents = bool(known.ground.subagent_types)
    return tuple(
        each
        for each in config.allowed_decisions
        if each is not DecisionType.SPAWN_SUBAGENT or has_subagents
    )


def _subagent_lines(known: AgentGround, allowed: Collection[DecisionType]) -> Iterator[str]:
    """Yield a line for each sub-agent: what it is for, and what its task must and may have."""
    if DecisionType.SPAWN_SUBAGENT not in allowed:
        return
    for name, each in known.ground.subagent_types.items():
        takes = {one: taken.type or "any" for one, taken in each.takes.items()}
        optional = [one for one, taken in each.takes.items() if not taken.is_required]
        told: dict[str, JsonValue] = {"subagent_type": name, "takes": {**takes}}
        told |= {"for": each.purpose} if each.purpose else {}
        yield _line({**told, "optional": [*optional]} if optional else told)


def _node_types(known: AgentGround) -> frozenset[NodeType]:
    return known.policy.node_types or frozenset()


def _remembered(known: AgentGround) -> tuple[list[str], list[str]]:
    """Return the lines about decisions and those about drafts, as far as there is room for both.

    The question that the client's words answer and the newest decision come first, then drafts,
    then earlier decisions of this turn; of each, the newest are kept.
    """
    asked, of_turn = _asked_lines(known), _told_lines(known)
    newest, earlier = of_turn[-1:], of_turn[-2::-1]
    room = _MOST_TOLD - sum(map(len, (*asked, *newest)))
    drafts = _fitting(_drafts(known.ground.workflows, room), room)
    kept = _fitting(earlier, room - sum(map(len, drafts)))
    return [*asked, *reversed(kept), *newest], drafts


def _run_lines(known: AgentGround) -> Iterator[str]:
    """Yield a line for each run; the newest has its outputs, which have a limit of their own."""
    for run in known.runs:
        yield _json({"run": told_of_run(run, with_outputs=run is known.runs[-1])})


def _fitting(lines: Iterable[str], room: int) -> list[str]:
    """Return the lines before the first one that there is no room for."""
    kept = []
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        kept.append(line)
    return kept


def _asked_lines(known: AgentGround) -> list[str]:
    of_turn = {each.decision.decision_id for each in known.of_turn}
    waiting = (each for each in known.waiting if each.decision.decision_id not in of_turn)
    return [_line(_asked(each)) for each in waiting if is_open(each)]


def _told_lines(known: AgentGround) -> list[str]:
    """Return a line for each decision of this turn; the last rejection is the one to be mended."""
    rejected = (each for each in known.of_turn[::-1] if each.verdict and each.verdict.errors)
    to_mend = next(rejected, None)
    return [_line(_told(each, with_payload=each is to_mend)) for each in known.of_turn]


def _told(kept: KeptDecision, *, with_payload: bool) -> dict[str, JsonValue]:
    """Return what became of a decision of this turn."""
    payload = kept.decision.payload
    recalled: Mapping[str, JsonValue] = payload if isinstance(payload, Mapping) else {}
    told: dict[str, JsonValue] = {
        "decision_type": kept.decision.decision_type,
        "state": kept.state.value,
    }
    if kept.verdict is not None and kept.verdict.errors:
        # It is mended from what was written; in a line that is cut the errors come first.
        errors = [*map(_error, kept.verdict.errors[:_MOST_ERRORS])]
        return told | {"errors": errors} | ({"payload": payload} if with_payload else {})
    told |= {name: recalled[name] for name in _RECALLED if name in recalled}
    if kept.verdict is not None and kept.verdict.corrections:
        told["corrected"] = [each.path for each in kept.verdict.corrections]
    return told


def _error(finding: RuleFinding) -> dict[str, JsonValue]:
    return {"code": finding.code.value, "path": finding.path, "message": finding.message}


def _asked(kept: KeptDecision) -> dict[str, JsonValue]:
    """Return what the client was asked, for the call that reads the answer."""
    payload = kept.verdict.payload if kept.verdict else kept.decision.payload
    fields: Mapping[str, JsonValue] = payload if isinstance(payload, Mapping) else {}
    told: dict[str, JsonValue] = {
        "decision_type": kept.decision.decision_type,
        "state": kept.state.value,
    }
    return told | {name: fields[name] for name in _OF_QUESTION if fields.get(name)}


def _drafts(workflows: Sequence[Workflow], room: int) -> Iterator[str]:
    """Yield a line for each of the workflows changed last, the newest first.

    The newest has its configurations, unless they are too long: then its ids are worth more.
    """
    longest = min(room, _LONGEST_LINE)
    newest_first = workflows[: -1 - _MOST_WORKFLOWS : -1]
    for number, each in enumerate(newest_first):
        whole = _json(_draft(each, with_config=True)) if number == 0 else ""
        fits = whole and len(whole) <= longest
        yield whole if fits else _line(_draft(each, with_config=False))


def _draft(workflow: Workflow, *, with_config: bool) -> dict[str, JsonValue]:
    return {
        "workflow_id": workflow.workflow_id,
        "name": workflow.name,
        "status": workflow.status.value,
        "nodes": [_node(each, with_config=with_config) for each in workflow.nodes],
        "edges": [[edge.source, edge.target] for edge in workflow.edges],
    }


def _node(node: Node, *, with_config: bool) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {
        "node_id": node.node_id,
        "type": node.type.value,
        "name": node.name,
    }
    if not with_config:
        return told
    mapped = {"input_mapping": dict(node.input_mapping)} if node.input_mapping else {}
    return {**told, "config": dict(node.config), **mapped}


def _line(value: Mapping[str, JsonValue]) -> str:
    text = _json(value)
    return text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"


def _json(value: Mapping[str, JsonValue]) -> str:
    # JSON has no line break of its own; brackets and rarer breaks are seen to here.
    return continued(json.dumps(value, ensure_ascii=False))
