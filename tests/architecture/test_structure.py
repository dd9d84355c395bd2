"""The shape of the tree: names across modules, who imports whom, comments, folders."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from tests.support.source_tree import PACKAGES, Source, code

LARGEST_FOLDER = 15
MOST_IMPORTS = 20
# Comments give the reason of a line; a tree without any hides what surprises in it.
LEAST_COMMENTS = 0.01
# It wires the executor's parts, so it imports each of them.
WIRING = "executor_service/bootstrap.py"
SHARED_STEMS = 0.20
"""Domain nouns such as `events` may stand below several packages."""


def importable() -> list[Source]:
    return [source for source in code() if not source.path.stem.startswith("__")]


def dotted(source: Source) -> str:
    """Return the name a module is imported by."""
    parts = source.name.removesuffix(".py").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of_ours(source: Source) -> set[str]:
    """Return our modules that a module imports; an imported package counts as one."""
    return {name for name in _imported_modules(source) if name.split(".")[0] in PACKAGES}


def _imported_modules(source: Source) -> Iterator[str]:
    modules = {dotted(each) for each in code()} - {dotted(source)}
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            within = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else node.module for name in within)


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


def test_a_module_imports_at_most_twenty_of_ours() -> None:
    """More is a module that knows too much; only the executor's wiring may."""
    counts = {each.name: len(imports_of_ours(each)) for each in code() if each.name != WIRING}
    assert {name: count for name, count in counts.items() if count > MOST_IMPORTS} == {}


def test_comments_are_at_least_one_line_in_a_hundred() -> None:
    """Counted are lines that are a comment, among lines that are not blank."""
    lines = [line.strip() for source in code() for line in source.text.splitlines()]
    comments = sum(line.startswith("#") for line in lines)
    assert comments / sum(map(bool, lines)) >= LEAST_COMMENTS
