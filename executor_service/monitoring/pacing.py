"""Decides which judged rounds are analysed, and lets a turn wait for advice."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from executor_service.hub import SessionHub, Subscription
from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.scripts.model.settings import Cadence, MonitorRule
from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.monitoring import Advice
from session_store.ports import Store
from session_store.records import MonitorTicket

# The reason of a round that the script's cadence leaves out.
BY_CADENCE = "CADENCE"
#: Key of a result's metadata: by name of a signal, how often it was found.
SIGNALS = "signals"
# Without a signal, each so many-th round of an action is analysed: code does not see everything.
_UNSIGNALLED = 3
_TROUBLED = frozenset({ProgressSuggestion.BLOCKED, ProgressSuggestion.OFF_TOPIC})


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The settings of one action: of each the innermost place that names it."""

    cadence: Cadence = Cadence.EVERY_ROUND
    n: int = 1
    wait_ms: int = 0
    """Most milliseconds a turn waits for an open analysis of the round before; 0: none."""


def pace_of(script: Script, topic: Topic, action: Action) -> Pace:
    """Return the pace of an action in its topic, a technique's for the actions in it."""
    pace = Pace()
    for rule in (script.monitor, topic.monitor, action.monitor):
        pace = _inside(pace, rule)
    return pace


def is_due(pace: Pace, result: ActionResult) -> bool:
    """Return whether a judged round is to be analysed, as far as the script decides it."""
    if pace.cadence is Cadence.EVERY_N:
        return result.round % pace.n == 0
    if pace.cadence is Cadence.ON_SUGGESTION:
        return result.progress_suggestion in _TROUBLED
    if pace.cadence is Cadence.ON_SIGNAL:
        return bool(result.metadata.get(SIGNALS)) or result.round % _UNSIGNALLED == 0
    return pace.cadence is Cadence.EVERY_ROUND


def _inside(pace: Pace, rule: MonitorRule) -> Pace:
    return Pace(
        cadence=rule.cadence or pace.cadence,
        n=rule.n or pace.n,
        wait_ms=pace.wait_ms if rule.wait_for_advice_ms is None else rule.wait_for_advice_ms,
    )


LOG = logging.getLogger(__name__)


class AdviceWaiting:
    """Lets one turn wait for one analysis; other turns are not delayed."""

    def __init__(self, store: Store, hub: SessionHub) -> None:
        """Watch `hub` for the ends of analyses, in any process; read them in `store`."""
        self._store = store
        self._hub = hub

    async def wait(self, ticket: MonitorTicket, seconds: float) -> Advice | None:
        """Return the round's pending advice once it is there; None when there is none in time.

        Returns at once where no analysis of the round is open, or where the store fails.
        """
        watcher = self._hub.subscribe(ticket.key)
        until = asyncio.get_running_loop().time() + seconds
        try:
            while True:
                pending = await self._store.look_for_advice(ticket)
                if pending.advice is not None or not pending.open:
                    return pending.advice
                async with asyncio.timeout_at(until):
                    await something_new(watcher)
        except TimeoutError:
            return None
        except HeartRuleError as error:
            LOG.warning("no wait for advice", extra={"reason": error.reason})
            return None
        finally:
            watcher.close()


async def something_new(watcher: Subscription) -> None:
    """Return once anything happened that a watcher has not seen."""
    await watcher.wait()
    watcher.take_behind()
    while watcher.take() is not None:
        pass
