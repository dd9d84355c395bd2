"""The page of threats names tests that exist, and every threat names one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "explanation" / "threats.md"
ROWS = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")]
NAMED = sorted(set(re.findall(r"`(tests/[^`]+\.py(?:::\w+)?)`", PAGE.read_text("utf-8"))))


def functions_of(file: Path) -> set[str]:
    """Return the names of a module's functions."""
    tree = ast.parse(file.read_text("utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


@pytest.mark.parametrize("named", NAMED)
def test_a_named_test_exists(named: str) -> None:
    """A test that is renamed takes the page along."""
    path, _, function = named.partition("::")
    assert (ROOT / path).is_file()
    assert not function or function in functions_of(ROOT / path)


@pytest.mark.parametrize("row", [row for row in ROWS if not row.startswith(("| attempt", "| ---"))])
def test_every_threat_names_what_shows_it(row: str) -> None:
    """What stops somebody is shown, or it stands below what is not stopped."""
    assert "`tests/" in row
