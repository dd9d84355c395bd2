"""docs/reference/decisions.md tells every type, field, rule, code and version of decisions."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from typing import Any

import pytest

from executor_service.decisions.payloads.payload_types import PAYLOAD_VERSION, parse_payload
from executor_service.decisions.payloads.published import decision_schema, workflow_schema
from heartrule.domain.decisions import DecisionType, FindingCode
from tests.support import decisions_page
from tests.support.documents import page
from tests.support.source_tree import code

PAGE = page("docs/reference/decisions.md")
RULE = re.compile(r"(?:[2-9](?:\.\d+)*|scenario \d+,) [a-zA-Z][\w ,-]*")
"""How rules are named: a section of document 002, or one of its scenarios, and a few words."""
JUDGING = ("executor_service/decisions/", "executor_service/workflows/")


def rules_in_code() -> set[str]:
    """Return every name of a rule that stands as a text in the modules that judge."""
    sources = [source for source in code() if source.name.startswith(JUDGING)]
    constants = (node for source in sources for node in ast.walk(source.tree))
    texts = (node.value for node in constants if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str) and RULE.fullmatch(text)}


def schema_digest() -> str:
    """Return what changes with the language of payloads, and with no word of a description."""
    bare = [without_words(each) for each in (decision_schema(), workflow_schema())]
    return hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()[:16]


def without_words(part: Any) -> Any:
    """Return a schema without what is only for readers."""
    if isinstance(part, dict):
        # A text is a description; below `properties`, a field of that name is an object.
        return {
            key: without_words(each)
            for key, each in part.items()
            if not (key in {"description", "title", "$comment"} and isinstance(each, str))
        }
    return [without_words(each) for each in part] if isinstance(part, list) else part


def test_the_tables_are_those_of_the_code() -> None:
    """Each field's value and meaning are written once, at the field."""
    assert decisions_page.filled(PAGE.text) == PAGE.text, f"run {decisions_page.REGENERATE}"
    assert set(decisions_page.HEADINGS) == decisions_page.definitions()


@pytest.mark.parametrize("kind", DecisionType)
def test_every_type_has_its_scenario(kind: DecisionType) -> None:
    """A situation, and a payload that is valid as it stands there."""
    _, _, told = PAGE.text.partition(f"\n### {kind.value}\n")
    situation = re.match(r"\nScenario (\d+)\. (.+?)\n\n```json\n(.*?)```", told, re.DOTALL)
    assert situation, f"{kind.value} has no scenario"
    assert int(situation[1]) == list(DecisionType).index(kind) + 1
    parsed = parse_payload(kind, json.loads(situation[3]))
    assert not isinstance(parsed, tuple), parsed


def test_every_rule_is_told() -> None:
    """A rule that is new has its row, and one that is gone has none."""
    told = [row[0].strip("`") for row in PAGE.table("Rules")]
    assert (set(told), len(told)) == (rules_in_code(), len(set(told)))


def test_every_code_is_told() -> None:
    """In the order of the code."""
    told = [row[0].strip("`") for row in PAGE.table("Codes")]
    assert told == [each.value for each in FindingCode]


def test_a_changed_schema_has_a_new_version() -> None:
    """The newest row is the version in force, with the digest of its schemas; none is left out."""
    rows = PAGE.table("Versions")
    assert [int(row[0]) for row in rows] == list(range(1, PAYLOAD_VERSION + 1))
    assert rows[-1][1].strip("`") == schema_digest(), "raise PAYLOAD_VERSION and say what broke"
    assert all(row[2] for row in rows)
