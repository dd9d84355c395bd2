"""A decision on its way through the rules, and what a rule is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TypeAlias, TypeVar

from executor_service.decisions.ground import Ground, plan_facts
from executor_service.decisions.payloads.payload_base import Payload
from executor_service.decisions.payloads.payload_types import parse_payload
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from executor_service.workflows.plan_facts import PlanFacts
from heartrule.domain.decisions import Decision, DecisionType, RuleFinding
from heartrule.domain.json_value import JsonValue

Findings: TypeAlias = tuple[RuleFinding, ...]
P = TypeVar("P", bound=Payload)


@dataclass(frozen=True, kw_only=True)
class DecisionCase:
    """A decision of a known type, with all that its rules may know."""

    decision_type: DecisionType
    payload: Mapping[str, JsonValue]
    """As corrected so far."""
    ground: Ground
    policy: DecisionPolicy = NO_POLICY
    confidence: float | None = None
    """What the decision says beside its payload."""

    @classmethod
    def of(
        cls, decision: Decision, payload: JsonValue, ground: Ground, policy: DecisionPolicy
    ) -> DecisionCase:
        """Return a decision of a known type with an object for its payload, as it was corrected."""
        assert isinstance(payload, Mapping)
        return cls(
            decision_type=DecisionType(decision.decision_type),
            payload=payload,
            ground=ground,
            policy=policy,
            confidence=decision.confidence,
        )

    @property
    def facts(self) -> PlanFacts:
        """What the rules of a plan may know."""
        return plan_facts(self.ground, self.policy)

    @cached_property
    def parsed(self) -> Payload | Findings:
        """The payload by its schema, or what the schema objects to."""
        return parse_payload(self.decision_type, self.payload, confidence=self.confidence)

    def read(self, shape: type[P]) -> P:
        """Return the payload of a case whose schema holds."""
        assert isinstance(self.parsed, shape)
        return self.parsed


class RuleStage(IntEnum):
    """When a rule is asked; a stage with errors is the last one."""

    FORCED = 1
    """Section 3.1: before the schema, so that a payload may have any shape."""
    SCHEMA = 2
    REFERENCES = 3
    """Section 2: what the decision names, and the plan that it makes."""
    OPTIONAL = 4
    """Section 3.2: what the policy limits."""


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """One rule: its name with its section, its stage, and what it objects to."""

    name: str
    stage: RuleStage
    check: Callable[[DecisionCase], Findings]
