"""The CEL that conditions are checked against: no macros, one environment for all conditions.

A number is compared with an integer as a person would: the standard operators are declared anew
with mixed pairs, which CEL's own checker refuses. The library is loaded with the first condition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from executor_service.conditions.source import SLOTS, SlotKind, slot_identifier

if TYPE_CHECKING:
    from cel_expr_python import cel

_ORDER = {"_<_": "less", "_<=_": "less_equal", "_>_": "greater", "_>=_": "greater_equal"}
_EQUALITY = {"_==_": "equal", "_!=_": "not_equal"}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "_+_": operator.add,
    "_-_": operator.sub,
    "_*_": operator.mul,
    "_/_": operator.truediv,
}


@cache
def cel_environment() -> cel.Env:
    """Return the environment with every slot a condition may use, made once a process."""
    from cel_expr_python import cel

    kinds = {
        SlotKind.TEXT: cel.Type.STRING,
        SlotKind.NUMBER: cel.Type.DOUBLE,
        SlotKind.INTEGER: cel.Type.INT,
        SlotKind.BOOLEAN: cel.Type.BOOL,
        SlotKind.PRESENT: cel.Type.BOOL,
    }
    slots = {slot_identifier(kind, n): type_ for kind, type_ in kinds.items() for n in range(SLOTS)}
    excluded = [*_ORDER, *_EQUALITY, *_ARITHMETIC, "@in"]
    config = cel.NewEnvConfigFromYaml(
        "name: conditions\nstdlib:\n  disable_macros: true\n  exclude_functions:\n"
        + "".join(f'    - name: "{name}"\n' for name in excluded)
    )
    return cel.NewEnv(config=config, variables=slots, functions=_operators())


def _operators() -> list[cel.FunctionDecl]:
    """Return the operators in place of the standard ones."""
    from cel_expr_python import cel

    text, true_false = cel.Type.STRING, cel.Type.BOOL
    numbers = [
        (a, b) for a in (cel.Type.INT, cel.Type.DOUBLE) for b in (cel.Type.INT, cel.Type.DOUBLE)
    ]
    ordered = [*numbers, (text, text)]
    equal = [*ordered, (true_false, true_false)]
    contained = [(item, cel.Type.List(listed)) for item, listed in equal]
    found = [_comparison(name, word, ordered) for name, word in _ORDER.items()]
    found += [_comparison(name, word, equal) for name, word in _EQUALITY.items()]
    found.append(_comparison("@in", "contained", contained))
    found += [_arithmetic(name, mixed) for name, mixed in _ARITHMETIC.items()]
    return found


def _comparison(
    name: str, word: str, pairs: Sequence[tuple[cel.Type, cel.Type]]
) -> cel.FunctionDecl:
    from cel_expr_python import cel

    overloads = [
        cel.Overload(id=f"{word}_{n}", return_type=cel.Type.BOOL, parameters=list(pair))
        for n, pair in enumerate(pairs)
    ]
    return cel.FunctionDecl(name, overloads)


def _arithmetic(name: str, mixed: Callable[[float, float], float]) -> cel.FunctionDecl:
    """Return an operator on numbers; CEL itself does equal types, `mixed` the others."""
    from cel_expr_python import cel

    whole, number, text = cel.Type.INT, cel.Type.DOUBLE, cel.Type.STRING
    same = [whole, number, *([text] if name == "_+_" else [])]
    word = mixed.__name__
    overloads = [
        cel.Overload(id=f"{word}_{n}", return_type=each, parameters=[each, each])
        for n, each in enumerate(same)
    ]
    overloads += [
        cel.Overload(id=f"{word}_mixed_{n}", return_type=number, parameters=pair, impl=mixed)
        for n, pair in enumerate(([whole, number], [number, whole]))
    ]
    return cel.FunctionDecl(name, overloads)
