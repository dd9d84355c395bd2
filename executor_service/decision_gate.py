"""The gate of a process: who reads what decisions are judged by, and who judges them."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.decisions.ground import Subagents
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import DecisionPolicies, load_decision_policies
from executor_service.decisions.stored_session import StoredSessions
from executor_service.dependencies import Dependencies
from executor_service.settings import DecisionSettings
from heartrule.chassis.worker_pool import WorkerPool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionGate:
    """Shared by turns, operators and runs of a process."""

    policies: DecisionPolicies
    read_session: StoredSessions
    judging: JudgingBeside


def decision_gate(
    settings: DecisionSettings, given: Dependencies, subagents: Subagents
) -> DecisionGate:
    """Return the gate; the file of policies is read.

    Raises:
        InvalidConfigFile: The file cannot be read, or breaks its rules.
        InvalidSettingsFile: It is not readable as YAML.
    """
    policies = load_decision_policies(settings.decision_policy)
    return DecisionGate(
        policies=policies,
        read_session=StoredSessions(
            store=given.store,
            policies=policies,
            sandboxes=given.sandboxes,
            subagents=subagents,
        ),
        judging=JudgingBeside(given.pool or WorkerPool(settings.limits)),
    )
