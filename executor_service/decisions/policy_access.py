"""Reads the secrets files that policies name: what nodes of runs are given, by tenant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr

from executor_service.decisions.policy import DecisionPolicies, DecisionPolicy
from executor_service.workflows.nodes.node_access import NO_ACCESS, NodeAccess
from executor_service.workflows.nodes.secrets_file import SecretsFile, load_secrets
from heartrule.chassis.config_files import InvalidConfigFile, listed
from heartrule.domain.errors import FieldViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantAccess:
    """What the nodes of each tenant's runs may use."""

    default: NodeAccess = NO_ACCESS
    tenants: Mapping[str, NodeAccess] = field(default_factory=dict)

    def of(self, tenant: str) -> NodeAccess:
        """Return the access of a tenant's runs."""
        return self.tenants.get(tenant, self.default)


def read_access(policies: DecisionPolicies) -> TenantAccess:
    """Return the access that policies give; each secrets file is read once for each policy.

    Raises:
        InvalidConfigFile: A file cannot be read, breaks its rules, or lacks a name that its policy
            declares.
        InvalidSettingsFile: A file is not readable as YAML.
    """
    return TenantAccess(
        default=_access(policies.default),
        tenants={tenant: _access(policy) for tenant, policy in policies.tenants.items()},
    )


def _access(policy: DecisionPolicy) -> NodeAccess:
    path = policy.secrets_file
    found = load_secrets(path) if path else SecretsFile()
    if lacking := tuple(_lacking(policy, found, path)):
        raise InvalidConfigFile(listed(lacking), reason="INVALID_CONFIG_FILE", violations=lacking)
    return NodeAccess(
        domains=policy.api_domains,
        networks=policy.api_networks,
        models=policy.models,
        connections=_values(found.connections, policy.connections),
        secrets=_values(found.secrets, policy.secrets),
    )


def _lacking(
    policy: DecisionPolicy, found: SecretsFile, path: Path | None
) -> Iterator[FieldViolation]:
    file = path.name if path else "secrets_file"
    for part, declared, known in (
        ("secrets", policy.secrets, found.secrets),
        ("connections", policy.connections, found.connections),
    ):
        for name in sorted(declared - known.keys()):
            yield FieldViolation(
                field=f"{file}: {part}.{name}", description="the policy declares it; give its value"
            )


def _values(known: Mapping[str, SecretStr], declared: frozenset[str]) -> dict[str, str]:
    """Return what is declared; a file may serve several policies."""
    return {name: known[name].get_secret_value() for name in sorted(declared)}
