"""Decisions of agents and operators as text for a person. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, RuleFinding
from heartrule.domain.events import EventBody
from heartrule_cli.narration import value_text
from heartrule_cli.text import one_line

# Errors of one decision that are told; the API has them all.
_MOST = 3


def decision_lines(body: EventBody) -> tuple[str, ...]:
    """Return the line of `--debug` for an event of a decision; none for other kinds."""
    match body:
        case DecisionMade():
            return (f"decision {made_text(body)}",)
        case DecisionValidated() | DecisionRejected():
            return (f"decision {one_line(body.decision_id)}: {judged_text(body)}",)
        case WorkflowChanged():
            return (workflow_text(body),)
        case _:
            return ()


def made_text(made: DecisionMade) -> str:
    """Return what was decided, by whom, and with which payload."""
    kind = made.decision_type or one_line(made.written_type)[:64] or "no type"
    payload = made.payload
    if isinstance(payload, Mapping):
        payload = {name: value for name, value in payload.items() if name != "action_type"}
    author = f"{kind} by {made.author} ({one_line(made.decision_id)})"
    return f"{author} {value_text(payload)}"


def judged_text(judged: DecisionValidated | DecisionRejected) -> str:
    """Return the verdict with its corrections, or with the first errors."""
    if isinstance(judged, DecisionValidated):
        return "; ".join(("valid", *map(_corrected, judged.corrections)))
    told = [_error(each) for each in judged.errors[:_MOST]]
    if (more := len(judged.errors) - _MOST) > 0:
        told.append(f"and {more} more")
    return f"rejected: {'; '.join(told)}"


def workflow_text(changed: WorkflowChanged) -> str:
    """Return a workflow's new revision."""
    name = f"{one_line(changed.name)} " if changed.name else ""
    known = one_line(changed.workflow_id)
    return f"workflow {name}({known}) revision {changed.revision}: {changed.status}"


def _corrected(made: Correction) -> str:
    path = one_line(made.path)
    if made.is_removed:
        return f"{path} taken out"
    return f"{path} from {value_text(made.before)} to {value_text(made.after)}"


def _error(error: RuleFinding) -> str:
    return f"{error.code}: {one_line(error.message)}"
