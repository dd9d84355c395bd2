"""The policy that commands judge decisions and workflows by."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.decisions.ground import Ground, plan_facts
from executor_service.decisions.policy import DecisionPolicy, load_decision_policies
from executor_service.settings import DecisionSettings
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.chassis.config_files import listed
from heartrule.chassis.settings import read
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.keys import DEFAULT_TENANT
from heartrule.domain.workflows import SandboxTier
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.text import clean

# Databases and secrets are closed by not being named.
_CLOSED = DecisionPolicy(api_domains=())


def policy_of(environ: Mapping[str, str], file: str | None = None) -> DecisionPolicy:
    """Return the policy of a file, by default of the one that the environment names.

    Raises:
        Failure: It cannot be read, or breaks its rules.
    """
    path = read(DecisionSettings, environ).decision_policy if file is None else file
    try:
        return load_decision_policies(path).of(DEFAULT_TENANT)
    except InvalidRequest as error:
        raise Failure(clean(listed(error.violations)), code=WRONG) from None


def closed_policy_of(environ: Mapping[str, str], file: str | None = None) -> DecisionPolicy:
    """Return the policy as `policy_of`; where no file is named, one by which nothing is open.

    Raises:
        Failure: It cannot be read, or breaks its rules.
    """
    if file is None and not read(DecisionSettings, environ).decision_policy:
        return _CLOSED
    return policy_of(environ, file)


def author_facts(policy: DecisionPolicy) -> PlanFacts:
    """Return what a workflow is judged by where it is written, which is not where it runs.

    That is the policy, and a machine that has both sandboxes.
    """
    return plan_facts(Ground(sandboxes=frozenset(SandboxTier)), policy)
