"""Events of a session as the lines of `--debug`. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from heartrule.domain.action_result import GATHERED_AHEAD, ActionMetrics, ActionResult
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
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.problem import Degradation
from heartrule.domain.sensitive import UNSUPPORTED
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import VariableOperation, VariableOperationKind
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say
from heartrule_cli.narration.session_texts import (
    exit_text,
    problem_text,
    quoted_words,
    scope_text,
    skipped_text,
    strategy_text,
    support_text,
    value_text,
)
from heartrule_cli.text import one_line

_PRINTED_ELSEWHERE = frozenset({"analysis", "exit_reason", UNSUPPORTED, GATHERED_AHEAD})
# A reply that was read without repair: true of most, so not worth a line.
_USUAL = (("parseRetryCount", 1), ("parseRetryCount", 0))
_METRICS = tuple(ActionMetrics.__dataclass_fields__)
_ENGLISH = ReaderLanguage.ENGLISH


def debug_lines(body: EventBody, language: ReaderLanguage = _ENGLISH) -> tuple[str, ...]:
    """Return the lines of `--debug` for an event; none for most kinds."""
    match body:
        case ActionResultRecorded(action_result=result):
            return tuple(_result_lines(result, language))
        case VariableChanged(variable_operation=operation):
            return (_operation_text(operation, language),)
        case StepSkipped():
            return (skipped_text(body, language),)
        case StrategyDecided(strategy_decision=decision):
            return (strategy_text(decision, language),)
        case PlanEdited(edit=edit):
            return (edit_text(edit, language),)
        case TurnEnded(degradations=degradations):
            return tuple(degradation_text(each, language) for each in degradations)
        case _:
            told = _words_of(body)
            return (told.told(language),) if told else ()


def edit_text(edit: PlanEdit, language: ReaderLanguage = _ENGLISH) -> str:
    """Return an edit of the plan: its action, its state and the reason."""
    undone = say("cli.debug.undo", edit=one_line(edit.undoes))
    reason = edit.plan.reason if edit.plan else ""
    why = f"{edit.rule}: {edit.problem}" if edit.rule else reason
    told = say(
        "cli.debug.edit",
        state=say(f"cli.edit_state.{edit.state}"),
        done=say(f"cli.edit.{edit.plan.action}") if edit.plan else undone,
        why=say("cli.exit.kind", kind=one_line(why)) if why else "",
    )
    return told.told(language)


def degradation_text(degradation: Degradation, language: ReaderLanguage = _ENGLISH) -> str:
    """Return a degradation with its facts."""
    told = say(
        "cli.debug.degraded",
        stage=one_line(degradation.stage),
        reason=one_line(degradation.reason),
        facts=f" {value_text(dict(degradation.metadata))}" if degradation.metadata else "",
    )
    return told.told(language)


def _words_of(body: EventBody) -> Words | None:
    match body:
        case AdviceChanged(advice=advice):
            return _advice(advice)
        case AnalysisEnded(about_round=round_, result=result, reason=reason):
            why = say("cli.exit.kind", kind=one_line(reason)) if reason else ""
            how = say(f"cli.analysis.{result}")
            return say("cli.debug.analysis", round=round_, result=how, why=why)
        case SafetyRaised(category=category, rule=rule):
            return say("cli.debug.hit", category=one_line(category), rule=one_line(rule))
        case SafetyChanged(level=level, step=step):
            at = say("cli.debug.step", step=one_line(step)) if step else ""
            return say("cli.debug.level", level=say(f"cli.level.{level.name.lower()}"), step=at)
        case _:
            return None


def _advice(advice: Advice) -> Words:
    """Return an advice: its state, its round and, while it is pending, its text."""
    # Its text is printed when it is created.
    is_new = advice.state is AdviceState.PENDING
    return say(
        "cli.debug.advice",
        state=say(f"cli.advice.{advice.state}"),
        severity=say(f"cli.severity.{advice.severity}"),
        about=say("cli.show.about", action=one_line(advice.action_id), round=advice.about_round),
        text=say("cli.exit.why", why=one_line(advice.feedback_text)) if is_new else "",
    )


def _result_lines(result: ActionResult, language: ReaderLanguage) -> Iterator[str]:
    """Yield a judged round; nothing for an opening that judged nothing and went well."""
    details = tuple(_result_details(result, language))
    if not details:
        return
    suggested = result.progress_suggestion
    head = say(
        "cli.debug.round",
        action=one_line(result.action_id),
        type=one_line(result.action_type),
        round=result.round,
        suggested=say("cli.debug.suggested", what=say(f"cli.suggestion.{suggested}"))
        if suggested
        else "",
    )
    yield head.told(language)
    yield from (f"  {detail}" for detail in details)


def _result_details(result: ActionResult, language: ReaderLanguage) -> Iterator[str]:
    for name in _METRICS if result.metrics else ():
        if value := getattr(result.metrics, name):
            yield f"{name}: {one_line(value)}"
    if decision := exit_text(result.exit_decision, result.exit_reason, language):
        yield say("cli.debug.exit", decision=decision).told(language)
    yield from _values_heard(result.metadata, language)
    facts = {
        key: value
        for key, value in result.metadata.items()
        if key not in _PRINTED_ELSEWHERE and (key, value) not in _USUAL
    }
    if facts:
        yield say("cli.debug.facts", facts=value_text(facts)).told(language)
    if result.error is not None:
        yield say("cli.debug.error", why=problem_text(result.error, language)).told(language)


def _values_heard(metadata: Mapping[str, JsonValue], language: ReaderLanguage) -> Iterator[str]:
    """Yield what the client gave ahead of its question, and what was not stored."""
    ahead, refused = metadata.get(GATHERED_AHEAD), metadata.get(UNSUPPORTED)
    if isinstance(ahead, Sequence):
        names = tuple(one_line(str(name)) for name in ahead)
        yield say("cli.debug.ahead", names=names).told(language)
    for name, claim in refused.items() if isinstance(refused, Mapping) else ():
        told = claim if isinstance(claim, Mapping) else {"value": claim}
        quote = quoted_words(str(told.get("quote") or ""), language)
        value = f"{one_line(name)} = {value_text(told.get('value'))}{quote}"
        yield say("cli.debug.unsupported", value=value).told(language)


def _operation_text(done: VariableOperation, language: ReaderLanguage) -> str:
    is_gone = done.operation is VariableOperationKind.DELETE
    told = say(
        "cli.debug.operation",
        operation=say(f"cli.operation.{done.operation}"),
        name=one_line(done.variable_name),
        value="" if is_gone else f" = {value_text(done.value)}",
        scope=scope_text(done.scope, done.scope_id, language),
        support="" if is_gone else support_text(done, language),
    )
    return told.told(language)
