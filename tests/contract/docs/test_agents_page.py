"""docs/reference/agents.md tells the keys, words and names that agents have."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from executor_service.installed_agents import installed_agents
from executor_service.scripts.agents.agent_phase_checks import KEYS, NEEDED
from executor_service.scripts.loading.tree import to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.agent_file import (
    OWN_NAMES,
    AgentFile,
    AgentInput,
    AgentKind,
    AgentOutput,
    AgentPhase,
    FeedbackRule,
    InputType,
    PhaseFeedback,
)
from executor_service.scripts.model.findings import Findings
from executor_service.scripts.model.mapping import keys_of
from executor_service.scripts.schema.documents import SchemaOf, schema_text
from executor_service.threads.agent_registry import RegisteredAgent
from heartrule.domain.output_type import OutputType
from tests.support.documents import page
from tests.support.source_tree import ROOT

PAGE = page("docs/reference/agents.md")
MAPPINGS = {
    "The agent": AgentFile,
    "An input": AgentInput,
    "A phase": AgentPhase,
    "Feedback": PhaseFeedback,
    "An output": AgentOutput,
}


def words(cell: str) -> list[str]:
    """Return what stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.parametrize("heading", MAPPINGS)
def test_every_key_is_told(heading: str) -> None:
    """In the order of the model, with what is required, and defaults that are numbers."""
    keys = keys_of(MAPPINGS[heading])
    rows = PAGE.table(heading)
    assert [row[0].strip("`") for row in rows] == [key.name for key in keys]
    assert [key.name for key in keys if key.required] == [
        row[0].strip("`") for row in rows if row[1].endswith("Required.")
    ]
    counted = {key.name: str(key.default).lower() for key in keys if isinstance(key.default, int)}
    told = {row[0].strip("`"): row[1].rsplit(" ", 1)[-1].strip(".") for row in rows}
    assert {name: told[name] for name in counted} == counted


@pytest.mark.parametrize(
    ("heading", "key", "kind"),
    [
        ("The agent", "kind", AgentKind),
        ("An input", "type", InputType),
        ("An output", "type", OutputType),
    ],
)
def test_every_word_of_a_key_is_told(heading: str, key: str, kind: type[StrEnum]) -> None:
    """In its row."""
    (row,) = (row for row in PAGE.table(heading) if row[0] == f"`{key}`")
    assert words(row[1]) == [each.value for each in kind]


def test_whoever_speaks_is_told_with_its_keys() -> None:
    """Those that it may have, and those that it needs."""
    rows = {row[0].strip("`"): row for row in PAGE.table("Who speaks")}
    assert {name: tuple(words(row[2])) for name, row in rows.items()} == dict(KEYS)
    assert {name: tuple(words(row[3])) for name, row in rows.items()} == {
        name: (*NEEDED.get(name, ()), "next") for name in KEYS
    }


def test_every_rule_of_feedback_is_told() -> None:
    """In the second table below its heading."""
    _, _, below = PAGE.text.partition("| rule | the last answer")
    told = [row.split(" | ")[0].strip("|` ") for row in below.splitlines()[2:5]]
    assert told == [each.value for each in FeedbackRule]


def test_every_name_that_texts_read_is_told() -> None:
    """Besides inputs and outputs."""
    assert {row[0].strip("`") for row in PAGE.table("What texts read")} == OWN_NAMES


def test_what_a_package_registers_is_told() -> None:
    """Every attribute but the files of an agent in YAML."""
    told = [name for row in PAGE.table("Agents as code") for name in words(row[0])]
    assert sorted(told) == sorted({*RegisteredAgent.__dataclass_fields__} - {"written"})


def test_what_ships_is_told() -> None:
    """Each agent of `_system/agents` with its kind."""
    shipped = installed_agents(ROOT / "_system").agents
    own = {name: each.kind.value for name, each in shipped.items() if each.written is not None}
    assert {row[0].strip("`"): row[1] for row in PAGE.table("What ships")} == own


def test_the_example_is_valid_by_the_schema() -> None:
    """And the page's other blocks are none of YAML."""
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE.text, re.DOTALL | re.MULTILINE)
    document = read_yaml(text.encode(), Findings("agent.yaml"))
    assert document is not None
    schema: Any = json.loads(schema_text(SchemaOf.AGENT))
    assert list(Draft202012Validator(schema).iter_errors(to_json(document.root))) == []
