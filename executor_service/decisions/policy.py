"""What a deployment allows its agents: a YAML file, read at start with located errors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self, TypeAlias

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    IPvAnyNetwork,
    TypeAdapter,
    model_validator,
)

from executor_service.workflows.recovery_plan import RecoveryPlan
from heartrule.chassis.config_files import FilePart, read_config
from heartrule.domain.workflows import NodeType
from session_store.records.spending import SpendingLimits

_Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
_Domain = Annotated[str, Field(max_length=253, pattern=r"^[a-z0-9]+([.-][a-z0-9]+)*$")]
_ModelName = Annotated[str, Field(min_length=1, max_length=200)]
_Limit: TypeAlias = Annotated[int, Field(ge=0, le=2_000_000_000)] | None


def _without_ends(types: frozenset[NodeType]) -> frozenset[NodeType]:
    # START and END do nothing, so a list that leaves them out means no harm by it.
    return types | {NodeType.START, NodeType.END}


class DefaultRecovery(RecoveryPlan):
    """A recovery plan for every node, as the file has it: numbers are read from its text."""

    model_config = ConfigDict(strict=False)

    @model_validator(mode="after")
    def _of_any_node(self) -> Self:
        if self.modifications or self.alternative_node:
            raise ValueError("it holds for every node: no modifications, no alternative_node")
        return self


class DecisionPolicy(FilePart):
    """What the agents of a tenant may do; what is not set has no limit, or is not there."""

    node_types: Annotated[frozenset[NodeType], AfterValidator(_without_ends)] | None = None
    """Types of nodes that are allowed; None: all."""
    api_domains: tuple[_Domain, ...] | None = None
    """Domains that HTTP nodes may call, with what lies below them; None: all."""
    api_calls_per_minute: _Limit = None
    """Calls of all sessions of the tenant."""
    api_calls_per_session: _Limit = None
    llm_tokens_per_session: _Limit = None
    api_networks: tuple[IPvAnyNetwork, ...] = ()
    """Addresses that HTTP nodes may connect to beside those of the public internet."""
    models: Mapping[_ModelName, _ModelName] = Field(default_factory=dict)
    """A provider's name of a model, by the name that LLM nodes write."""
    secrets: frozenset[_Name] = frozenset()
    """Names that `${NAME}` may read; their values never stand here."""
    connections: frozenset[_Name] = frozenset()
    """Databases that a node may name; their addresses never stand here."""
    secrets_file: Path | None = None
    """File with these values and addresses; whatever runs nodes reads it."""
    default_recovery: DefaultRecovery = DefaultRecovery(action="RETRY", max_attempts=3, delay=1)
    """What is done about a failed node that says nothing itself; RETRY only where it may help."""

    @property
    def limits(self) -> SpendingLimits:
        """The most that the runs of a session, and those of the tenant, may use."""
        return SpendingLimits(
            llm_tokens=self.llm_tokens_per_session,
            api_calls=self.api_calls_per_session,
            tenant_api_calls=self.api_calls_per_minute,
        )


NO_POLICY = DecisionPolicy()
"""No limits, no secrets, no connections."""


class DecisionPolicies(FilePart):
    """The content of the file: a policy for all, and those of tenants that have their own."""

    default: DecisionPolicy = NO_POLICY
    tenants: Mapping[str, DecisionPolicy] = Field(default_factory=dict)
    """By tenant; nothing of the default is added to it."""

    def of(self, tenant: str) -> DecisionPolicy:
        """Return the policy of a tenant."""
        return self.tenants.get(tenant, self.default)


NO_POLICIES = DecisionPolicies()
_SHAPE = TypeAdapter(DecisionPolicies)


def load_decision_policies(path: Path | str) -> DecisionPolicies:
    """Read the file that HEARTRULE_DECISION_POLICY names; an empty path is none.

    Raises:
        InvalidConfigFile: It cannot be read, or breaks its rules; each fault with its place.
        InvalidSettingsFile: It is not readable as YAML.
    """
    return read_config(Path(path), _SHAPE) if path else NO_POLICIES
