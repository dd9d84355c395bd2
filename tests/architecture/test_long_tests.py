"""What `make test` leaves out is only a longer repetition of what it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.support.source_tree import Source, code_of_tests


def shorts() -> Iterator[str]:
    """Yield, for each mark `long`, the test it names."""
    for source in code_of_tests():
        constants = dict(_constants(source))
        for node in source.nodes:
            if isinstance(node, ast.Call) and _is_mark(node.func):
                yield from (_text(each.value, constants) for each in node.keywords)
            elif isinstance(node, ast.Attribute) and _is_mark(node):
                yield from () if _is_called(node, source) else ["a mark without `short`"]


def _constants(source: Source) -> Iterator[tuple[str, str]]:
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            yield from ((ast.unparse(target), str(node.value.value)) for target in node.targets)


def _is_mark(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.long"


def _is_called(node: ast.Attribute, source: Source) -> bool:
    calls = (each for each in source.nodes if isinstance(each, ast.Call))
    return any(call.func is node for call in calls)


def _text(node: ast.expr, constants: dict[str, str]) -> str:
    """Return a constant or what a name stands for; a text with gaps, up to the first of them."""
    if isinstance(node, ast.JoinedStr):
        names = (each for each in node.values[:1] if isinstance(each, ast.FormattedValue))
        return "".join(constants[ast.unparse(each.value)] for each in names)
    return str(node.value) if isinstance(node, ast.Constant) else constants[ast.unparse(node)]


def short_tests(source: Source) -> Iterator[str]:
    """Yield the tests of a file that have a case in `make test`."""
    marks = {"pytest.mark.long"}
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            marks.update(map(ast.unparse, node.targets) if _is_mark(node.value.func) else ())
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own = {ast.unparse(getattr(each, "func", each)) for each in node.decorator_list}
            if "pytestmark" not in marks and marks.isdisjoint(own):
                yield node.name


def test_every_long_test_names_a_short_one() -> None:
    """The named test exists, and `make test` runs it."""
    named = sorted(set(shorts()))
    files = {each.name: each for each in code_of_tests()}
    assert len(named) > 5
    for name in named:
        file, _, test = name.partition("::")
        found = short_tests(files[file])
        assert any(each.startswith(test.partition("[")[0]) for each in found), name
