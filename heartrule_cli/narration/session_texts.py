"""Parts of a session as text for a person: a place, a problem, an exit, a value. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping

from heartrule.domain.conversation import Completeness, Message, Role
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.problem import Problem
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import (
    ValueSupport,
    VariableOperation,
    VariableScope,
    VariableValue,
)
from heartrule.words.failures import problem_sentence
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.text import one_line

_ARROW = " › "
_LONGEST_VALUE = 200
# What a value rests on.
_SUPPORT = {
    ValueSupport.CLIENT_WORDS: say("cli.support.words_of_client"),
    ValueSupport.FORM: say("cli.support.form"),
    ValueSupport.UNQUOTED: say("cli.support.unquoted"),
    ValueSupport.INFERRED: say("cli.support.inferred"),
    ValueSupport.RUN: say("cli.support.run"),
}
_INCOMPLETE = {
    Completeness.TRUNCATED: say("cli.message.truncated"),
    Completeness.INTERRUPTED: say("cli.message.interrupted"),
    Completeness.PLACEHOLDER: say("cli.message.placeholder"),
}


def position_text(
    position: ExecutionPosition, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return `phase › topic › action · round 1 of 3`; empty before the first action.

    Beyond its last round (an exit_policy without rounds) an action has no bound to show.
    """
    ids = (position.phase_id, position.topic_id, position.action_id)
    place = _ARROW.join(one_line(part) for part in ids if part)
    if not place or not position.current_round:
        return place
    round_ = say("cli.place.round", number=position.current_round)
    if position.current_round <= position.max_rounds:
        round_ = say("cli.place.round_of", number=position.current_round, most=position.max_rounds)
    return f"{place} · {round_.told(language)}"


def spoken_text(message: Message, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return a message's text; a human counsellor's is marked."""
    if message.role is not Role.COUNSELLOR:
        return message.plain_text()
    return f"{say('cli.message.counsellor').told(language)} {message.plain_text()}"


def incompleteness(message: Message, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return the note below an incomplete message; empty for a complete one."""
    words = _INCOMPLETE.get(message.completeness)
    return words.told(language) if words else ""


def problem_text(problem: Problem | None, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return what went wrong, what to do and the stable reason, in a language."""
    if problem is None:
        return say("cli.failure.no_reason").told(language)
    told = problem_sentence(problem.reason, problem.message, problem.metadata, language)
    return f"{one_line(told)} ({one_line(problem.reason)})"


def exit_text(
    decision: ExitDecision | None,
    reason: ExitReason | None,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> str:
    """Return whether an action ends, who decided so and why; empty without a decision."""
    if decision is None:
        return ""
    verdict = "cli.exit.ends" if decision.should_exit else "cli.exit.goes_on"
    by = decision.decision_source
    told = say(
        verdict,
        source=say("cli.exit.by", source=say(f"cli.exit_source.{by}")) if by else "",
        kind=say("cli.exit.kind", kind=say(f"cli.exit_reason.{reason}")) if reason else "",
        why=say("cli.exit.why", why=one_line(decision.reason)) if decision.reason else "",
    )
    return told.told(language)


def value_text(value: JsonValue) -> str:
    """Return a variable's value as JSON on one line, cut where it is long."""
    plain = json.dumps(value, ensure_ascii=False, default=_plain)
    text = one_line(plain)
    return text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"


def scope_text(
    scope: VariableScope, scope_id: str, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return a scope with its phase's or topic's id."""
    named = say(f"cli.scope_of.{scope}").told(language)
    return f"{named} {one_line(scope_id)}" if scope_id else named


def strategy_text(
    decision: StrategyDecision, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return a recommendation and its action."""
    told = say(
        "cli.show.recommended",
        about=say("cli.show.about", action=one_line(decision.action_id), round=decision.round),
        text=one_line(decision.recommendation.strategy_prompt),
    )
    return told.told(language)


def skipped_text(skipped: StepSkipped, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return a step that was skipped, with its condition, or what was known, and the reason."""
    ids = (skipped.phase_id, skipped.topic_id, skipped.action_id)
    place = _ARROW.join(one_line(part) for part in ids if part)
    variable = f" {one_line(skipped.variable)}" if skipped.variable else ""
    known = (
        f"{one_line(each.variable)} = {value_text(each.value)}{quoted_words(each.quote, language)}"
        for each in skipped.answers
    )
    why = one_line(skipped.condition) or "; ".join(known)
    reason = f"{one_line(skipped.reason)}{variable}"
    return say("cli.show.skipped_step", place=place, why=why, reason=reason).told(language)


def support_text(
    held: VariableOperation | VariableValue, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return what a value rests on and the client's words for it; empty where that is nothing."""
    if held.support is None:
        return ""
    # A plain value is its own quote.
    quote = "" if held.quote == str(held.value) else held.quote
    return f" · {_SUPPORT[held.support].told(language)}{quoted_words(quote, language)}"


def quoted_words(quote: str, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return the client's words for a value; empty where there are none."""
    words = say("cli.support.words", quote=one_line(quote)[:_LONGEST_VALUE])
    return words.told(language) if quote else ""


def _plain(value: object) -> object:
    """Return a read-only mapping or sequence as json writes it."""
    return dict(value) if isinstance(value, Mapping) else list(value)  # type: ignore[call-overload]
