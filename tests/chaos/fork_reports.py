"""What the fork server reports: which process began as what, and how each ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from dataclasses import dataclass


class NotStarted(Exception):
    """A process ended before it listened, wrote nothing for minutes, or hides behind another."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A process that began."""

    pid: int
    ended: asyncio.Future[int]
    """Its exit code; a signal is a negative number."""


class ForkReports:
    """Starts that were asked for, and ends that are awaited."""

    def __init__(self) -> None:
        """Nothing is reported before the loop takes a report."""
        self.ready = asyncio.get_running_loop().create_future()
        self._asked: dict[int, asyncio.Future[Forked]] = {}
        # Only of processes that run: the system gives an id again, after 32,768 others at the
        # earliest, and a run of chaos begins more than that. The server waits for a process, which
        # frees its id, before it forks the next, so its end is read before that one's start.
        self._running: dict[int, asyncio.Future[int]] = {}
        self._lost = False

    def asked(self, number: int) -> asyncio.Future[Forked]:
        """Return what the start with this number will have come to.

        It ends in NotStarted where the server is gone.
        """
        asked: asyncio.Future[Forked] = asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        if self._lost:
            self._give_up()
        return asked

    def take(self, report: Mapping[str, int]) -> None:
        """Take one report: the server is ready, a process began, or one ended."""
        if "ready" in report:
            self.ready.set_result(None)
        elif "started" in report:
            ended = asyncio.get_running_loop().create_future()
            self._running[report["pid"]] = ended
            asked = self._asked.pop(report["started"])
            if not asked.done():  # whoever asked may have been cancelled
                asked.set_result(Forked(report["pid"], ended))
        else:
            self._running.pop(report["ended"]).set_result(report["code"])

    def lost(self) -> None:
        """Note that the server is gone, which kills what it started and reports no more."""
        self._lost = True
        for end in self._running.values():
            end.set_result(-signal.SIGKILL)
        self._running.clear()
        self._give_up()

    def _give_up(self) -> None:
        for asked in self._asked.values():
            if not asked.done():
                asked.set_exception(NotStarted("the fork server has ended"))
        self._asked.clear()
