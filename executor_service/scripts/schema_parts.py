"""JSON Schema of each mapping of the language, made from the loader's own table of its keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from executor_service.scripts import schema_words as say
from executor_service.scripts.configs import ActionType, ConditionOperator, FieldType
from executor_service.scripts.criteria import ORDERED
from executor_service.scripts.forms import BOUNDED, MAX_FIELDS
from executor_service.scripts.keys import (
    CRITERIA,
    CUSTOM_CONDITION,
    DECLARATION,
    EXIT_POLICY,
    FORM,
    FORM_FIELD,
    INPUT,
    INPUT_PARAMETER,
    MONITOR,
    OUTPUT,
    ROLE,
    SKILL_INPUT,
    SKILL_OUTPUT,
    STRATEGY,
    Shape,
)
from executor_service.scripts.model import Cadence
from executor_service.scripts.monitor import MAX_WAIT_FOR_ADVICE_MS, MOST_ROUNDS_BETWEEN
from executor_service.scripts.phases import MAX_MERGE_WINDOW_MS
from executor_service.scripts.schema_values import (
    DATE_PATTERN,
    Schema,
    boolean,
    full_text,
    has,
    integer,
    items,
    must,
    one_of,
    ref,
    text,
    without,
    words,
)
from heartrule.domain.conversation import IfBusy
from heartrule.domain.exits import DecisionSource
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope

_ANY_NUMBER: Schema = {"type": "number"}


def mapping(
    shape: Shape,
    values: Mapping[str, Schema],
    told: Mapping[str, str],
    *,
    required: Iterable[str] = (),
    rules: Iterable[Schema] = (),
) -> Schema:
    """Return the schema of a mapping with exactly the keys of `shape`.

    Raises:
        KeyError: A key of the table has no value, or nothing is told about it.
    """
    found: Schema = {
        "type": "object",
        "properties": {key: {"description": told[key], **values[key]} for key in shape.keys},
        "additionalProperties": False,
    }
    if required := list(required):
        found["required"] = required
    if rules := list(rules):
        found["allOf"] = rules
    return found


def optional(part: Schema) -> Schema:
    """Return a mapping or list that may also be left empty."""
    return {**part, "type": [str(part["type"]), "null"]}


def when(condition: Schema, then: Schema) -> Schema:
    """Return the rule that `then` must hold where the condition does."""
    return {"if": condition, "then": then}


def unless(condition: Schema, demand: Schema) -> Schema:
    """Return the rule that the demand must hold where the condition does not."""
    return {"if": condition, "else": demand}


def switch() -> Schema:
    """Return on, off or nothing."""
    return words(("on", "off"), says=say.NOTHING)


def options() -> Schema:
    """Return the values of a choice."""
    option: Schema = {"type": ["string", "number", "boolean"], "minLength": 1}
    return {"type": ["array", "null"], "items": option, "minItems": 1}


def output() -> Schema:
    """Return an output."""
    values: dict[str, Schema] = {
        "get": ref("free_variable"),
        "define": text(),
        "type": words(OutputType, says=say.NOTHING),
        "options": options(),
        "sensitive": boolean(default=False),
    }
    choice = one_of("type", [OutputType.CHOICE])
    typed = one_of("type", [kind for kind in OutputType if kind is not OutputType.CHOICE])
    rules = (when(choice, must("options")), when(typed, without("options")))
    return mapping(OUTPUT, values, say.OUTPUT, required=("get",), rules=rules)


def declaration(scopes: Iterable[VariableScope]) -> Schema:
    """Return a declaration for a place that may declare for these scopes."""
    values: dict[str, Schema] = {
        "var": ref("variable"),
        "define": text(),
        "value": {},
        "scope": words(scopes, says=say.NOTHING),
        "type": words(OutputType, says=say.NOTHING),
    }
    fits: dict[OutputType, Schema] = {
        OutputType.TEXT: {"type": ["string", "null"]},
        OutputType.CHOICE: {"type": ["string", "null"]},
        OutputType.NUMBER: {"type": ["number", "null"]},
        OutputType.INTEGER: {"type": ["integer", "null"]},
        OutputType.BOOLEAN: {"type": ["boolean", "null"]},
        OutputType.DATE: {"type": ["string", "null"], "pattern": f"^{DATE_PATTERN}$"},
    }
    rules = [
        when(one_of("type", [kind]), {"properties": {"value": fits[kind]}}) for kind in OutputType
    ]
    return mapping(DECLARATION, values, say.DECLARATION, required=("var",), rules=rules)


def role() -> Schema:
    """Return a role."""
    values = {"role": full_text(), "name": full_text(), "tone": text(), "define": text()}
    return mapping(ROLE, values, say.ROLE, required=("role", "name"))


def session_input() -> Schema:
    """Return what happens to messages that come in pieces."""
    values: dict[str, Schema] = {
        "if_busy": {**words(IfBusy, says=say.IF_BUSY), "default": IfBusy.MERGE.value},
        "merge_window_ms": integer(least=0, most=MAX_MERGE_WINDOW_MS, default=0),
    }
    return optional(mapping(INPUT, values, say.INPUT))


def strategy() -> Schema:
    """Return a topic's strategy: a text, or its three keys."""
    words_or_number: Schema = {"type": ["string", "number", "null"]}
    keys = mapping(STRATEGY, dict.fromkeys(STRATEGY.keys, words_or_number), say.STRATEGY)
    return {**keys, "type": ["string", "object", "null"]}


