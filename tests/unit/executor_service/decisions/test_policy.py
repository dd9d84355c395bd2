"""The file that HEARTRULE_DECISION_POLICY names."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.decisions.policy import (
    NO_POLICY,
    DecisionPolicies,
    DecisionPolicy,
    load_decision_policies,
)
from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.domain.workflows import NodeType

WRITTEN = """\
default:
  node_types: [LLM, HTTP]
  api_domains: [api.weather.com]
  api_calls_per_minute: 60
  secrets: [WEATHER_API_KEY]
tenants:
  clinic:
    connections: [sales_db]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "policy.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_tenant_has_its_own_policy_or_that_of_all(tmp_path: Path) -> None:
    """A tenant's policy stands alone: nothing of the default is added to it."""
    policies = load_decision_policies(written(tmp_path, WRITTEN))
    assert policies.of("clinic") == DecisionPolicy(connections=frozenset({"sales_db"}))
    assert policies.of("other").api_calls_per_minute == 60
    assert policies.of("other").secrets == {"WEATHER_API_KEY"}


def test_the_ends_of_a_plan_need_no_permission(tmp_path: Path) -> None:
    """START and END do nothing, so no list of types leaves them out."""
    allowed = load_decision_policies(written(tmp_path, WRITTEN)).default.node_types
    assert allowed == frozenset({NodeType.LLM, NodeType.HTTP, NodeType.START, NodeType.END})


def test_a_failed_node_recovers_by_the_policy(tmp_path: Path) -> None:
    """Where nothing is said it is tried again three times, a second apart."""
    text = "default:\n  default_recovery: {action: RETRY, max_attempts: 2, delay: 5}\n"
    recovery = load_decision_policies(written(tmp_path, text)).default.default_recovery
    assert (recovery.max_attempts, recovery.delay) == (2, 5)
    assert NO_POLICY.default_recovery.given() == {"action": "RETRY", "max_attempts": 3, "delay": 1}


def test_without_a_file_nothing_is_limited_and_nothing_is_there() -> None:
    """No limits, no secrets, no connections."""
    assert DecisionPolicies().of("default") == NO_POLICY
    assert (NO_POLICY.node_types, NO_POLICY.api_domains) == (None, None)
    assert not NO_POLICY.secrets | NO_POLICY.connections


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("  node_types: [LLM, SHELL]", "policy.yaml:2:21: default.node_types.1"),
        ("  api_domains: ['https://x.org']", "policy.yaml:2:17: default.api_domains.0"),
        ("  api_calls_per_minute: -1", "policy.yaml:2:25: default.api_calls_per_minute"),
        ("  secrets: ['A B']", "policy.yaml:2:13: default.secrets.0"),
        (
            "  default_recovery: {action: SKIP, alternative_node: a}",
            "policy.yaml:2:21: default.default_recovery",
        ),
        ("  pasword: x", "policy.yaml:2:12: default.pasword"),
    ],
)
def test_a_fault_is_told_with_its_place(tmp_path: Path, line: str, place: str) -> None:
    """File, line, column and path of what breaks the rules."""
    with pytest.raises(InvalidConfigFile) as found:
        load_decision_policies(written(tmp_path, f"default:\n{line}\n"))
    assert [violation.field for violation in found.value.violations] == [place]
