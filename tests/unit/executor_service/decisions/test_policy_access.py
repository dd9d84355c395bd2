"""What a policy and its secrets file give to nodes."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest

from executor_service.decisions.policy import DecisionPolicies, load_decision_policies
from executor_service.decisions.policy_access import read_access
from executor_service.workflows.nodes.node_access import NO_ACCESS, NodeAccess
from heartrule.chassis.config_files import InvalidConfigFile

POLICY = """\
default:
  api_domains: [example.com]
  api_networks: [10.1.0.0/16]
  models: {gpt-4: my-large-model}
  secrets: [KEY]
  connections: [sales_db]
  secrets_file: %s
tenants:
  clinic: {}
"""
SECRETS = """\
secrets: {KEY: swordfish-12, OTHER: swordfish-13}
connections: {sales_db: "sqlite:////var/sales.db"}
"""


def policies(folder: Path, secrets: str) -> DecisionPolicies:
    """Return the policies of a file that names a secrets file."""
    (folder / "secrets.yaml").write_text(secrets, encoding="utf-8")
    (folder / "policy.yaml").write_text(POLICY % (folder / "secrets.yaml"), encoding="utf-8")
    return load_decision_policies(folder / "policy.yaml")


def test_nodes_are_given_what_is_declared(tmp_path: Path) -> None:
    """What a file holds beside it is nobody's; a tenant has its own policy alone."""
    access = read_access(policies(tmp_path, SECRETS))
    assert access.of("other") == NodeAccess(
        domains=("example.com",),
        networks=(ip_network("10.1.0.0/16"),),
        models={"gpt-4": "my-large-model"},
        connections={"sales_db": "sqlite:////var/sales.db"},
        secrets={"KEY": "swordfish-12"},
    )
    assert access.of("clinic") == NO_ACCESS


def test_a_declared_name_has_a_value(tmp_path: Path) -> None:
    """Every name that the file lacks is told at once, where a run would miss it much later."""
    with pytest.raises(InvalidConfigFile) as found:
        read_access(policies(tmp_path, "secrets: {OTHER: swordfish-13}"))
    assert [violation.field for violation in found.value.violations] == [
        "secrets.yaml: secrets.KEY",
        "secrets.yaml: connections.sales_db",
    ]


def test_the_gate_needs_no_secrets_file(tmp_path: Path) -> None:
    """A process that runs no nodes reads the policy where the file is not mounted."""
    found = policies(tmp_path, SECRETS)
    (tmp_path / "secrets.yaml").unlink()
    assert load_decision_policies(tmp_path / "policy.yaml") == found
    with pytest.raises(InvalidConfigFile):
        read_access(found)