def monitor() -> Schema:
    """Return how often the monitor is asked, and the wait for its advice."""
    every_n = Cadence.EVERY_N.value
    values: dict[str, Schema] = {
        "cadence": words(Cadence, says=say.CADENCES),
        "n": integer(least=2, most=MOST_ROUNDS_BETWEEN),
        "wait_for_advice_ms": integer(least=0, most=MAX_WAIT_FOR_ADVICE_MS),
    }
    needs_n = when(has("cadence", {"const": every_n}), must("n"))
    return optional(mapping(MONITOR, values, say.MONITOR, rules=(needs_n,)))


def exit_policy() -> Schema:
    """Return which sources may end an action."""
    source = words(DecisionSource, required=True, says=say.SOURCES)
    listed: Schema = {"type": "array", "items": source}
    made = mapping(
        EXIT_POLICY, {"enabled_sources": listed}, say.EXIT_POLICY, required=("enabled_sources",)
    )
    return optional(made)


def exit_criteria(kind: ActionType) -> Schema:
    """Return the criteria an action of that type may have."""
    values: dict[str, Schema] = {
        "understanding_threshold": {"type": ["number", "null"], "minimum": 0, "maximum": 100},
        "has_questions": {"type": ["boolean", "null"]},
        "min_rounds": integer(least=1),
        "custom_conditions": items(ref("custom_condition")),
    }
    some: Schema = {"anyOf": [must(key) for key in reversed(CRITERIA[kind].keys)]}
    made = mapping(CRITERIA[kind], values, say.CRITERIA, rules=[some])
    return optional(made)


def custom_condition() -> Schema:
    """Return a comparison; what has an order is compared with a number or a date."""
    values: dict[str, Schema] = {
        "variable": ref("variable"),
        "operator": words(ConditionOperator, required=True, says=say.NOTHING),
        "value": {"type": ["string", "number", "boolean"]},
    }
    number = r"[+-]?[0-9]+(?:\.[0-9]+)?"
    ordered: Schema = {"type": ["string", "number"], "pattern": f"^(?:{number}|{DATE_PATTERN})$"}
    compared = when(one_of("operator", sorted(ORDERED)), {"properties": {"value": ordered}})
    return mapping(
        CUSTOM_CONDITION,
        values,
        say.CUSTOM_CONDITION,
        required=CUSTOM_CONDITION.keys,
        rules=[compared],
    )


def form() -> Schema:
    """Return a form."""
    values = {"title": full_text(), "fields": items(ref("form_field"), least=1, most=MAX_FIELDS)}
    return mapping(FORM, values, say.FORM, required=FORM.keys)


def form_field() -> Schema:
    """Return a field of a form; bounds and options belong to some types only."""
    number: Schema = {"type": ["number", "null"]}
    values: dict[str, Schema] = {
        "name": ref("free_variable"),
        "label": text(),
        "type": {**words(FieldType, says=say.NOTHING), "default": FieldType.TEXT.value},
        "options": options(),
        "min": number,
        "max": number,
        "required": boolean(default=True),
    }
    whole: dict[str, JsonValue] = {key: {"type": ["integer", "null"]} for key in ("min", "max")}
    scale, choice = [FieldType.SCALE], [FieldType.CHOICE]
    rules = (
        when(one_of("type", choice), must("options")),
        unless(one_of("type", [*choice, *scale]), without("options")),
        unless(one_of("type", sorted(BOUNDED)), without("min", "max")),
        when(one_of("type", [FieldType.INTEGER, *scale]), {"properties": whole}),
        when(one_of("type", scale), {"allOf": [must("min"), must("max")]}),
    )
    return mapping(FORM_FIELD, values, say.FORM_FIELD, required=("name",), rules=rules)


def skill_input() -> Schema:
    """Return a value handed to a skill."""
    values: dict[str, Schema] = {
        "name": ref("variable"),
        "value": {"type": ["string", "number", "boolean"]},
    }
    return mapping(SKILL_INPUT, values, say.SKILL_INPUT, required=SKILL_INPUT.keys)


def skill_output() -> Schema:
    """Return a value taken from a skill."""
    values = {"get": ref("free_variable"), "from": ref("variable")}
    return mapping(SKILL_OUTPUT, values, say.SKILL_OUTPUT, required=SKILL_OUTPUT.keys)


def input_parameter() -> Schema:
    """Return an input parameter of a technique."""
    values = {"name": ref("variable"), "description": text(), "required": boolean(default=True)}
    return mapping(INPUT_PARAMETER, values, say.INPUT_PARAMETER, required=("name",))


def on_error_needs(condition: str) -> Schema:
    """Return the rule that `on_error` stands beside a condition only."""
    return when(has("on_error", {"type": "string"}), must(condition))
