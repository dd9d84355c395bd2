"""docs/reference/workflows.md tells the keys, states and limits that the code has."""

from __future__ import annotations

from enum import StrEnum

import pytest
from pydantic import BaseModel

from executor_service.workflows.configs import MOST_SECONDS
from executor_service.workflows.engine.run_driver import LONGEST_REST_S
from executor_service.workflows.nodes.node_attempts import MOST_OUTPUT
from executor_service.workflows.plan_models import (
    MOST_RUN_SECONDS,
    EdgeModel,
    GlobalConfigModel,
    InputModel,
    NodeModel,
    PlanModel,
)
from executor_service.workflows.recovery import MOST_DELAY_S
from executor_service.workflows.schedule import MOST_AT_ONCE
from heartrule.domain.runs import (
    ENDED_NODES,
    ENDED_RUNS,
    LONGEST_FAILURE,
    NodeState,
    RunState,
    SkipReason,
)
from heartrule.domain.workflows import MOST_NODES, MOST_WORKFLOWS, WorkflowStatus
from session_store.sql.runs.owning import MOST_TAKEOVERS
from tests.support.documents import page

PAGE = page("docs/reference/workflows.md")
MODELS: dict[str, type[BaseModel]] = {
    "The file": PlanModel,
    "A node": NodeModel,
    "An edge": EdgeModel,
    "An input": InputModel,
    "What holds for a run": GlobalConfigModel,
}
# A default makes a key optional for pydantic alone: an input that is not required is told so.
ALWAYS = {"config"}
LIMITS = (
    MOST_NODES,
    MOST_WORKFLOWS,
    MOST_AT_ONCE,
    MOST_SECONDS,
    MOST_RUN_SECONDS,
    int(MOST_DELAY_S),
    MOST_OUTPUT,
    MOST_TAKEOVERS,
    int(LONGEST_REST_S),
    LONGEST_FAILURE,
)


@pytest.mark.parametrize("heading", MODELS)
def test_every_key_is_told(heading: str) -> None:
    """With whether it is needed; none is told that there is not."""
    told = {row[0].strip("`"): row[1] == "yes" for row in PAGE.table(heading)}
    fields = MODELS[heading].model_fields
    assert told == {name: each.is_required() or name in ALWAYS for name, each in fields.items()}


@pytest.mark.parametrize(
    ("heading", "states", "ended"),
    [
        ("States of a run", RunState, ENDED_RUNS),
        ("States of a node", NodeState, ENDED_NODES),
    ],
)
def test_every_state_is_told(
    heading: str, states: type[StrEnum], ended: frozenset[StrEnum]
) -> None:
    """In the order of the code, with whether anything comes behind it."""
    told = [(row[0].strip("`"), row[1] == "yes") for row in PAGE.table(heading)]
    assert told == [(each.value, each in ended) for each in states]


@pytest.mark.parametrize(
    ("heading", "words"),
    [("Why a node is skipped", SkipReason), ("Status of a workflow", WorkflowStatus)],
)
def test_every_word_is_told(heading: str, words: type[StrEnum]) -> None:
    """In the order of the code."""
    assert [row[0].strip("`") for row in PAGE.table(heading)] == [each.value for each in words]


def test_the_limits_are_those_of_the_code() -> None:
    """In the order of this file."""
    assert [row[1] for row in PAGE.table("Limits")] == [f"{each:,}" for each in LIMITS]
