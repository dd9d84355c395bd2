"""Sizes and docstrings, kept by a test because nobody keeps them by will."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from statistics import quantiles

import pytest

from tests.support.source_tree import Function, Source, code, code_of_tests

LONGEST_MODULE = 300


def lines(source: Source) -> int:
    return len(source.text.splitlines())


def length(function: Function) -> int:
    """Return the lines of a function's body, its docstring aside."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_no_module_is_longer_than_300_lines() -> None:
    """A module that grew is two ideas: split it."""
    modules = (*code(), *code_of_tests())
    assert {s.name: lines(s) for s in modules if lines(s) > LONGEST_MODULE} == {}


def test_modules_and_functions_are_mostly_small() -> None:
    """Half of the modules fit in 130 lines, nine of ten in 240; nine of ten functions in 28."""
    modules = quantiles([lines(source) for source in code()], n=10)
    functions = quantiles([length(f) for source in code() for f in source.functions()], n=10)
    assert (modules[4] <= 130, modules[8] <= 240, functions[8] <= 28) == (True, True, True)


def public(source: Source) -> Iterator[tuple[str, ast.AST]]:
    """Yield what others may use of a module: itself, its classes, functions and methods."""
    yield source.name, source.tree
    for node in source.tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield f"{source.name}:{node.name}", node
            inner = node.body if isinstance(node, ast.ClassDef) else []
            for method in inner:
                if isinstance(method, Function) and not method.name.startswith("_"):
                    yield f"{source.name}:{node.name}.{method.name}", method


def documented(node: ast.AST) -> bool:
    if any(_says(decorator, "override", "overload") for decorator in _decorators(node)):
        return True
    return isinstance(node, ast.Module | ast.ClassDef | Function) and bool(ast.get_docstring(node))


def _decorators(node: ast.AST) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, Function | ast.ClassDef) else []


def _says(node: ast.expr, *names: str) -> bool:
    found = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return found in names


def test_everything_public_has_a_docstring() -> None:
    """A reader learns what is true after a call without reading its body."""
    lacking = [name for source in code() for name, node in public(source) if not documented(node)]
    assert lacking == []


def rules() -> Iterator[tuple[str, Function]]:
    """Yield every test function with the place where it stands."""
    for source in code_of_tests():
        for function in source.functions():
            if function.name.startswith("test_") and not _is_fixture(function):
                yield f"{source.name}:{function.lineno}", function


def _is_fixture(function: Function) -> bool:
    return any(_says(decorator, "fixture") for decorator in function.decorator_list)


def test_every_test_states_its_rule_in_one_sentence() -> None:
    """The docstring of a test is a rule a reader can disagree with."""
    wordless = [
        place
        for place, function in rules()
        if not (ast.get_docstring(function) or "").strip().endswith((".", "!", "?"))
    ]
    assert wordless == []


@pytest.mark.parametrize("forbidden", ["unittest.mock", "from unittest import mock"])
def test_fakes_are_written_out(forbidden: str) -> None:
    """A fake is a class one can read; a patched name is not."""
    here = "tests/architecture/"
    users = [s.name for s in code_of_tests() if forbidden in s.text and not s.name.startswith(here)]
    assert users == []


def test_no_test_sleeps() -> None:
    """Waiting for an event is exact; sleeping is slow or wrong."""
    sleepers = [
        f"{source.name}:{node.lineno}"
        for source in code_of_tests()
        for node in source.nodes
        if isinstance(node, ast.Call) and _says(node.func, "sleep") and not _is_zero(node.args)
    ]
    assert sleepers == []


def _is_zero(args: list[ast.expr]) -> bool:
    return bool(args) and isinstance(args[0], ast.Constant) and args[0].value == 0
