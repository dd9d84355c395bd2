"""What `make test` leaves out is only a longer repetition of what it runs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator

from tests.support.source_tree import ROOT, Source, code_of_tests


def shorts() -> Iterator[str]:
    """Yield, for each mark `long`, the test it names."""
    for source in code_of_tests():
        constants = dict(_constants(source))
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call) and _is_mark(node.func):
                yield from (_text(each.value, constants) for each in node.keywords)
            elif isinstance(node, ast.Attribute) and _is_mark(node):
                yield from () if _is_called(node, source) else ["a mark without `short`"]


def _constants(source: Source) -> Iterator[tuple[str, str]]:
    for node in source.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            yield from ((ast.unparse(target), str(node.value.value)) for target in node.targets)


def _is_mark(node: ast.expr) -> bool:
    return ast.unparse(node) == "pytest.mark.long"


def _is_called(node: ast.Attribute, source: Source) -> bool:
    calls = (each for each in ast.walk(source.tree) if isinstance(each, ast.Call))
    return any(call.func is node for call in calls)


def _text(node: ast.expr, constants: dict[str, str]) -> str:
    """Return a constant or what a name stands for; a text with gaps, up to the first of them."""
    if isinstance(node, ast.JoinedStr):
        names = (each for each in node.values[:1] if isinstance(each, ast.FormattedValue))
        return "".join(constants[ast.unparse(each.value)] for each in names)
    return str(node.value) if isinstance(node, ast.Constant) else constants[ast.unparse(node)]


def test_every_long_test_names_a_short_one() -> None:
    """The named test exists, and `make test` runs it."""
    named = sorted(set(shorts()))
    files = sorted({name.partition("::")[0] for name in named})
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", "not long", *files],
        cwd=ROOT, capture_output=True, text=True, check=False,
    ).stdout.splitlines()  # fmt: skip
    assert len(named) > 5
    assert [name for name in named if not any(line.startswith(name) for line in listed)] == []
