"""docs/reference/workflow-plans.md tells what a node's code, query and address may hold."""

from __future__ import annotations

import pytest

from executor_service.conditions import plan
from executor_service.workflows import python_code, sql, urls
from executor_service.workflows.sql_words import FUNCTIONS
from tests.support.documents import page

PAGE = page("docs/reference/workflow-plans.md")


def test_every_module_that_code_may_import_is_told() -> None:
    """An author need not try which imports pass."""
    allowed = python_code.SMALL_MODULES | python_code.PROCESS_MODULES
    assert allowed - set(PAGE.quoted()) == set()


def test_every_function_of_a_query_is_told() -> None:
    """The table holds the functions that pass, and no other."""
    told = {word.strip("` ") for row in PAGE.table("SQL") for word in row[1].split(",")}
    assert told == FUNCTIONS


@pytest.mark.parametrize(
    "limit",
    [
        python_code.MOST_BYTES,
        sql.MOST_BYTES,
        urls.MOST_CHARACTERS,
        plan.MOST_VALUES,
        plan.MOST_CHARACTERS,
    ],
    ids=str,
)
def test_each_limit_is_told(limit: int) -> None:
    """A text's size is known before it is refused."""
    assert f"{limit:,} " in PAGE.text
