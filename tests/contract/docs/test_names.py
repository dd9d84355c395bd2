"""What a page calls by name is there: modules, classes, functions, files."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module

import pytest

from tests.support.documents import Page, pages
from tests.support.source_tree import PACKAGES, ROOT

OBJECT = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+")
TOP = "|".join(
    sorted(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != ".")
)
FILE = re.compile(rf"(?:{TOP})(?:/[\w.-]+)+/?")
NAMING = (
    "docs/explanation/",
    "docs/adr/",
    "docs/glossary.md",
    "docs/reference/",
    "CONTRIBUTING.md",
)
"""Pages that speak of code; others may quote attributes and hosts that look alike."""
SPEAKING = [one for one in pages() if one.name.startswith(NAMING)]


def exists(name: str) -> bool:
    """Return whether a dotted name is a module, or something inside one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module: object = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        try:
            reduce(getattr, parts[length:], module)
        except AttributeError:
            return False
        return True
    return False


@pytest.mark.parametrize("one", SPEAKING, ids=lambda one: one.name)
def test_every_name_of_code_is_real(one: Page) -> None:
    """A function that was renamed is renamed on the page."""
    names = {quoted for quoted in one.quoted() if OBJECT.fullmatch(quoted)}
    assert {name for name in names if not exists(name)} == set()


@pytest.mark.parametrize("one", SPEAKING, ids=lambda one: one.name)
def test_every_file_named_is_there(one: Page) -> None:
    """A path in a page leads to a file or folder of the repository."""
    files = {quoted for quoted in one.quoted() if FILE.fullmatch(quoted)}
    assert {name for name in files if not (ROOT / name).exists()} == set()
