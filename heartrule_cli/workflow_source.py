"""Workflows in files on this machine."""

from __future__ import annotations

from pathlib import Path

from executor_service.scripts.loading.yaml_reader import MAX_FILE_BYTES
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.workflow_files import WorkflowFile, read_workflow
from heartrule.words.words import say
from heartrule_cli.scripts import file_problem


def workflow_in(name: str, facts: PlanFacts | None) -> WorkflowFile:
    """Return the workflow of a file or its mistakes; a file that cannot be read is one.

    Args:
        name: The file's path.
        facts: What the workflow is judged by; None: it is only read.
    """
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        why = say("cli.rehearse.unread", why=str(error.strerror or error))
        problem = file_problem(Path(name), why)
        return WorkflowFile(findings=(problem,))
    return read_workflow(name, data, facts)
