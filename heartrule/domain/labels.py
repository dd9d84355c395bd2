"""Labels: what an operator sorts sessions by, as names with values; no model sees them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_LABELS = 64
"""A session's."""
LABEL_NAME = re.compile(r"[^\W\d][\w-]{0,62}")
"""Letters of any language, digits, `_` and `-`: what a filter names without quotes."""
LONGEST_LABEL = 256
"""Bytes of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChange:
    """What becomes of a session's labels."""

    labels: Mapping[str, str] = field(default_factory=dict)
    """Set, each in place of the one of its name."""
    removed: frozenset[str] = frozenset()
    replaces_all: bool = False
    """True: those before it go."""

    def applied(self, before: Mapping[str, str]) -> dict[str, str]:
        """Return the labels after the change of those before it."""
        kept = {} if self.replaces_all else before
        after = {**kept, **self.labels}
        return {name: after[name] for name in sorted(after) if name not in self.removed}
