"""What a fault's run gave: figures and violations, as a row of the report."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.chaos.evidence import Violation
from tests.support.loop_watch import slowness

_ROOT = Path(__file__).resolve().parents[2]


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
    """From each injection to the end of what it hit; what exactly, the fault's docstring says."""
    limit_s: float | None = None
    """What `recovered_s` must stay below on a machine of one's own."""
    lease_s: float = 0.0
    """The part of the limit that is waiting, not work: a busy machine does not stretch it."""
    turns: int = 0
    violations: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    """Recoveries beyond the limit: violations where nothing else ran, else to be measured again."""
    skipped: str = ""
    notes: dict[str, object] = field(default_factory=dict)
    took_s: float = 0.0

    def add(self, violations: Iterable[Violation | str]) -> None:
        """Keep what the checker found."""
        self.violations += map(str, violations)

    def recovered(self, seconds: float) -> None:
        """Keep a recovery's time, and whether it is beyond the limit.

        Where the machine is busy or slow, the part of the limit that is work is stretched.
        """
        self.recovered_s.append(seconds)
        if self.limit_s is None:
            return
        limit = self.lease_s + (self.limit_s - self.lease_s) * stretch()
        if limit > self.limit_s:
            self.notes["limit stretched to s"] = round(limit, 1)
        if seconds > limit:
            self.late.append(f"{self.what}: recovered after {seconds:.2f} s, limit {limit:.2f} s")

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
            "injections": self.kills,
            "turns": self.turns,
            "recovered_median_s": round(median(times), 3) if times else None,
            "recovered_worst_s": round(times[-1], 3) if times else None,
            "limit_s": self.limit_s,
            "violations": self.violations,
            "skipped": self.skipped,
            "notes": self.notes,
            "took_s": round(self.took_s, 1),
        }


def stretch() -> float:
    """Return how many times slower this machine is than one at rest, by its load and its speed."""
    return max(load(), slowness())


def load() -> float:
    """Return how much wants to run on each processor."""
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def explained(error: BaseException) -> str:
    """Return what went wrong and where, from within groups of errors too; then what led to it."""
    if isinstance(error, BaseExceptionGroup):
        return "; ".join(dict.fromkeys(explained(each) for each in error.exceptions))
    told = f"{type(error).__name__}: {str(error) or '(no words)'} ({_place(error)})"
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return told if cause is None else f"{told}; because of {explained(cause)}"


def _place(error: BaseException) -> str:
    """Return the last frame; and our last one, where that is a library's."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT / "tests")]
    last = {(frame.filename, frame.lineno): frame for frame in (*frames[-1:], *ours[-1:])}
    return ", called at ".join(map(_named, last.values())) or "raised nowhere"


def _named(frame: traceback.FrameSummary) -> str:
    path = Path(frame.filename)
    name = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else Path(*path.parts[-3:])
    return f"{name}:{frame.lineno} in {frame.name}"
