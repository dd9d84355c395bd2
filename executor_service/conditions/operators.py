"""CEL's operators on numbers of both kinds, which its own checker never mixes (Conditions).

An integer and a number compare and add up as a person expects: the standard operators are left out
of the language and declared anew, with mixed pairs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cel_expr_python import cel

INCLUDES = "includes"
"""What `contains` is called in the language of plans; as long, so that offsets stay."""
_ORDER = {"_<_": "less", "_<=_": "less_equal", "_>_": "greater", "_>=_": "greater_equal"}
_EQUALITY = {"_==_": "equal", "_!=_": "not_equal"}
_ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "_+_": operator.add,
    "_-_": operator.sub,
    "_*_": operator.mul,
    "_/_": operator.truediv,
}


def language_without(operators: Iterable[str]) -> str:
    """Return the configuration of a language that has no macros and none of these operators."""
    return "name: conditions\nstdlib:\n  disable_macros: true\n  exclude_functions:\n" + "".join(
        f'    - name: "{name}"\n' for name in operators
    )


def typed_operators() -> Mapping[str, cel.FunctionDecl]:
    """Return operators for values of declared types; what is equal to another kind is an error."""
    from cel_expr_python import cel

    numbers = _pairs_of_numbers()
    ordered = [*numbers, (cel.Type.STRING, cel.Type.STRING)]
    equal = [*ordered, (cel.Type.BOOL, cel.Type.BOOL)]
    contained = [(item, cel.Type.List(listed)) for item, listed in equal]
    return {
        **{name: _comparison(name, word, ordered) for name, word in _ORDER.items()},
        **{name: _comparison(name, word, equal) for name, word in _EQUALITY.items()},
        "@in": _comparison("@in", "contained", contained),
        **{name: _arithmetic(name, mixed) for name, mixed in _ARITHMETIC.items()},
    }


def dynamic_operators() -> Mapping[str, cel.FunctionDecl]:
    """Return operators for values whose type is known when they are there; equality takes any."""
    from cel_expr_python import cel

    ordered = [*_pairs_of_numbers(), (cel.Type.STRING, cel.Type.STRING)]
    return {
        **{name: _comparison(name, word, ordered) for name, word in _ORDER.items()},
        **{
            name: _comparison(name, word, [(cel.Type.DYN, cel.Type.DYN)])
            for name, word in _EQUALITY.items()
        },
        **{name: _arithmetic(name, mixed) for name, mixed in _ARITHMETIC.items()},
        INCLUDES: _includes(),
    }


def _includes() -> cel.FunctionDecl:
    """Return the search for a text in a text in Python's way, whose time grows with their sum.

    That of CEL's `contains` grows with their product, and holds up the whole process; it can be
    left out of the language, not replaced.
    """
    from cel_expr_python import cel

    texts = [cel.Type.STRING, cel.Type.STRING]
    found = cel.Overload(
        id="includes_text",
        return_type=cel.Type.BOOL,
        parameters=texts,
        is_member=True,
        impl=operator.contains,
    )
    return cel.FunctionDecl(INCLUDES, [found])


def _pairs_of_numbers() -> list[tuple[cel.Type, cel.Type]]:
    from cel_expr_python import cel

    kinds = (cel.Type.INT, cel.Type.DOUBLE)
    return [(left, right) for left in kinds for right in kinds]


def _comparison(
    name: str, word: str, pairs: Iterable[tuple[cel.Type, cel.Type]]
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

    word, whole, number = mixed.__name__, cel.Type.INT, cel.Type.DOUBLE
    alike = [whole, number, *([cel.Type.STRING] if name == "_+_" else [])]
    overloads = [
        cel.Overload(id=f"{word}_{n}", return_type=each, parameters=[each, each])
        for n, each in enumerate(alike)
    ]
    overloads += [
        cel.Overload(id=f"{word}_mixed_{n}", return_type=number, parameters=pair, impl=mixed)
        for n, pair in enumerate(([whole, number], [number, whole]))
    ]
    return cel.FunctionDecl(name, overloads)
