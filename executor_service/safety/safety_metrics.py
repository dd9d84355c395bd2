"""Metrics of the crisis path; see docs/operations/monitoring.md for the instruments."""

from __future__ import annotations

from heartrule.chassis import telemetry_metrics as metrics
from session_store.records import SafetyStep


def count_failure() -> None:
    """Count a text that the screen failed to read."""
    metrics.count("heartrule.safety.screen_failures")


def count_hit(step: SafetyStep, *, refused: bool = False) -> None:
    """Count a hit by its level and source, and whether its input was refused."""
    if step.raised:
        metrics.count(
            "heartrule.safety.hits",
            level=step.level.name.lower(),
            source=step.source.value,
            refused="yes" if refused else "no",
        )
