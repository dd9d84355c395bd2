"""Which advice of the monitor is injected, and whether a round did what it said. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from executor_service.actions.outgoing.sentences import is_question, sentences_of
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
# From so many characters on a clause may be a question; a shorter one is a name.
_QUESTION = 4
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
        known: How outputs of the action that have values are called: names, clauses that ask.
    """
    if analysis.metadata.get(DECLINED) is True and severity_of(analysis) is Severity.INFO:
        return NOT_NEEDED
    words = (
        analysis.feedback_for_action,
        analysis.modified_approach,
        analysis.example_suggestion,
    )
    sentences = (each for text in words for each in sentences_of(text))
    return ASKS_FOR_KNOWN if any(_asks_for(each, known) for each in sentences) else ""


def asking_part(text: str) -> str:
    """Return the clause of a question that says most: the one with the most letters."""
    clauses = (each.strip() for each in _CLAUSE.findall(text))
    return max(clauses, key=lambda each: sum(map(str.isalpha, each)), default="")


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


def _asks_for(sentence: str, called: Collection[str]) -> bool:
    """Return whether a clause asks for what is called so, or is itself such a question."""
    clauses = [each for each in _CLAUSE.findall(sentence) if not _DENIED.search(each)]
    named = (each for each in clauses if any(name in each for name in called if len(name) > 1))
    if any(_ASKS.search(each) for each in named):
        return True
    return is_question(sentence) and any(
        each.strip() in called for each in clauses if len(each.strip()) >= _QUESTION
    )
