"""Names across modules: one class name for one thing, few files of the same name."""

from __future__ import annotations

import ast
from collections import Counter

from tests.support.source_tree import Source, code

LARGEST_FOLDER = 15
SHARED_STEMS = 0.20
"""Domain nouns such as `events` may stand below several packages."""


def importable() -> list[Source]:
    return [source for source in code() if not source.path.stem.startswith("__")]


def test_a_class_name_has_one_meaning() -> None:
    """No two modules define a class of the same name."""
    names = Counter(
        node.name
        for source in code()
        for node in source.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_few_files_share_their_stem() -> None:
    """A file is found by its name: at most a fifth share theirs with another."""
    stems = Counter(source.path.stem for source in importable())
    shared = sum(count for count in stems.values() if count > 1)
    assert shared / len(importable()) <= SHARED_STEMS


def test_no_folder_holds_more_than_fifteen_modules() -> None:
    """A folder of the store or of the scripts is read in one look."""
    sizes = Counter(source.path.parent for source in importable())
    large = {folder.as_posix() for folder, count in sizes.items() if count > LARGEST_FOLDER}
    watched = ("session_store", "executor_service/scripts")
    assert [folder for folder in large if any(name in folder for name in watched)] == []
