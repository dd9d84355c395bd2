"""Inputs of a run as they are typed."""

from __future__ import annotations

from typing import Any

import pytest

from heartrule.domain.workflows import WorkflowInput
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.runs.given_inputs import given_inputs
from tests.support.workflow_builders import a_plan

TYPED = a_plan(inputs={"city": WorkflowInput(type="string"), "days": WorkflowInput(type="integer")})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("city=7", "7"),
        ("city=a=b", "a=b"),
        ("city=", ""),
        ("days=7", 7),
        ("other=[1, null]", [1, None]),
        ("other=上海", "上海"),
        ("other=NaN", "NaN"),
    ],
)
def test_a_value_is_text_where_it_is_declared_so_and_else_json(text: str, value: Any) -> None:
    """What is no JSON is a text, so that quotes are seldom needed."""
    assert list(given_inputs([text], TYPED.inputs).values()) == [value]


@pytest.mark.parametrize("texts", [["city"], ["=7"], ["city=1", "city=2"]])
def test_what_names_no_value_is_refused(texts: list[str]) -> None:
    """The exit code is that of a wrong command line."""
    with pytest.raises(Failure) as refused:
        given_inputs(texts, TYPED.inputs)
    assert refused.value.code == WRONG
