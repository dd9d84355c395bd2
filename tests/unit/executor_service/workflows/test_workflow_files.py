"""Workflows in files: what they say, and where what is wrong stands."""

from __future__ import annotations

import json

import pytest
import yaml

from executor_service.scripts.model.rules import CheckRule
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.workflow_files import read_workflow
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import WorkflowStatus
from tests.support.workflow_texts import DIARY, HELLO

FACTS = PlanFacts(connections=frozenset({"diary"}))


def told(text: str, facts: PlanFacts | None = FACTS) -> list[str]:
    """Return place and rule of each finding."""
    found = read_workflow("w.yaml", text.encode(), facts).findings
    return [f"{each.line}:{each.column} {each.rule.value}" for each in found]


@pytest.mark.parametrize("indent", [None, 2, "\t"], ids=["line", "spaces", "tabs"])
def test_a_file_is_the_same_as_yaml_and_as_json(indent: int | str | None) -> None:
    """Its id is the file's name; nothing is wrong, so it is READY."""
    text = json.dumps(yaml.safe_load(DIARY.replace("Sum up", "总结 😀")), indent=indent)
    found = read_workflow("workflows/sleep.json", text.encode(), FACTS).workflow
    written = read_workflow("sleep.yaml", DIARY.replace("Sum up", "总结 😀").encode(), FACTS)
    assert found is not None
    assert found == written.workflow
    assert (found.workflow_id, found.revision, found.status) == ("sleep", 1, WorkflowStatus.READY)


@pytest.mark.parametrize(
    ("was", "now", "at"),
    [
        ("name: sleep", "colour: red\nname: sleep", "1:1 wrong_type"),
        ("description: Reads the diary and sums it up.\n", "", "1:1 missing_field"),
        ("connection: diary}", "connection: diary, timeout: 900}", "7:74 out_of_range"),
        ("SELECT night FROM diary,", "DROP TABLE diary,", "7:21 forbidden_operation"),
        ("connection: diary", "connection: other", "7:58 unknown_reference"),
        ("    type: LLM", "    type: LMM", "9:11 bad_enum"),
        ("${diary.output.data}", "${night.output.data}", "14:15 unknown_reference"),
        ("target: summary", "target: sum", "16:29 unknown_reference"),
    ],
)
def test_a_finding_stands_where_its_author_looks(was: str, now: str, at: str) -> None:
    """At a wrong value, at an unknown key, at the mapping in which something is missing."""
    assert at in told(DIARY.replace(was, now, 1))


def test_a_file_is_not_corrected() -> None:
    """What the gate takes out of a decision is for the author to take out."""
    (found,) = read_workflow("w.yaml", f"colour: red\n{HELLO}".encode(), FACTS).findings
    assert (found.message, found.rule) == (
        "colour is not supported: take it out.",
        FindingCode.WRONG_TYPE,
    )


def test_a_key_may_hold_dots() -> None:
    """The path of a finding is followed into it all the same."""
    call = "{url: 'https://a.example', method: GET, headers: {x.y: '${z'}}"
    text = HELLO.replace("LLM", "HTTP").replace("{prompt: Say hello.}", call)
    assert told(text) == [f"4:{text.splitlines()[3].index('${z')} unknown_reference"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", CheckRule.EMPTY_FILE),
        ("- name: x", CheckRule.WRONG_FILE),
        ("name: {", CheckRule.YAML_SYNTAX),
        ("name: a\nname: b", CheckRule.DUPLICATE_KEY),
        ('{"name": 1e999}', CheckRule.UNSAFE_NUMBER),
        ("[" * 100_000, CheckRule.TOO_LARGE),
    ],
)
def test_what_is_no_workflow_is_one_finding(text: str, rule: CheckRule) -> None:
    """What cannot be read is not judged as well."""
    (found,) = read_workflow("w.yaml", text.encode(), FACTS).findings
    assert found.rule is rule


def test_one_that_was_judged_is_only_read() -> None:
    """A policy that changed since does not keep a session from beginning."""
    assert told(DIARY, PlanFacts(connections=frozenset())) == ["7:58 unknown_reference"]
    assert told(DIARY, None) == []
