"""What a run was asked to do."""

from __future__ import annotations

from dataclasses import dataclass

DATABASES = ("sqlite", "postgresql")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How much of each fault."""

    databases: tuple[str, ...] = DATABASES
    kills: int = 11
    """Kills at each place on each database."""
    stops: int = 10
    restarts: int = 10
    away_s: float = 30.0
    outage_s: float = 60.0
    streams: int = 50
    clients: int = 6
    timed: bool = True
    """Whether a limit of time is a promise here; on a machine that others use it is none."""
    points: tuple[str, ...] = ()
    """Places to kill at; empty: all."""

    def limit(self, seconds: float) -> float | None:
        """Return a limit of time where limits count."""
        return seconds if self.timed else None


DEFAULT = Options()
"""What `make chaos` runs, in less than ten minutes on two cores."""
SHORT = Options(kills=2, stops=2, restarts=2, away_s=5.0, outage_s=3.0, streams=12, clients=3)
"""What `make test` runs."""
FULL = Options(kills=20, stops=20, restarts=10, clients=8)
