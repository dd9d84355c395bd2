"""Masks the values of sensitive variables wherever they need not be shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, RuleFinding
from heartrule.domain.events import (
    ActionResultRecorded,
    EventBody,
    StrategyDecided,
    VariableChanged,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import Activity, ActivityKind, NodeExecutionFailed
from heartrule.domain.skipping import KnownAnswer, StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.thread_events import ThreadMessageAdded
from heartrule.domain.variables import ScopeSnapshot, VariableOperation, VariableValue

# Replaces a hidden value; its length is constant, so that it reveals nothing of the value.
MASK = "•••"
# Key of a result's metadata: by variable, the value and the quote that were not stored.
UNSUPPORTED = "unsupported"
# Shortest value that is masked inside a text: a single character occurs in most sentences.
_SHORTEST = 2


@dataclass(frozen=True, slots=True)
class SensitiveVariables:
    """The names of a session's sensitive variables, and how their values are masked."""

    names: frozenset[str] = frozenset()
    unknown: bool = False
    """True: the script that would name them cannot be read, so every value is masked."""

    def hides(self, name: str) -> bool:
        """Return whether values of the variable are masked."""
        return self.unknown or name in self.names

    def in_mapping(self, values: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Return values by name, the sensitive ones masked; an unset one stays unset."""
        if not self.names and not self.unknown:
            return values
        return {name: self._masked(name, value) for name, value in values.items()}

    def in_variable(self, variable: VariableValue) -> VariableValue:
        """Return a variable, its value and its earlier values masked if it is sensitive."""
        if not self.hides(variable.name):
            return variable
        name = variable.name
        past = tuple(
            replace(e, value=self._masked(name, e.value), quote=_hidden(e.quote))
            for e in variable.history
        )
        value, quote = self._masked(name, variable.value), _hidden(variable.quote)
        return replace(variable, value=value, quote=quote, history=past)

    def in_operation(self, operation: VariableOperation) -> VariableOperation:
        """Return an operation, its value and quote masked if its variable is sensitive."""
        if not self.hides(operation.variable_name):
            return operation
        masked = self._masked(operation.variable_name, operation.value)
        return replace(operation, value=masked, quote=_hidden(operation.quote))

    def in_snapshot(self, snapshot: ScopeSnapshot) -> ScopeSnapshot:
        """Return a snapshot with its sensitive values masked."""
        return replace(snapshot, variables=self.in_mapping(snapshot.variables))

    def in_body(self, body: EventBody) -> EventBody:
        """Return the body of an event with its sensitive values masked."""
        match body:
            case VariableChanged(variable_operation=operation):
                return replace(body, variable_operation=self.in_operation(operation))
            case ActionResultRecorded(action_result=result):
                shown = replace(
                    result,
                    extracted_variables=self.in_mapping(result.extracted_variables),
                    metadata=self._in_metadata(result.metadata),
                )
                return replace(body, action_result=shown)
            case StepSkipped(answers=answers) if answers:
                return replace(body, answers=tuple(map(self._in_answer, answers)))
            case StrategyDecided(strategy_decision=decision):
                return replace(body, strategy_decision=self.in_decision(decision))
            case DecisionMade() | DecisionValidated() | DecisionRejected() | WorkflowChanged():
                return masked_decision(body) if self.names or self.unknown else body
            case NodeExecutionFailed(message=message):
                return replace(body, message=self._in_any(message))
            case Activity(kind=ActivityKind.WORKFLOW_RUN, name=name):
                return replace(body, name=self._in_any(name))
            case ThreadMessageAdded(text=text):
                return replace(body, text=self._in_any(text))
            case _:
                return body

    def _in_any(self, text: str) -> str:
        """Return a text that may repeat any value, masked where there are such variables."""
        return _hidden(text) if self.names or self.unknown else text

    def in_decision(self, decision: StrategyDecision) -> StrategyDecision:
        """Return a recommendation whose profile is masked where the script has such variables."""
        if not self.names and not self.unknown:
            return decision
        # A field of the profile has a name of its own and may hold any of the variables.
        profile = dict.fromkeys(decision.context.user_profile, MASK)
        return replace(decision, context=replace(decision.context, user_profile=profile))

    def in_text(self, text: str, values: Mapping[str, JsonValue]) -> str:
        """Return a text in which every sensitive one of `values` is masked, longest first."""
        hidden = (value for name, value in values.items() if self.hides(name))
        words = {word for value in hidden for word in _words(value)}
        for word in sorted(words, key=len, reverse=True):
            if len(word) >= _SHORTEST:
                text = text.replace(word, MASK)
        return text

    def _in_answer(self, answer: KnownAnswer) -> KnownAnswer:
        if not self.hides(answer.variable):
            return answer
        masked = self._masked(answer.variable, answer.value)
        return replace(answer, value=masked, quote=_hidden(answer.quote))

    def _in_metadata(self, metadata: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        """Return a result's metadata; what was not stored for want of support is masked alike."""
        found = metadata.get(UNSUPPORTED)
        if not isinstance(found, Mapping):
            return metadata
        return {**metadata, UNSUPPORTED: dict(self.in_mapping(found))}

    def _masked(self, name: str, value: JsonValue) -> JsonValue:
        return MASK if self.hides(name) and value is not None else value


def masked_decision(
    body: DecisionMade | DecisionValidated | DecisionRejected | WorkflowChanged,
) -> EventBody:
    """Return an event of a decision without what a model wrote into it.

    Any of these texts may repeat a value, under no variable's name: each is masked as a whole.
    """
    match body:
        case DecisionMade(payload=payload):
            return replace(
                body, payload=without_texts(payload), written_type=_hidden(body.written_type)
            )
        case DecisionValidated(payload=payload, corrections=corrections):
            shown = tuple(map(_in_correction, corrections))
            return replace(body, payload=without_texts(payload), corrections=shown)
        case DecisionRejected(errors=errors):
            return replace(body, errors=tuple(map(_in_finding, errors)))
        case WorkflowChanged(name=name):
            return replace(body, name=_hidden(name))


def without_texts(value: JsonValue) -> JsonValue:
    """Return what a model wrote with its texts and numbers masked; names of fields stay."""
    if isinstance(value, str):
        return _hidden(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return MASK
    if isinstance(value, Mapping):
        return {name: without_texts(each) for name, each in value.items()}
    if isinstance(value, Sequence):
        return [without_texts(each) for each in value]
    return value


def _in_correction(correction: Correction) -> Correction:
    before, after = without_texts(correction.before), without_texts(correction.after)
    return replace(correction, before=before, after=after)


def _in_finding(finding: RuleFinding) -> RuleFinding:
    shown = _in_correction(finding.correction) if finding.correction else None
    return replace(finding, message=_hidden(finding.message), correction=shown)


def all_values(variables: Iterable[VariableValue]) -> dict[str, JsonValue]:
    """Return by name what variables hold and held before, in any scope: `in_text` masks it all."""
    found: dict[str, list[JsonValue]] = {}
    for each in variables:
        past = (earlier.value for earlier in each.history)
        found.setdefault(each.name, []).extend((each.value, *past))
    return dict(found)


def _hidden(quote: str) -> str:
    return quote and MASK


def _words(value: JsonValue) -> Iterator[str]:
    """Yield what a value says, item by item."""
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _words(each)
    elif value is not None:
        for each in value:
            yield from _words(each)
