"""What a fault's run gave: figures and violations, as a row of the report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median

from chaos.checker import Violation


@dataclass(slots=True, kw_only=True)
class Result:
    """One row: a fault on one database."""

    fault: str
    database: str
    what: str = ""
    """Which variant, in a few words."""
    runs: int = 0
    kills: int = 0
    """How often the fault struck."""
    recovered_s: list[float] = field(default_factory=list)
    """From each strike to the end of what it hit; what exactly, the fault's docstring says."""
    limit_s: float | None = None
    """What `recovered_s` must stay below."""
    turns: int = 0
    violations: list[str] = field(default_factory=list)
    skipped: str = ""
    notes: dict[str, object] = field(default_factory=dict)
    took_s: float = 0.0

    def add(self, violations: Iterable[Violation | str]) -> None:
        """Keep what the checker found."""
        self.violations += map(str, violations)

    def recovered(self, seconds: float) -> None:
        """Keep a recovery's time; one beyond the limit is a violation."""
        self.recovered_s.append(seconds)
        if self.limit_s is not None and seconds > self.limit_s:
            self.violations.append(
                f"{self.what}: recovered after {seconds:.2f} s, limit {self.limit_s:.2f} s"
            )

    def require(self, holds: bool, what: str) -> None:  # noqa: FBT001  it reads as an assert
        """Count a broken promise that is none of the checker's rules."""
        if not holds:
            self.violations.append(f"{self.what}: {what}")

    def as_json(self) -> Mapping[str, object]:
        """Return the row for a machine."""
        times = sorted(self.recovered_s)
        return {
            "fault": self.fault,
            "database": self.database,
            "what": self.what,
            "runs": self.runs,
            "strikes": self.kills,
            "turns": self.turns,
            "recovered_median_s": round(median(times), 3) if times else None,
            "recovered_worst_s": round(times[-1], 3) if times else None,
            "limit_s": self.limit_s,
            "violations": self.violations,
            "skipped": self.skipped,
            "notes": self.notes,
            "took_s": round(self.took_s, 1),
        }
