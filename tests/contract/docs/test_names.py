"""What a page calls by name is there: modules, classes, functions, files."""

from __future__ import annotations

import re
from functools import cache, reduce
from importlib import import_module

from tests.support.documents import pages
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


@cache
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


def quoted(shape: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return what pages quote in that shape, each behind the page's name."""
    found = ((one.name, name) for one in SPEAKING for name in one.quoted())
    return {(page, name) for page, name in found if shape.fullmatch(name)}


def test_every_name_of_code_is_real() -> None:
    """A function that was renamed is renamed on the page."""
    assert [(page, name) for page, name in quoted(OBJECT) if not exists(name)] == []


def test_every_file_named_is_there() -> None:
    """A path in a page leads to a file or folder of the repository."""
    assert [(page, name) for page, name in quoted(FILE) if not (ROOT / name).exists()] == []
