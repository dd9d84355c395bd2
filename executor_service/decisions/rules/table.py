"""Which rules hold for which decision: one table (document 002, sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from executor_service.decisions.decision_case import (
    DecisionCase,
    DecisionRule,
    Findings,
    RuleStage,
)
from executor_service.decisions.rules import drafting, forced, running
from executor_service.decisions.rules.spending import LIMITS, cost_rule, tokens_rule
from executor_service.decisions.sizes import SIZE_LIMITS
from heartrule.domain.decisions import DecisionType
from heartrule.domain.workflows import Workflow


def _schema(case: DecisionCase) -> Findings:
    return case.parsed if isinstance(case.parsed, tuple) else ()


def _named(case: DecisionCase) -> Workflow | None:
    return case.ground.workflow(str(case.payload["workflow_id"]))


def _replanned(case: DecisionCase) -> Workflow | None:
    found = running.replanning(case)
    return found.result() if found else None


_OF_ALL = (
    DecisionRule(forced.ACTION_TYPE, RuleStage.FORCED, forced.action_type_findings),
    DecisionRule(forced.DANGER, RuleStage.FORCED, forced.danger_findings),
    DecisionRule(SIZE_LIMITS, RuleStage.FORCED, forced.node_count_findings),
    DecisionRule("2 payload schema", RuleStage.SCHEMA, _schema),
)
_WORKFLOW = DecisionRule("2.4 workflow_id", RuleStage.REFERENCES, running.workflow_findings)

_OF_TYPE: Mapping[DecisionType, tuple[DecisionRule, ...]] = {
    DecisionType.RESPOND: (),
    DecisionType.CREATE_NODE: (
        DecisionRule("2.2 the node", RuleStage.REFERENCES, drafting.new_node_findings),
        DecisionRule(SIZE_LIMITS, RuleStage.REFERENCES, drafting.draft_size_findings),
        DecisionRule(SIZE_LIMITS, RuleStage.REFERENCES, drafting.workflow_count_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, cost_rule(drafting.with_new_node, "config")),
    ),
    DecisionType.CREATE_WORKFLOW_PLAN: (
        DecisionRule("2.3 the plan", RuleStage.REFERENCES, drafting.plan_findings),
        DecisionRule(SIZE_LIMITS, RuleStage.REFERENCES, drafting.workflow_count_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, cost_rule(drafting.planned, "nodes")),
    ),
    DecisionType.EXECUTE_WORKFLOW: (
        _WORKFLOW,
        DecisionRule("2.4 status", RuleStage.REFERENCES, running.status_findings),
        DecisionRule("2.4 the plan", RuleStage.REFERENCES, running.stored_plan_findings),
        DecisionRule("2.4 input_params", RuleStage.REFERENCES, running.input_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, cost_rule(_named, "workflow_id")),
    ),
    DecisionType.REQUEST_CLARIFICATION: (),
    DecisionType.CONTINUE: (),
    DecisionType.MODIFY_NODE: (
        DecisionRule("2.7 the node", RuleStage.REFERENCES, drafting.modification_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, cost_rule(drafting.modified, "updates")),
    ),
    DecisionType.ERROR_RECOVERY: (
        _WORKFLOW,
        DecisionRule("2.8 the recovery", RuleStage.REFERENCES, running.recovery_findings),
    ),
    DecisionType.REPLAN_WORKFLOW: (
        _WORKFLOW,
        DecisionRule("2.9 re-planning", RuleStage.REFERENCES, running.replanning_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, cost_rule(_replanned, "suggested_changes")),
    ),
    DecisionType.SPAWN_SUBAGENT: (
        DecisionRule("2.10 the sub-agent", RuleStage.REFERENCES, running.subagent_findings),
        DecisionRule("2.10 waiting", RuleStage.REFERENCES, running.waiting_findings),
        DecisionRule(LIMITS, RuleStage.OPTIONAL, tokens_rule("subagent_type")),
    ),
}

RULES: Mapping[DecisionType, tuple[DecisionRule, ...]] = MappingProxyType(
    {each: (*_OF_ALL, *_OF_TYPE[each]) for each in DecisionType}
)
"""The rules of each type of decision; within a stage, in this order."""
