"""pyproject, locks and Makefile agree with each other and with the README's two commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from typing import Any

import pytest

import heartrule
from tests.support.source_tree import ROOT

LOCKS = ("requirements.lock", "requirements-analysis.lock", "requirements-dev.lock")
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)(?:\[[a-z,]+\])?==([^ ;\\]+)", re.MULTILINE)


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def pins(lock: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / lock).read_text()))


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[>=<;! ~]", requirement)[0].lower() for requirement in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address_and_no_path(lock: str) -> None:
    """A lock tells versions and hashes; where they are fetched is the reader's business."""
    text = (ROOT / lock).read_text()
    assert re.findall(r"://|--index|--find-links| @ |^/|\.whl", text, re.MULTILINE) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    """Pip --require-hashes would refuse the whole lock for one without."""
    text = (ROOT / lock).read_text()
    blocks = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_the_locks_cover_the_project() -> None:
    """Every dependency is pinned: those to run in all locks, the tools in the last."""
    extras = project()["optional-dependencies"]
    to_run = names(project()["dependencies"]) | names(extras["build"])
    analysis = to_run | names(extras["analysis"])
    assert to_run - pins("requirements.lock").keys() == set()
    assert analysis - pins("requirements-analysis.lock").keys() == set()
    assert (analysis | names(extras["dev"])) - pins("requirements-dev.lock").keys() == set()


@pytest.mark.parametrize(("narrow", "wide"), list(pairwise(LOCKS)))
def test_a_lock_agrees_with_the_one_before(narrow: str, wide: str) -> None:
    """What is tested is what runs."""
    second = pins(wide)
    assert {n: v for n, v in pins(narrow).items() if second.get(n) != v} == {}


def test_every_target_of_make_is_a_command_of_dev() -> None:
    """Make and scripts/dev.py offer the same, and each target has its line of help."""
    targets = re.findall(r"^([a-z-]+):(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    told = subprocess.run(
        [sys.executable, "scripts/dev.py", "help"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    commands = {line.split()[0] for line in told.splitlines()}
    assert {name for name, _ in targets} - {"help"} == commands
    assert [name for name, rest in targets if "## " not in rest] == []


def test_the_version_is_written_once() -> None:
    """Pyproject takes the version from the package, and the changelog has a place for the next."""
    assert "version" in project()["dynamic"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", heartrule.__version__)
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.parametrize("script", ["scripts/dev.py", ".ci/run"])
def test_a_script_can_be_run(script: str) -> None:
    """Scripts are executable as they come out of a clone."""
    assert os.access(ROOT / script, os.X_OK)
