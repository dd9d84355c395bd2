"""How rows of each table are exported: which texts are JSON, and what of them is masked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from heartrule.domain.decisions import DecisionType
from heartrule.domain.events import AdviceChanged, InputAccepted, MessageCommitted, ScopeLeft
from heartrule.domain.json_value import JsonValue
from heartrule.domain.sensitive import MASK, SensitiveVariables, without_texts
from heartrule.domain.variables import ScopeSnapshot, VariableValue
from session_store.codec import dump, load, load_tuple
from session_store.event_drafts import class_of

# Columns of a row as the database gave them.
Columns: TypeAlias = Mapping[str, Any]
_OPEN = SensitiveVariables()
# Events whose rows name other rows, and hold nothing that a client said.
_NAMING = frozenset({AdviceChanged, InputAccepted, MessageCommitted})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRule:
    """How a table's rows are exported."""

    documents: frozenset[str] = frozenset()
    """Columns whose texts are JSON; an empty one becomes null."""
    whole: frozenset[str] = frozenset()
    """Columns that may repeat any value under no name: masked where any variable is sensitive."""
    masked: Callable[[SensitiveVariables, Columns], Columns] | None = None
    """Masks what has a name."""

    def shown(self, columns: Columns, hidden: SensitiveVariables) -> dict[str, Any]:
        """Return a row with its JSON read and its sensitive values masked."""
        hides = hidden != _OPEN
        if hides and self.masked is not None:
            columns = self.masked(hidden, columns)
        row = {**columns, **{name: _read(columns[name]) for name in self.documents}}
        if hides:
            row.update({name: _hidden(row[name]) for name in self.whole})
        return row


def _rule(
    documents: str = "",
    whole: str = "",
    masked: Callable[[SensitiveVariables, Columns], Columns] | None = None,
) -> ExportRule:
    return ExportRule(
        documents=frozenset(documents.split()), whole=frozenset(whole.split()), masked=masked
    )


def _read(text: str | None) -> JsonValue:
    if not text:
        return None
    try:
        value: JsonValue = json.loads(text)
    except ValueError:  # a word in the place of a document, such as `=`
        return text
    return value


def _hidden(value: Any) -> JsonValue:
    return (MASK if value else None) if isinstance(value, bytes) else without_texts(value)


def _variable(hidden: SensitiveVariables, row: Columns) -> Columns:
    """Return a row with `name`, `value` and `quote`."""
    if not hidden.hides(row["name"]):
        return row
    shown = hidden.in_mapping({row["name"]: _read(row["value"])})
    return {**row, "value": dump(shown[row["name"]]), "quote": MASK if row["quote"] else ""}


def _first_variables(hidden: SensitiveVariables, row: Columns) -> Columns:
    first = load_tuple(VariableValue, row["variables"])
    return {**row, "variables": dump(tuple(map(hidden.in_variable, first)))}


def _decision(hidden: SensitiveVariables, row: Columns) -> Columns:
    del hidden  # of a type that nobody knows, the model wrote the name
    known = row["decision_type"] in set(DecisionType)
    return row if known else {**row, "decision_type": MASK}


def _event(hidden: SensitiveVariables, row: Columns) -> Columns:
    kind = class_of(row["kind"])
    if kind is None:  # a later release's: nothing is known of it
        return {**row, "body": dump(MASK)}
    if kind in _NAMING:
        return row
    if kind is ScopeLeft:
        return {**row, "body": dump(hidden.in_snapshot(load(ScopeSnapshot, row["body"])))}
    return {**row, "body": dump(hidden.in_body(load(kind, row["body"])))}


# What operators' reads do not mask is not masked here: messages, prompts and replies of models.
# A table without a rule is no table of an export: the import of `export` fails.
RULES: Mapping[str, ExportRule] = MappingProxyType(
    {
        "sessions": _rule("position error stop_request labels"),
        "messages": _rule("parts"),
        "attempts": _rule("client_message_ids degradations plan", "plan"),
        "events": _rule("body", masked=_event),
        "action_instances": _rule("memory definition", "memory"),
        "variables": _rule("value", masked=_variable),
        "variable_definitions": _rule("definition"),
        "user_variables": _rule("value", masked=_variable),
        "advice": _rule("advice"),
        "monitor_requests": _rule("analysis"),
        "model_calls": _rule("input config parse cuts"),
        "prompt_parts": _rule(),
        "plan_edits": _rule("edit"),
        "session_origins": _rule("variables", masked=_first_variables),
        "action_replacements": _rule("config"),
        "safety_states": _rule("state"),
        "summaries": _rule(),
        "turn_notes": _rule(),
        "session_labels": _rule(),
        "safety_events": _rule("event"),
        "alerts": _rule(),
        "decisions": _rule(
            "payload effective verdict earlier",
            "payload effective verdict earlier",
            masked=_decision,
        ),
        "workflows": _rule("definition", "definition"),
        "session_spending": _rule(),
        "runs": _rule("failure definition inputs", "failure definition inputs workflow_name"),
        "node_runs": _rule("inputs output failure failed_conditions", "inputs output failure"),
        "run_values": _rule("value", "value"),
        "run_artifacts": _rule(whole="name content"),
        "sub_threads": _rule(
            "settings request result_values",
            "settings request result_text result_values plain_text",
        ),
        "sub_thread_messages": _rule("meta", "text meta"),
    }
)
