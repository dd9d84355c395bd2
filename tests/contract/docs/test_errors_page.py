"""docs/reference/errors.md lists every class, code and reason that the code can give."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import grpc

from heartrule.chassis.errors import TABLE
from heartrule.domain.runs import RunErrorCode
from heartrule.words.language import ReaderLanguage
from tests.support.catalogues import messages
from tests.support.documents import page
from tests.support.source_tree import code

PAGE = page("docs/reference/errors.md")
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+")
NO_REASON = re.compile(
    r"(HEARTRULE|OPENAI|OTEL|GRPC|TIKTOKEN|DATA_GYM|PYPINYIN)_.*|NO_COLOR|POD_NAME|LC_(ALL|MESSAGES)"
    r"|[LR]_(PAREN|BRACKET|BRACE)"
)
"""Names of environment variables and of SQL's brackets, which look like reasons."""
NAMED = {"NotFound": "NOT_FOUND", "AlreadyExists": "EXISTS"}
ANSWERS_OF_THE_MONITOR = {f"MONITOR_{code.name}" for code in grpc.StatusCode}
REASON_TABLES = (
    "Reasons of a refused request",
    "Reasons of a turn that failed",
    "Reasons of threads and their agents",
    "Reasons beside a turn",
    "Reasons of a process that does not start",
    "Degradations",
)
TABLES_OF_REFUSALS = (
    "Reasons of a refused request", "Reasons of a turn that failed", "Over HTTP",
)  # fmt: skip
OF_MANY_CODES = {"EXECUTOR_"}
WORDS = "refusal."
CODES_OF_RUNS = "Codes of nodes and runs"


def written(node: ast.AST) -> Iterator[str]:
    """Yield the reasons that stand in one piece of code."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if UPPER_SNAKE.fullmatch(node.value) and not NO_REASON.fullmatch(node.value):
            yield node.value
    elif isinstance(node, ast.keyword) and node.arg == "reason":
        if isinstance(node.value, ast.Constant) and str(node.value.value).isupper():
            yield str(node.value.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NAMED:
        (kind,) = (arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant))
        yield f"{str(kind).upper()}_{NAMED[node.func.id]}"


def reasons() -> set[str]:
    return {
        reason for source in code() for node in ast.walk(source.tree) for reason in written(node)
    }


def test_every_class_is_listed_with_its_code() -> None:
    """The page and the one table of the chassis agree, row by row."""
    told = {row[0]: row[1] for row in PAGE.table("Classes and codes")}
    assert {f"`{kind.__name__}`": row.code.name for kind, row in TABLE.items()} == told


def test_every_reason_of_the_code_is_on_the_page() -> None:
    """A reason somebody may route on is explained."""
    assert reasons() - set(PAGE.quoted()) == set()


def test_every_code_of_a_run_is_told() -> None:
    """With whether what failed may pass."""
    told = {row[0].strip("`"): row[1].startswith("yes") for row in PAGE.table(CODES_OF_RUNS)}
    assert told == {each.value: each.is_retryable for each in RunErrorCode}


def test_every_reason_on_the_page_is_one_of_the_code() -> None:
    """A reason that nobody gives any more is gone from the page."""
    told = {row[0].strip("`") for heading in REASON_TABLES for row in PAGE.table(heading)}
    assert told - reasons() - ANSWERS_OF_THE_MONITOR == set()


def test_every_reason_of_a_refusal_has_words_for_people() -> None:
    """And no words are kept for a reason that is gone."""
    told = {row[0] for heading in TABLES_OF_REFUSALS for row in PAGE.table(heading)}
    listed = {reason for cell in told for reason in re.findall(r"`([A-Z_]+)`", cell)}
    worded = {
        code.removeprefix(WORDS)
        for code in messages(ReaderLanguage.CHINESE)
        if code.startswith(WORDS)
    }
    assert (listed - OF_MANY_CODES - worded, worded - set(PAGE.quoted())) == (set(), set())
