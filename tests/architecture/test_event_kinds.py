"""What a new durable event costs: the files that name the newest one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from heartrule.wire.event_messages import FIELDS
from session_store.event_drafts import AUDIENCES
from tests.support.documents import page
from tests.support.source_tree import GENERATED, ROOT

MOST = 8
SOURCES = ("heartrule", "executor_service", "session_store", "protos", "heartrule_cli")
READERS = (
    "executor_service/turn_timeline.py",
    "executor_service/workflows/engine/run_telemetry.py",
    "heartrule_cli/",
)
"""They show or measure events, and may leave any kind out."""


@cache
def texts() -> Mapping[str, str]:
    """Return the text of each source file."""
    found = (path for top in SOURCES for path in (ROOT / top).rglob("*.*"))
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in found
        if path.suffix in {".py", ".proto"} and GENERATED not in path.parents
    }


def files_that_name(kind: type) -> set[str]:
    """Return the source files that name a kind, or its field in the contract."""
    name = re.compile(rf"\b({kind.__name__}|{FIELDS[kind]})\b")
    return {path for path, text in texts().items() if name.search(text)}


def test_the_newest_kind_is_named_by_few_files() -> None:
    """Counted: files with its class or its field's name, generated ones, tests and readers aside.

    A file that only carries its value, such as a record's field of another name, is not counted.
    """
    named = files_that_name(list(AUDIENCES)[-1])
    needed = {path for path in named if not path.startswith(READERS)}
    assert len(needed) <= MOST, sorted(needed)


def test_the_recipe_lists_what_every_kind_needs() -> None:
    """A file that names every durable kind is in CONTRIBUTING's recipe."""
    registries = set.intersection(*map(files_that_name, AUDIENCES))
    recipe = page("CONTRIBUTING.md").text.partition("### An event kind")[2].partition("\n### ")[0]
    assert registries
    assert [path for path in sorted(registries) if path not in recipe] == []
