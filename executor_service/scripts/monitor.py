"""`monitor`: how often the second mind is asked, and whether a turn waits for its advice."""

from __future__ import annotations

from executor_service.scripts.configs import INTERACTIVE, ActionType
from executor_service.scripts.keys import MONITOR
from executor_service.scripts.model import UNSAID, Cadence, MonitorRule
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section

MOST_ROUNDS_BETWEEN = 1_000
"""Largest `n`; no action talks for so long."""
MAX_WAIT_FOR_ADVICE_MS = 30_000
"""Longest wait for an advice; a client would think nobody is there."""


def read_monitor(section: Section) -> MonitorRule:
    """Return what a session, topic or action says of the monitor; UNSAID where it is silent."""
    inner = section.section("monitor", MONITOR)
    if inner is None:
        return UNSAID
    cadence = inner.word("cadence", Cadence)
    n = _n(inner, cadence)
    wait = inner.integer("wait_for_advice_ms", default=-1, least=0, most=MAX_WAIT_FOR_ADVICE_MS)
    return MonitorRule(cadence=cadence, n=n, wait_for_advice_ms=None if wait < 0 else wait)


def read_action_monitor(section: Section, action_type: ActionType) -> MonitorRule:
    """Return what an action says of the monitor; a type that is never judged has a warning."""
    found = read_monitor(section)
    if found != UNSAID and action_type not in INTERACTIVE:
        talkers = ", ".join(each for each in ActionType if each in INTERACTIVE)
        section.findings.warning(
            section.key_spot("monitor"),
            f"`monitor` decides nothing here; the monitor judges {talkers}",
            Rule.IDLE_SETTING,
        )
    return found


def _n(inner: Section, cadence: Cadence | None) -> int | None:
    """Return `n`, which `every_n` needs and no other cadence uses."""
    given = inner.has("n")
    n = inner.integer("n", default=0, least=2, most=MOST_ROUNDS_BETWEEN)
    if cadence is Cadence.EVERY_N:
        if not given:
            inner.missing("n", "; write how many rounds lie between two analyses")
        return n or None
    if given:
        inner.findings.warning(
            inner.key_spot("n"), "`n` counts only with `cadence: every_n`", Rule.IDLE_SETTING
        )
    return None
