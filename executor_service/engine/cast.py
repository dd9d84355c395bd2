"""Who speaks in a script, and with whom: `roles` (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from executor_service.scripts.model.settings import RoleDefinition

WHO = "咨询助手"
"""{who}, where no role `counsellor` says otherwise."""
USER = "来访者"
"""{user}, where no role `client` says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """What the roles of a script fill."""

    who: str = WHO
    user: str = USER
    tone: str = ""
    """The counsellor's tone, where an action names none."""


def cast_of(roles: Sequence[RoleDefinition]) -> Cast:
    """Return the names and the tone a script's roles give; a role without a name gives none."""
    by_role = {role.role: role for role in roles}
    counsellor, client = by_role.get("counsellor"), by_role.get("client")
    return Cast(
        who=(counsellor.name if counsellor else "") or WHO,
        user=(client.name if client else "") or USER,
        tone=counsellor.tone if counsellor else "",
    )
