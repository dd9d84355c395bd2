"""The key of a session; it begins with the tenant."""

from __future__ import annotations

from dataclasses import dataclass

# The tenant of a caller that names none.
DEFAULT_TENANT = "default"


@dataclass(frozen=True, slots=True)
class SessionKey:
    """A session within its tenant."""

    tenant: str
    session_id: str
