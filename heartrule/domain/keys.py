"""How a session is named: the tenant begins every key (ARCHITECTURE section 4)."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_TENANT = "default"
"""The tenant of a caller that names none."""


@dataclass(frozen=True, slots=True)
class SessionKey:
    """A session within its tenant."""

    tenant: str
    session_id: str
