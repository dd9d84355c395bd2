"""`heartrule workflow check FILE…`: every mistake of workflows in files, as of scripts."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from executor_service.decisions.policy import NO_POLICY
from executor_service.scripts.loading.yaml_reader import MAX_FILE_BYTES
from executor_service.scripts.model.findings import Located
from executor_service.workflows.plan_facts import PlanFacts
from executor_service.workflows.workflow_files import read_workflow
from heartrule_cli.commands.check import FORMATS, CheckReport
from heartrule_cli.failure import WRONG
from heartrule_cli.gate_policy import author_facts, policy_of
from heartrule_cli.scripts import file_problem

_NO_POLICY = "judged without secrets, connections and limits; --policy FILE names them"


def check_workflows(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print all findings of all files; return 2 where there are any, else 0."""
    policy = policy_of(environ, args.policy)
    facts = author_facts(policy)
    found = [each for name in args.files for each in _findings(name, facts)]
    checked = CheckReport(files=tuple(args.files), findings=tuple(found), noun="workflow")
    for line in FORMATS[args.format](checked):
        print(line)
    is_text = args.format == "text"
    print(checked.summary, file=sys.stdout if is_text and checked.is_ok else sys.stderr)
    if checked.is_ok:
        return 0
    if policy == NO_POLICY:
        print(_NO_POLICY, file=sys.stderr)
    return WRONG


def _findings(name: str, facts: PlanFacts) -> tuple[Located, ...]:
    try:
        with Path(name).open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        return (file_problem(Path(name), f"cannot be read: {error.strerror or error}"),)
    return read_workflow(name, data, facts).findings
