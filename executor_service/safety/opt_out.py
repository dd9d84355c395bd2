"""Whether a tenant's scripts may turn the crisis path off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from heartrule.domain.errors import NotPermitted


@dataclass(frozen=True, slots=True, kw_only=True)
class OptOutPolicy:
    """The policy of the installation and of tenants that have one of their own."""

    allowed: bool = True
    tenants: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    """By tenant, whether it is allowed; others follow `allowed`."""

    def allows(self, tenant: str) -> bool:
        """Return whether a script of the tenant may turn the crisis path off."""
        return self.tenants.get(tenant, self.allowed)

    def check(self, tenant: str, reason: str) -> None:
        """Refuse a session of a script that turns the path off against the policy.

        Args:
            tenant: Whose session it is.
            reason: Why its script turns the path off; empty: it does not.

        Raises:
            NotPermitted: The tenant's policy forbids it.
        """
        if reason and not self.allows(tenant):
            raise NotPermitted(
                "this script turns the crisis path off, which is forbidden here",
                reason="SAFETY_OPT_OUT_FORBIDDEN",
            )
