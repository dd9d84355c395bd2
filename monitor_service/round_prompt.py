"""The values for a monitor's template (document 000, 监控LLM模板输入结构)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from heartrule.domain.action_result import (
    MISSING_METRIC,
    NOT_ASSESSED,
    UNREADABLE_METRIC,
    ActionMetrics,
)
from heartrule.domain.conversation import Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import AnalysisReport, DialogueLine, RoundMetrics
from heartrule.model.prompt_words import PromptWords
from heartrule.model.prompts import Prompt, build_messages
from heartrule.model.quoting import continued, dialogue_text, replies_text
from heartrule.model.template import Template
from heartrule.model.template_filling import value_in_text

# Characters of one line of dialogue that a prompt holds; its middle is left out beyond that.
LONGEST_LINE = 4_000
# The same of a reply in an earlier round: twelve of them go with the judged dialogue.
LONGEST_REPLY = 400
# Characters of a known value, and of its quote.
LONGEST_VALUE = 200
# Lines of dialogue; the judged ones are all among them.
LINES = 8
# Rounds before the judged one in a trend, as document 000 asks (历史趋势).
ROUNDS = 3
_SAYS_NOTHING = frozenset({"", MISSING_METRIC, NOT_ASSESSED, UNREADABLE_METRIC})


def monitor_prompt(
    template: Template, report: AnalysisReport, metrics: ActionMetrics, words: PromptWords
) -> Prompt:
    """Return the messages that ask a model to judge the round; values are never scanned."""
    return build_messages(
        template,
        "turn",
        system=system_variables(report, metrics, words),
        script={},
        card=_card(template.name, report, metrics),
    )


def system_variables(
    report: AnalysisReport, metrics: ActionMetrics, words: PromptWords
) -> dict[str, str]:
    """Return the value of every placeholder a monitor's template may hold."""
    strategy = report.topic_strategy
    inline = {
        "action_type": report.action_type,
        "current_round": str(report.round),
        "max_rounds": str(report.max_rounds),
        "rounds_left": str(max(0, report.max_rounds - report.round)),
        "target_variables": words.comma.join(report.target_variables),
        **{name: _metric(text, words) for name, text in asdict(metrics).items()},
        "progress_suggestion": str(report.progress_suggestion),
        "exit_decision": _exit_text(report, words),
        "topic_strategy": strategy.text,
        "min_completeness_requirement": strategy.min_completeness_requirement,
        "retry_strategy": strategy.retry_strategy,
        "max_retry_count": strategy.max_retry_count,
        "engagement_trend": engagement_trend(report.trend, words),
        "emotion_trend": emotion_trend(report.trend, words),
        "task": report.task,
        "exit_condition": report.exit_condition,
        "topic_goal": report.topic_goal,
        "signals": words.semicolon.join(report.signals),
        "known_outputs": _known(report, words),
    }
    return {
        **{name: continued(text) for name, text in inline.items()},
        "dialogue": dialogue_text(_lines(report), words, longest=LONGEST_LINE),
        "client_replies": replies_text(report.earlier_replies, words, longest=LONGEST_REPLY),
    }


def _lines(report: AnalysisReport) -> tuple[DialogueLine, ...]:
    too_many = max(0, len(report.dialogue_before) + len(report.dialogue) - LINES)
    return (*report.dialogue_before[too_many:], *report.dialogue)


def _known(report: AnalysisReport, words: PromptWords) -> str:
    quotes = report.known_quotes
    return words.semicolon.join(
        f"{name} = {_with_quote(value_in_text(value), quotes.get(name, ''), words)}"
        for name, value in report.known_outputs.items()
    )


def _with_quote(value: str, said: str, words: PromptWords) -> str:
    """Return a value with the client's words for it, where these are others."""
    quoted = words.quotation.format(text=said[:LONGEST_VALUE]) if said not in {"", value} else ""
    return value[:LONGEST_VALUE] + quoted


def _metric(text: str, words: PromptWords) -> str:
    """Return a metric; a round without one has a stored word, which is told in the language."""
    told = words.monitor
    absent = {
        MISSING_METRIC: told.not_available,
        UNREADABLE_METRIC: told.not_readable,
        NOT_ASSESSED: told.not_assessed,
    }
    return absent.get(text.strip(), text)


def client_text(report: AnalysisReport) -> str:
    """Return the judged reply as the client wrote it."""
    texts = [line.text for line in report.dialogue if line.role is Role.CLIENT]
    return "\n".join(texts)


def _exit_text(report: AnalysisReport, words: PromptWords) -> str:
    state = words.monitor.ended if report.completed else words.monitor.goes_on
    kind = words.brackets.format(text=report.exit_reason) if report.exit_reason else ""
    reason = report.exit_decision.reason if report.exit_decision else ""
    return f"{state}{kind}" + (f"{words.colon}{reason}" if reason else "")


def _card(kind: str, report: AnalysisReport, metrics: ActionMetrics) -> dict[str, JsonValue]:
    metrics_given = {name: text for name, text in asdict(metrics).items() if text}
    return {
        "v": 1,
        "kind": kind,
        "stage": "turn",
        "user_input": client_text(report)[:LONGEST_LINE],
        "round": report.round,
        "max_rounds": report.max_rounds,
        "metrics": metrics_given,
        "progress_suggestion": str(report.progress_suggestion),
    }


def engagement_trend(rounds: Sequence[RoundMetrics], words: PromptWords) -> str:
    """Return how engaged the client was, oldest round first; empty when nothing is known."""
    return _trend(rounds, words, lambda metrics: metrics.user_engagement)


def emotion_trend(rounds: Sequence[RoundMetrics], words: PromptWords) -> str:
    """Return how intense the client's emotion was, oldest round first; empty when unknown."""
    return _trend(rounds, words, lambda metrics: metrics.emotional_intensity)


def _trend(
    rounds: Sequence[RoundMetrics], words: PromptWords, metric: Callable[[ActionMetrics], str]
) -> str:
    rows = ((one.round, metric(one.metrics).strip()) for one in rounds[-ROUNDS:])
    return words.semicolon.join(
        f"{words.round.format(round=number)}{words.colon}{text}"
        for number, text in rows
        if text not in _SAYS_NOTHING
    )
