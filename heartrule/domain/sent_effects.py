"""What went out before a turn was taken back (RESOLUTIONS, One product 6)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEffect:
    """A node that did, or may have done, something outside."""

    run_id: str
    path: str
