"""Workflows that lie in a script's bundle."""

from __future__ import annotations

import pytest

from executor_service.scripts.loading.bundle import make_bundle, workflow_files
from executor_service.workflows.bundled_workflows import bundled_workflows, check_bundled
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.domain.errors import NotReady
from heartrule.domain.workflows import MOST_WORKFLOWS, WorkflowStatus
from tests.support.workflow_texts import DIARY, HELLO, with_workflows

FACTS = PlanFacts(connections=frozenset())


def told(files: dict[str, bytes]) -> list[str]:
    """Return place and rule of each finding."""
    return [f"{each.where} {each.rule.value}" for each in check_bundled(files, FACTS)]


def test_they_are_no_scripts() -> None:
    """The script beside them needs no name."""
    bundle = make_bundle(with_workflows(b=DIARY, a=HELLO))
    assert bundle.main == "s.yaml"
    assert sorted(workflow_files(bundle.files, bundle.main)) == [
        "workflows/a.yaml",
        "workflows/b.yaml",
    ]


def test_a_script_that_lies_there_brings_none() -> None:
    """The folder is its own then; a technique is none anywhere."""
    files = {**with_workflows(a=HELLO), "workflows/skills/x.yaml": b"technique_id: x"}
    assert workflow_files(files, "workflows/a.yaml") == {}
    assert sorted(workflow_files(files, "s.yaml")) == ["workflows/a.yaml"]


def test_each_is_the_first_revision_under_the_name_of_its_file() -> None:
    """In the order of the names, READY."""
    found = bundled_workflows(with_workflows(b=DIARY, a=HELLO), "s.yaml")
    assert [(each.workflow_id, each.revision, each.status) for each in found] == [
        ("a", 1, WorkflowStatus.READY),
        ("b", 1, WorkflowStatus.READY),
    ]


def test_findings_name_the_file_of_the_bundle() -> None:
    """The rules are those of the gate."""
    files = workflow_files(with_workflows(a=HELLO, b=DIARY), "s.yaml")
    assert told(files) == ["workflows/b.yaml:7:58 unknown_reference"]


@pytest.mark.parametrize(
    "path", ["workflows/a.yml", "workflows/a.json", "workflows/in/a.yaml", "workflows/a b.yaml"]
)
def test_a_file_of_another_name_is_refused(path: str) -> None:
    """Its name is the id that decisions write."""
    assert told({path: HELLO.encode()}) == [f"{path}:1:1 wrong-file"]


def test_a_script_brings_at_most_a_hundred() -> None:
    """A session has no more."""
    files = {f"workflows/w{number:03}.yaml": HELLO.encode() for number in range(MOST_WORKFLOWS + 2)}
    assert told(files) == ["workflows/w100.yaml:1:1 too-large"]


def test_one_that_no_longer_loads_begins_no_session() -> None:
    """The session would miss what its script counts on."""
    with pytest.raises(NotReady, match=r"workflows/a\.yaml:1:1"):
        bundled_workflows(with_workflows(a="- x"), "s.yaml")
