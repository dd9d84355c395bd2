"""Notes: what operators write at turns of a session; no model and no client sees them."""

from __future__ import annotations

MOST_NOTES = 200
"""A session's."""
LONGEST_NOTE = 2_000
"""Characters."""
