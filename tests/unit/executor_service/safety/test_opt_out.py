"""Who may turn the crisis path off."""

from __future__ import annotations

import pytest

from executor_service.safety.opt_out import OptOutPolicy
from executor_service.settings import ExecutorSettings
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.errors import NotPermitted


def policy(**environ: str) -> OptOutPolicy:
    """Return the policy of an environment."""
    return read(ExecutorSettings, environ).opt_outs.policy()


def test_a_tenant_follows_its_own_policy() -> None:
    """Others follow the installation's, which allows it unless it is told otherwise."""
    made = policy(
        HEARTRULE_SAFETY_OPT_OUT="forbidden", HEARTRULE_SAFETY_OPT_OUT_TENANTS="a=allowed"
    )
    assert (made.allows("a"), made.allows("b")) == (True, False)
    assert policy().allows("b")


@pytest.mark.parametrize("written", ["a", "a=perhaps", "=allowed"])
def test_a_policy_is_a_pair(written: str) -> None:
    """Anything else is refused at start."""
    with pytest.raises(SettingsError, match="HEARTRULE_SAFETY_OPT_OUT_TENANTS"):
        policy(HEARTRULE_SAFETY_OPT_OUT_TENANTS=written)


def test_what_is_forbidden_is_refused() -> None:
    """A script that keeps the path is never refused."""
    forbidden = OptOutPolicy(allowed=False)
    forbidden.check("t", "")
    OptOutPolicy().check("t", "training")
    with pytest.raises(NotPermitted):
        forbidden.check("t", "training")
