"""Failures and degradations as data inside a stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from heartrule.domain.model_failure import FOR_OPERATORS


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """The facts of a gRPC status, readable without google/rpc."""

    code: int
    """A google.rpc.Code."""
    reason: str
    """UPPER_SNAKE, stable."""
    message: str
    retry_after: timedelta | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)

    def for_clients(self) -> Problem:
        """Return it without the facts that are for operators alone."""
        if not FOR_OPERATORS & self.metadata.keys():
            return self
        kept = {name: text for name, text in self.metadata.items() if name not in FOR_OPERATORS}
        return replace(self, metadata=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """Something that was done less well than asked, as data."""

    stage: str
    """The stage: `parse`, `prompt`, `model`, `variables`, `template`, `safety`, `script`."""
    reason: str
    """UPPER_SNAKE, stable."""
    metadata: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, stage: str, reason: str, **metadata: str) -> Degradation:
        """Return a degradation with these facts as its metadata."""
        return cls(stage=stage, reason=reason, metadata=metadata)
