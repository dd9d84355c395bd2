"""Arrows between modules point one way, and foreign libraries have one door each."""

from __future__ import annotations

import ast
import subprocess

import pytest

from tests.support.require import require_tool
from tests.support.source_tree import ROOT, Source, code, imported

DOORS: dict[str, str | tuple[str, ...]] = {
    "openai": "heartrule/model/",
    "opentelemetry": "heartrule/chassis/telemetry",
    "sqlalchemy": "session_store/",
    "psycopg": ("session_store/", "executor_service/workflows/nodes/"),
    "sqlite3": ("session_store/", "executor_service/workflows/nodes/"),
    "alembic": "session_store/",
    "sqlglot": "executor_service/workflows/sql.py",
    "pydantic_monty": "executor_service/workflows/sandbox/",
}
HEAVY = (
    "openai",
    "alembic",
    "opentelemetry.sdk",
    "opentelemetry.exporter",
    "sqlglot",
    "pydantic_monty",
    "dbos",
    # All that runs of workflows need.
    "executor_service.run_composition",
)
MIGRATIONS = "session_store/migrations/"


def all_imports(source: Source) -> set[str]:
    return set(imported([node for node in source.nodes if isinstance(node, ast.stmt)]))


def test_import_layers_are_kept() -> None:
    """import-linter finds no arrow against the layers of pyproject.toml."""
    done = subprocess.run(
        [require_tool("lint-imports"), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("library", DOORS)
def test_a_foreign_library_has_one_door(library: str) -> None:
    """Exchanging a library means changing one folder."""
    users = {
        source.name
        for source in code()
        if any(name.split(".")[0] == library for name in all_imports(source))
    }
    assert {name for name in users if not name.startswith(DOORS[library])} == set()


def test_heavy_libraries_are_imported_where_they_are_used() -> None:
    """No module costs half a second at start for a library it may not need."""
    eager = {
        source.name
        for source in code()
        if not source.name.startswith(MIGRATIONS)
        for name in imported(source.tree.body)
        if name.startswith(HEAVY)
    }
    assert eager == set()
