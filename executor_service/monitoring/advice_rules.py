"""Which advice of the monitor is injected, and whether a round did what it said. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from executor_service.monitoring.pacing import SIGNALS
from executor_service.monitoring.signals import Signal
from heartrule.domain.action_result import ActionResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import (
    DECLINED,
    Advice,
    MonitorAnalysis,
    Severity,
    StrategySuggestion,
    severity_of,
)

#: Why advice is recorded and not injected.
NOT_NEEDED = "ADVICE_NOT_NEEDED"
ASKS_FOR_KNOWN = "ADVICE_ASKS_FOR_KNOWN"
_CLAUSE = re.compile(r"[^，。；！？,.;!?\n]+")
_ASKS = re.compile(r"问|确认|核实|收集|告诉|\b(?:ask|question|confirm|collect|tell)", re.IGNORECASE)
_DENIED = re.compile(
    r"不|别|勿|无需|无须|避免|停止|已经"
    r"|\b(?:not|never|avoid|stop|already)\b|n['’]t\b",
    re.IGNORECASE,
)
_SAME_QUESTION = frozenset({Signal.SAME_QUESTION, Signal.REPETITION})


def why_not_injected(analysis: MonitorAnalysis, known: Collection[str]) -> str:
    """Return why an analysis's words are a record only; empty where they are injected.

    Args:
        analysis: What the monitor said.
        known: Outputs of the action that have values.
    """
    if analysis.metadata.get(DECLINED) is True and severity_of(analysis) is Severity.INFO:
        return NOT_NEEDED
    words = (
        analysis.feedback_for_action,
        analysis.modified_approach,
        analysis.example_suggestion,
    )
    clauses = (clause for text in words for clause in _CLAUSE.findall(text))
    return ASKS_FOR_KNOWN if any(_asks_for(clause, known) for clause in clauses) else ""


def obeyed(advice: Advice, result: ActionResult) -> bool | None:
    """Return whether a round did what its advice suggested; None where signals cannot tell."""
    found = result.metadata.get(SIGNALS)
    signals = set(found) if isinstance(found, Mapping) else set()
    match advice.analysis.strategy_suggestion:
        case StrategySuggestion.REPHRASE:
            return not signals & _SAME_QUESTION
        case StrategySuggestion.COMFORT:
            return False if Signal.FEELING_PASSED_OVER in signals else None
        case StrategySuggestion.ACCEPT_PARTIAL | StrategySuggestion.SKIP:
            if result.completed:
                return True
            return False if signals & _SAME_QUESTION else None
    return None


def facts_of(advice: Advice, result: ActionResult) -> dict[str, JsonValue]:
    """Return what the result of a round under an advice holds of it."""
    found = obeyed(advice, result)
    return {} if found is None else {"advice_obeyed": found}


def _asks_for(clause: str, known: Collection[str]) -> bool:
    named = any(name in clause for name in known if len(name) > 1)
    return named and _ASKS.search(clause) is not None and _DENIED.search(clause) is None
