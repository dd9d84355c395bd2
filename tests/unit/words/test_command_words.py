"""What the command says to people stands in the catalogues, not in its modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from heartrule.words.words import FOLDER

COMMAND = FOLDER.parents[1] / "heartrule_cli"
# Most lines of --debug, which are English yet; what argparse says, to be recognised; and what a
# model reads.
NOT_YET = frozenset({
    "arguments/command_parser.py",
    "ablation/obedience.py", "rehearsal/doubles.py", "rehearsal/shapes.py",
})  # fmt: skip
# A pattern for logs, a prompt for a model, a name in JSON, errors that nobody is shown.
NOT_SHOWN = frozenset({
    "cannot listen on", "the stream was lost", "to be asked for", "Reply with the word: ready",
    "two turns in a row failed",
    r"[IWEF]\d{4} \d\d:\d\d|WARNING: All log messages before|.* listening on ",
})  # fmt: skip
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]+ [a-z]{2,}\b")


def modules() -> Iterator[Path]:
    """Yield the modules whose sentences are in the catalogues."""
    for path in COMMAND.rglob("*.py"):
        if path.relative_to(COMMAND).as_posix() not in NOT_YET:
            yield path


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are no docstrings, with their lines."""
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Constant) and isinstance(value, str) and id(node) not in documented:
            yield node.lineno, value


def test_no_sentence_is_written_in_a_module() -> None:
    """Three words in a row are one: it would stay English inside a Chinese page."""
    found = [
        f"{path.relative_to(COMMAND)}:{line}: {text}"
        for path in modules()
        for line, text in texts(ast.parse(path.read_text("utf-8")))
        if SENTENCE.search(text) and text not in NOT_SHOWN
    ]
    assert found == []


def test_what_is_left_in_modules_is_there() -> None:
    """A module that is gone, or whose sentences moved, leaves the list."""
    assert [name for name in sorted(NOT_YET) if not (COMMAND / name).is_file()] == []
