"""The project's own source files, parsed, for tests about the code itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "heartrule",
    "heartrule_cli",
    "executor_service",
    "gateway_service",
    "monitor_service",
    "session_store",
)
PROGRAMS = ("tests/benchmarks/", "tests/chaos/")
"""Benchmarks and chaos: run by hand and by CI, and not collected by pytest."""
GENERATED = ROOT / "heartrule" / "v1"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Source:
    """One Python file."""

    path: Path
    text: str
    tree: ast.Module

    @cached_property
    def name(self) -> str:
        """Path from the root, as a person would write it."""
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree: many tests look at all of them."""
        return tuple(ast.walk(self.tree))

    def functions(self) -> Iterator[Function]:
        """Yield every function and method, nested ones too."""
        return (node for node in self.nodes if isinstance(node, Function))


@cache
def sources(*folders: str) -> tuple[Source, ...]:
    """Return the files below the folders, generated ones left out."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    ours = (path for path in paths if GENERATED not in path.parents)
    return tuple(_parsed(path) for path in ours)


def code() -> tuple[Source, ...]:
    """Return what ships: every package of ours."""
    return sources(*PACKAGES)


def code_of_tests() -> tuple[Source, ...]:
    """Return the tests and their helpers, without the programs that stand below `tests/`."""
    return tuple(each for each in sources("tests") if not each.name.startswith(PROGRAMS))


def imported(nodes: list[ast.stmt]) -> Iterator[str]:
    """Yield the names of modules that these statements import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _parsed(path: Path) -> Source:
    text = path.read_text(encoding="utf-8")
    return Source(path=path, text=text, tree=ast.parse(text))
