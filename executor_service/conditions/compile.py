"""Compiling and checking a condition when its script is loaded (SCRIPT-LANGUAGE, Conditions)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from executor_service.conditions.expression import Expression
from executor_service.conditions.operators import language_without, typed_operators
from executor_service.conditions.source import (
    SLOTS,
    CelSource,
    ConditionError,
    SlotKind,
    slot_identifier,
    to_cel,
)
from heartrule.domain.output_type import OutputType
from heartrule.words.words import Said, Words, say

if TYPE_CHECKING:
    from cel_expr_python import cel

__all__ = ["ConditionError", "compile_condition"]

_PROBLEM = re.compile(r"ERROR: <input>:(\d+):(\d+): ([^\n]*)")
_OVERLOAD = re.compile(r"no matching overload for '([^']+)' applied to '(?:[\w<>]+\.)?\((.*)\)'")
_WORDS = {
    "string": say("type.text"),
    "int": say("type.integer"),
    "double": say("type.number"),
    "bool": say("type.truth"),
}
_NUMERIC = frozenset({"int", "double"})
_JOINING = frozenset({"&&", "||", "!"})


def compile_condition(
    text: str, types: Mapping[str, OutputType], lists: Collection[str] = ()
) -> Expression:
    """Return the compiled condition; what it returns is certainly true or false.

    Args:
        text: CEL in which `{name}` stands for a variable's value and `has({name})` asks whether
            it has one.
        types: Declared types; a name that is absent is text.
        lists: Names of variables that hold a list of records.

    Raises:
        ConditionError: What is wrong, at its offset in code points.
    """
    source = to_cel(text, types, lists)
    environment = _environment()
    try:
        program = environment.compile(source.text)
    except (RuntimeError, ValueError) as refused:  # the library has no error class of its own
        raise _explained(str(refused), source) from None
    result = program.return_type().name().lower()
    if result != "bool":
        raise ConditionError(say("condition.yields", kind=_word(result)), 0)
    for offset, pattern in source.patterns:
        if environment.compile(f"''.matches{pattern}").eval(data={}).value() not in {True, False}:
            raise ConditionError(say("condition.no_pattern"), offset)
    return Expression(source=text, slots=source.slots, program=program)


def _explained(refusal: str, source: CelSource) -> ConditionError:
    """Return the library's first complaint in the words of a script's author."""
    if "recursion depth" in refusal:
        return ConditionError(say("condition.long_sum"), 0)
    found = _PROBLEM.search(refusal)
    if found is None:
        return ConditionError(say("condition.unreadable"), 0)
    line, column, problem = int(found[1]), int(found[2]), found[3]
    lines = source.text.split("\n")
    offset = sum(len(each) + 1 for each in lines[: line - 1]) + column - 1
    offset = min(max(offset, 0), len(source.text))
    overload = _OVERLOAD.search(problem)
    if overload is not None:
        return ConditionError(_mismatch(overload[1], overload[2], offset, source), offset)
    return ConditionError(_syntax(problem), offset)


def _mismatch(function: str, types: str, offset: int, source: CelSource) -> Words:
    """Say which types do not go together; where a text should be a number, how to make it one."""
    operands = types.split(", ")
    sign = "in" if function == "@in" else function.strip("_")
    message = _misfit(sign, operands)
    if sign in _JOINING and "string" in operands:
        name = _text_beside(offset, source)
        return say("condition.ask_has", message=message, name=name or "x")
    flat = {each.removeprefix("list(").removesuffix(")") for each in operands}
    if sign.isidentifier() and sign != "in":
        return message
    if "string" not in flat or not flat & _NUMERIC:
        return message
    name = _text_beside(offset, source)
    if name is None:
        return say("condition.number_without_quotes", message=message)
    return say("condition.declare_number", message=message, name=name)


def _text_beside(offset: int, source: CelSource) -> str | None:
    """Return the text variable that is an operand of the operator at an offset."""
    before = len(source.text[:offset].rstrip())
    for at, slot in source.mentions:
        # A slot is padded, so blanks before an operator may be its own.
        left = at + len(slot.identifier) == before
        right = at > offset and not source.text[offset:at].strip(" \n\t(<>=!+-*/&|in")
        if slot.kind is SlotKind.TEXT and (left or right):
            return slot.name
    return None


def _misfit(sign: str, operands: Sequence[str]) -> Words:
    if len(operands) == 1:
        return say("condition.misfit_one", sign=sign, kind=_word(operands[0]))
    *rest, last = map(_word, operands)
    return say("condition.misfit", sign=sign, kinds=tuple(rest), last=last)


def _word(type_name: str) -> Words:
    if type_name.startswith("list"):
        return say("kind.list")
    return _WORDS.get(type_name, say("type.other"))


def _syntax(problem: str) -> Said:
    """Shorten a message about the grammar; lists of tokens do not help an author."""
    problem = problem.removeprefix("Syntax error: ").split(" expecting ")[0]
    if "<EOF>" in problem:
        return say("condition.ends_early")
    return say("condition.syntax", problem=problem)


@cache
def _environment() -> cel.Env:
    """Return the environment with every slot a condition may use, made once a process.

    It has no macros. A number is compared with an integer as a person would: the standard operators
    are declared anew with mixed pairs, which CEL's own checker refuses.
    """
    from cel_expr_python import cel  # late: without conditions it is never loaded

    kinds = {
        SlotKind.TEXT: cel.Type.STRING,
        SlotKind.NUMBER: cel.Type.DOUBLE,
        SlotKind.INTEGER: cel.Type.INT,
        SlotKind.BOOLEAN: cel.Type.BOOL,
        SlotKind.PRESENT: cel.Type.BOOL,
        SlotKind.RECORDS: cel.Type.List(cel.Type.Map(cel.Type.STRING, cel.Type.DYN)),
    }
    slots = {slot_identifier(kind, n): type_ for kind, type_ in kinds.items() for n in range(SLOTS)}
    operators = typed_operators()
    return cel.NewEnv(
        config=cel.NewEnvConfigFromYaml(language_without(operators)),
        variables=slots,
        functions=list(operators.values()),
    )
