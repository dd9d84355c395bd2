"""Events of a session as text for a person. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from heartrule.domain.action_result import GATHERED_AHEAD, ActionMetrics, ActionResult
from heartrule.domain.conversation import Completeness, Message, Role
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    EventBody,
    PlanEdited,
    SafetyChanged,
    SafetyRaised,
    StrategyDecided,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.sensitive import UNSUPPORTED
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import (
    ValueSupport,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)
from heartrule.words.failures import problem_sentence
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.text import one_line

_ARROW = " › "
_LONGEST_VALUE = 200
_PRINTED_ELSEWHERE = frozenset({"analysis", "exit_reason", UNSUPPORTED, GATHERED_AHEAD})
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
# A reply that was read without repair: true of most, so not worth a line.
_USUAL = (("parseRetryCount", 1), ("parseRetryCount", 0))
_METRICS = tuple(ActionMetrics.__dataclass_fields__)


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


def debug_lines(body: EventBody) -> tuple[str, ...]:
    """Return the lines of `--debug` for an event; none for most kinds."""
    match body:
        case ActionResultRecorded(action_result=result):
            return tuple(_result_lines(result))
        case AdviceChanged(advice=advice):
            return (advice_text(advice),)
        case AnalysisEnded():
            return (analysis_text(body),)
        case VariableChanged(variable_operation=operation):
            return (_operation_text(operation),)
        case StepSkipped():
            return (skipped_text(body),)
        case StrategyDecided(strategy_decision=decision):
            return (strategy_text(decision),)
        case PlanEdited(edit=edit):
            return (edit_text(edit),)
        case SafetyRaised() | SafetyChanged():
            return (safety_text(body),)
        case TurnEnded(degradations=degradations):
            return tuple(map(degradation_text, degradations))
        case _:
            return ()


def safety_text(body: SafetyRaised | SafetyChanged) -> str:
    """Return what was found, or the level and step a session has now."""
    if isinstance(body, SafetyRaised):
        return f"safety: {one_line(body.category)} (rule {one_line(body.rule)})"
    step = f", step {one_line(body.step)}" if body.step else ""
    return f"safety level: {body.level.name.lower()}{step}"


def advice_text(advice: Advice) -> str:
    """Return an advice: its state, its round and, while it is pending, its text."""
    about = f"{one_line(advice.action_id)} round {advice.about_round}"
    text = f"advice {advice.state} ({advice.severity}) on {about}"
    if advice.state is not AdviceState.PENDING:  # its text was printed when it was created
        return text
    return f"{text}: {one_line(advice.feedback_text)}"


def edit_text(edit: PlanEdit) -> str:
    """Return an edit of the plan: its action, its state and the reason."""
    done = str(edit.plan.action) if edit.plan else f"undo of {one_line(edit.undoes)}"
    reason = edit.plan.reason if edit.plan else ""
    why = f"{edit.rule}: {edit.problem}" if edit.rule else reason
    return f"plan edit {edit.state}: {done}" + (f" ({one_line(why)})" if why else "")


def analysis_text(ended: AnalysisEnded) -> str:
    """Return how an analysis ended."""
    reason = f" ({one_line(ended.reason)})" if ended.reason else ""
    return f"analysis of round {ended.about_round}: {ended.result}{reason}"


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
        f"{one_line(each.variable)} = {value_text(each.value)}{_by(each.quote, language)}"
        for each in skipped.answers
    )
    why = one_line(skipped.condition) or "; ".join(known)
    reason = f"{one_line(skipped.reason)}{variable}"
    return say("cli.show.skipped_step", place=place, why=why, reason=reason).told(language)


def _result_lines(result: ActionResult) -> Iterator[str]:
    """Yield a judged round; nothing for an opening that judged nothing and went well."""
    details = tuple(_result_details(result))
    if not details:
        return
    head = f"{one_line(result.action_id)} ({one_line(result.action_type)}) round {result.round}"
    suggestion = f", suggests {result.progress_suggestion}" if result.progress_suggestion else ""
    yield f"{head}{suggestion}"
    yield from (f"  {detail}" for detail in details)


def _result_details(result: ActionResult) -> Iterator[str]:
    for name in _METRICS if result.metrics else ():
        if value := getattr(result.metrics, name):
            yield f"{name}: {one_line(value)}"
    if decision := exit_text(result.exit_decision, result.exit_reason):
        yield f"exit: {decision}"
    yield from _values_heard(result.metadata)
    facts = {
        key: value
        for key, value in result.metadata.items()
        if key not in _PRINTED_ELSEWHERE and (key, value) not in _USUAL
    }
    if facts:
        yield f"facts: {value_text(facts)}"
    if result.error is not None:
        yield f"error: {problem_text(result.error)}"


def _values_heard(metadata: Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield what the client gave ahead of its question, and what was not stored."""
    ahead, refused = metadata.get(GATHERED_AHEAD), metadata.get(UNSUPPORTED)
    if isinstance(ahead, Sequence):
        yield f"gathered ahead: {', '.join(one_line(str(name)) for name in ahead)}"
    for name, claim in refused.items() if isinstance(refused, Mapping) else ():
        told = claim if isinstance(claim, Mapping) else {"value": claim}
        quote = _by(str(told.get("quote") or ""))
        yield f"unsupported: {one_line(name)} = {value_text(told.get('value'))}{quote}"


def _operation_text(operation: VariableOperation) -> str:
    scope = scope_text(operation.scope, operation.scope_id)
    name = one_line(operation.variable_name)
    if operation.operation is VariableOperationKind.DELETE:
        return f"{operation.operation} {name} ({scope})"
    value = value_text(operation.value)
    return f"{operation.operation} {name} = {value} ({scope}){support_text(operation)}"


def support_text(
    held: VariableOperation | VariableValue, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return what a value rests on and the client's words for it; empty where that is nothing."""
    if held.support is None:
        return ""
    # A plain value is its own quote.
    quote = "" if held.quote == str(held.value) else held.quote
    return f" · {_SUPPORT[held.support].told(language)}{_by(quote, language)}"


def _by(quote: str, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return the client's words for a value; empty where there are none."""
    words = say("cli.support.words", quote=one_line(quote)[:_LONGEST_VALUE])
    return words.told(language) if quote else ""


def degradation_text(degradation: Degradation) -> str:
    """Return a degradation with its facts."""
    facts = f" {value_text(dict(degradation.metadata))}" if degradation.metadata else ""
    return f"degraded: {one_line(degradation.stage)} {one_line(degradation.reason)}{facts}"


def _plain(value: object) -> object:
    """Return a read-only mapping or sequence as json writes it."""
    return dict(value) if isinstance(value, Mapping) else list(value)  # type: ignore[call-overload]
