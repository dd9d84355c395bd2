"""Conditions of workflows: CEL in which each `${…}` is a value of any type.

They stand at edges, in LOOP and in CONDITION nodes. Values are data: they enter as values, never as
text of the expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from executor_service.conditions.expression import (
    NOT_COMPUTABLE,
    TOO_LARGE,
    WRONG_TYPE,
    Evaluation,
)
from executor_service.conditions.operators import INCLUDES, dynamic_operators, language_without
from executor_service.conditions.source import ConditionError
from heartrule.domain.json_value import JsonValue

if TYPE_CHECKING:
    from cel_expr_python import cel

LARGEST = 1024
"""Bytes of a condition in UTF-8."""
# Each slot is declared to CEL once; nobody writes sixty into a kilobyte by chance.
MOST_REFERENCES = 60

MOST_VALUES = 20_000
"""Values that one condition reads, those within others counted: nothing else runs meanwhile."""
MOST_CHARACTERS = 131_072
"""Characters of the texts among them."""
# A pattern of a few characters may take minutes on a text of some thousand.
_LEFT_OUT = ("contains", "matches")

_TOKEN = re.compile(
    r"(?P<triple>'''|\"\"\")"
    r"|(?P<text>(?:[rR][bB]?|[bB][rR])(?:'[^'\n]*'|\"[^\"\n]*\")"
    r"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<comment>//[^\n]*)"
    r"|(?P<reference>\$\{(?P<inner>[^{}]*)\})"
    r"|(?P<open>\$\{)"
    r"|(?P<contains>\.\s*contains\b(?=\s*\())",
    re.DOTALL,
)
# CEL's text is UTF-8, which has no lone surrogates; NUL is refused with them.
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_PROBLEM = re.compile(r"ERROR: <input>:(\d+):(\d+): ([^\n]*)")
_SLOT = re.compile(r"\bs\d\d\b")
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExpression:
    """A condition that compiles; equal where the text is."""

    source: str
    references: tuple[str, ...]
    """What stands between the braces of each `${…}`, once each, in order."""
    # A cel.Expression, which only the library can name.
    program: Any = field(compare=False, repr=False)

    def evaluate(self, values: Mapping[str, JsonValue]) -> Evaluation:
        """Return whether it holds for the values, by their references; never raises.

        A value that is absent is null. What is neither true nor false is an evaluation without
        a value, as is one that cannot be computed, or that would read too much.
        """
        if _is_much(values.get(reference) for reference in self.references):
            return Evaluation(value=None, reason=TOO_LARGE)
        try:
            data = {
                _slot(number): _storable(values.get(reference))
                for number, reference in enumerate(self.references)
            }
            result = self.program.eval(data=data)
            value, kind = result.value(), result.type().name()
        except Exception:  # noqa: BLE001  a foreign library, or a value too deep for it: no decision
            return Evaluation(value=None, reason=NOT_COMPUTABLE)
        if isinstance(value, bool):
            return Evaluation(value=value)
        reason = NOT_COMPUTABLE if kind == "ERROR" else WRONG_TYPE
        return Evaluation(value=None, reason=reason)


def compile_plan_condition(text: str) -> PlanExpression:
    """Return the compiled condition.

    Raises:
        ConditionError: It is too large, cannot be read, or yields neither true nor false.
    """
    if not text.strip():
        raise ConditionError("the condition is empty", 0)
    if unusable := _NO_TEXT.search(text):
        raise ConditionError("this character belongs in no text", unusable.start())
    if len(text.encode()) > LARGEST:
        raise ConditionError(f"a condition has at most {LARGEST} bytes", 0)
    source, references = _slotted(text)
    try:
        program = _environment().compile(source)
    except (RuntimeError, ValueError) as refused:  # the library has no error class of its own
        raise _explained(str(refused), source) from None
    if (yields := program.return_type().name()) not in {"BOOL", "DYN"}:
        raise ConditionError(f"a condition is true or false; this one yields {yields.lower()}", 0)
    return PlanExpression(source=text, references=references, program=program)


def _slotted(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the CEL text, as long as the author's, and the references behind its slots."""
    numbers: dict[str, int] = {}

    def replaced(found: re.Match[str]) -> str:
        if found["contains"]:
            return found[0].replace("contains", INCLUDES)
        if not found["inner"]:
            if problem := _misplaced(found):
                raise ConditionError(problem, found.start())
            return found[0]
        number = numbers.setdefault(found["inner"], len(numbers))
        if number >= MOST_REFERENCES:
            raise ConditionError(
                f"a condition names at most {MOST_REFERENCES} references", found.start()
            )
        # `${x}` is longer than its slot, so a blank keeps the slot apart from a word before it.
        return f" {_slot(number)}".ljust(len(found[0]))

    if stray := _SLOT.search(_TOKEN.sub(lambda found: " " * len(found[0]), text)):
        raise ConditionError(f"{stray[0]} is no reference; write ${{node.output.x}}", stray.start())
    return _TOKEN.sub(replaced, text), tuple(numbers)


def _misplaced(found: re.Match[str]) -> str:
    """Return why a token that is no reference cannot stay as it is; empty: it can."""
    if found["triple"]:
        return "a text stands in single quotes: 'a'"
    if found["open"] or found["reference"]:
        return "this reference cannot be read: ${node.output.x}"
    if found["text"] and "${" in found["text"]:
        return "a reference stands outside the quotes: ${x} == 'a'"
    return ""


def _slot(number: int) -> str:
    return f"s{number:02d}"


def _is_much(values: Iterable[JsonValue]) -> bool:
    """Return whether values are more than a condition reads; none are counted beyond that."""
    left = list(values)
    count, characters = len(left), 0
    while left and count <= MOST_VALUES and characters <= MOST_CHARACTERS:
        each = left.pop()
        if isinstance(each, str):
            characters += len(each)
        elif isinstance(each, Mapping | list | tuple):
            count += len(each)
            if count <= MOST_VALUES:
                left.extend(each.values() if isinstance(each, Mapping) else each)
                characters += sum(map(len, each)) if isinstance(each, Mapping) else 0
    return count > MOST_VALUES or characters > MOST_CHARACTERS


def _storable(value: JsonValue) -> JsonValue:
    """Return a value whose texts UTF-8 can hold; a lone surrogate becomes U+FFFD."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_LONE.sub("\ufffd", key): _storable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(each) for each in value]
    return value


def _explained(refusal: str, source: str) -> ConditionError:
    """Return the library's first complaint, at its place."""
    if "recursion" in refusal:
        return ConditionError("the condition nests too deep", 0)
    found = _PROBLEM.search(refusal)
    if found is None:
        return ConditionError("the condition cannot be read", 0)
    problem = found[3].removeprefix("Syntax error: ").split(" expecting ")[0]
    lines = source.split("\n")
    offset = sum(len(each) + 1 for each in lines[: int(found[1]) - 1]) + int(found[2]) - 1
    return ConditionError(problem.replace(" (in container '')", ""), min(offset, len(source)))


@cache
def _environment() -> cel.Env:
    """Return the environment with every slot a condition may use, made once a process."""
    from cel_expr_python import cel  # late: without workflows it is never loaded

    operators = dynamic_operators()
    return cel.NewEnv(
        config=cel.NewEnvConfigFromYaml(language_without((*operators, *_LEFT_OUT))),
        variables={_slot(number): cel.Type.DYN for number in range(MOST_REFERENCES)},
        functions=list(operators.values()),
    )
