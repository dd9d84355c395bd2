"""Workflows that lie in a script's bundle: each session of the version begins with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from executor_service.scripts.loading.bundle import WORKFLOWS_FOLDER, workflow_files
from executor_service.scripts.model.findings import At, Findings, Located
from executor_service.scripts.model.kinds import is_id
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.workflow_files import read_workflow
from heartrule.domain.errors import NotReady
from heartrule.domain.workflows import MOST_WORKFLOWS, Workflow

_SUFFIX = ".yaml"


def check_bundled(files: Mapping[str, bytes], facts: PlanFacts | None) -> tuple[Located, ...]:
    """Return what is wrong with the files below workflows/, file by file.

    Args:
        files: Those of a bundle that lie there.
        facts: What the workflows are judged by; None: they are only read.
    """
    return tuple(
        finding
        for number, path in enumerate(sorted(files), start=1)
        for finding in (*_of_path(path, number), *read_workflow(path, files[path], facts).findings)
    )


def bundled_workflows(files: Mapping[str, bytes], main: str) -> tuple[Workflow, ...]:
    """Return the workflows of a published bundle by the names of their files, each READY.

    Raises:
        NotReady: This release can no longer read one.
    """
    return tuple(
        _published(path, data) for path, data in sorted(workflow_files(files, main).items())
    )


def _published(path: str, data: bytes) -> Workflow:
    found = read_workflow(path, data, None)
    if found.workflow is None:
        raise NotReady(
            f"a workflow of the script no longer loads: {found.findings[0]}",
            reason="SCRIPT_NO_LONGER_LOADS",
        )
    return found.workflow


def _of_path(path: str, number: int) -> Iterator[Located]:
    """Yield why a file cannot be the workflow of this number."""
    findings, name = Findings(path), PurePosixPath(path)
    if path != f"{WORKFLOWS_FOLDER}{name.stem}{_SUFFIX}" or not is_id(name.stem):
        findings.report("misplaced_workflow", At(), folder=WORKFLOWS_FOLDER, suffix=_SUFFIX)
    if number == MOST_WORKFLOWS + 1:
        findings.report("too_many_workflows", At(), most=MOST_WORKFLOWS)
    yield from findings.sorted()
