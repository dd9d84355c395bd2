"""A run that is to begin here: its workflow, its inputs, and what it may use; all is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.decisions.ground import Ground, plan_facts
from executor_service.decisions.policy import DecisionPolicies
from executor_service.decisions.policy_access import read_access
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.sandbox.probing import SandboxesAtHand
from heartrule.chassis.config_files import listed
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.workflows import Workflow
from heartrule.words.language import language_in
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.gate_policy import closed_policy_of
from heartrule_cli.runs.given_inputs import given_inputs
from heartrule_cli.runs.local_ground import LocalGround
from heartrule_cli.runs.local_model import local_model
from heartrule_cli.runs.policy_lines import policy_hint
from heartrule_cli.scripts import mistaken
from heartrule_cli.text import clean
from heartrule_cli.workflow_source import workflow_in


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """What a run needs, before it is decided."""

    workflow: Workflow
    inputs: Mapping[str, JsonValue]
    ground: LocalGround


def prepared_run(
    file: str, written_inputs: Sequence[str], policy_file: str | None, environ: Mapping[str, str]
) -> PreparedRun:
    """Return the run that a file and options ask for.

    Raises:
        Failure: A file or an input is wrong; the hint names every mistake, and what the policy
            would need.
    """
    policy = closed_policy_of(environ, policy_file)
    policies, sandboxes = DecisionPolicies(default=policy), SandboxesAtHand()
    facts = plan_facts(Ground(sandboxes=sandboxes), policy)
    found = workflow_in(file, facts)
    if found.workflow is None:
        written = workflow_in(file, None).workflow
        hint = policy_hint(written, policy) if written else ()
        raise mistaken(file, found.findings, language_in(environ), hint=hint)
    inputs = given_inputs(written_inputs, found.workflow.inputs)
    access = _access(policies)
    model = local_model(found.workflow, environ)
    ground = LocalGround(policies=policies, access=access, sandboxes=sandboxes, model=model)
    return PreparedRun(workflow=found.workflow, inputs=inputs, ground=ground)


def _access(policies: DecisionPolicies) -> NodeAccess:
    try:
        return read_access(policies).of(DEFAULT_TENANT)
    except InvalidRequest as error:
        raise Failure(clean(listed(error.violations)), code=WRONG) from None
