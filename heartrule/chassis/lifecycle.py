"""The life of a process: start, wait for a signal, leave in order.

async def main(life: Lifecycle) -> None:
    store = open_store(); life.close("store", store.close)
    server, port = build_server(…)
    life.announce("health", health.leave)      # on SIGTERM: at once, in this order
    life.announce("streams", turns.go_away)
    life.drain("turns", turns.idle)            # then wait for work, `grace` in all
    life.close("server", lambda: server.stop(1))   # then close, last opened first

sys.exit(run(main))
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from heartrule.chassis.settings import SettingsError

log = logging.getLogger(__name__)

Step: TypeAlias = Callable[[], Awaitable[object]]
# One step that hangs must not use up the time that an orchestrator waits before SIGKILL.
_CLOSE_WITHIN_S = 5.0


class Lifecycle:
    """The steps of a shutdown, registered by the parts of the process."""

    def __init__(self, *, grace_s: float = 20.0) -> None:
        """`grace_s` is what all drains get together; `main` may set it anew."""
        self.grace_s = grace_s
        self._announce: list[tuple[str, Step]] = []
        self._drain: list[tuple[str, Step]] = []
        self._close: list[tuple[str, Step]] = []
        self._stopping = asyncio.Event()

    def announce(self, name: str, step: Step) -> None:
        """Register a step that announces the shutdown; these run first."""
        self._announce.append((name, step))

    def drain(self, name: str, step: Step) -> None:
        """Register work to wait for; all drains run at one time, cut when the grace is over."""
        self._drain.append((name, step))

    def close(self, name: str, step: Step) -> None:
        """Register a step of the end; they run in the reverse order of these calls, 5 s each."""
        self._close.append((name, step))

    def stop(self, reason: str) -> None:
        """Begin the shutdown; a second call changes nothing."""
        if not self._stopping.is_set():
            log.info("stopping", extra={"reason": reason})
            self._stopping.set()

    async def until_stopped(self) -> None:
        """Wait until `stop` was called."""
        await self._stopping.wait()

    async def leave(self) -> None:
        """Announce, drain, close; a step that fails or hangs does not keep the others from it."""
        for name, step in self._announce:
            await _bounded(name, step, _CLOSE_WITHIN_S)
        await asyncio.gather(*(_bounded(name, step, self.grace_s) for name, step in self._drain))
        for name, step in reversed(self._close):
            await _bounded(name, step, _CLOSE_WITHIN_S)
        log.info("stopped")


async def _bounded(name: str, step: Step, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await step()
    except TimeoutError:
        log.warning("a step took too long", extra={"step": name, "seconds": seconds})
    except Exception:  # the next step must run all the same
        log.exception("a step failed", extra={"step": name})


def run(main: Callable[[Lifecycle], Awaitable[None]]) -> int:
    """Run `main` to set everything up, wait for SIGTERM, SIGINT or `stop`, leave; return the code.

    0: left as asked. 1: the set-up failed, or a second signal came. 2: the settings are wrong.
    """
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            return runner.run(_live(main))
    except KeyboardInterrupt:
        return 1


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # Windows has none
        return None
    return uvloop.new_event_loop


async def _live(main: Callable[[Lifecycle], Awaitable[None]]) -> int:
    life = Lifecycle()
    _listen(life)
    code = 0
    try:
        await main(life)
        await life.until_stopped()
    except SettingsError as error:
        print(error, file=sys.stderr)  # noqa: T201 - for the person who set them
        code = 2
    except Exception:  # what was opened must be closed all the same
        log.exception("the start failed")
        code = 1
    await life.leave()
    return code


def _listen(life: Lifecycle) -> None:
    loop = asyncio.get_running_loop()

    def received(name: str) -> None:
        life.stop(name)
        for number in (signal.SIGTERM, signal.SIGINT):  # the next one ends us at once
            loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, received, number.name)
        except NotImplementedError:  # Windows: Ctrl-C arrives as KeyboardInterrupt
            return


def on_hangup(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work at each SIGHUP, from now on; a system without that signal never does it."""
    loop = asyncio.get_running_loop()
    running: set[asyncio.Task[None]] = set()

    def received() -> None:
        task = loop.create_task(_bounded("hangup", work, _CLOSE_WITHIN_S))
        running.add(task)  # the loop itself holds a task weakly
        task.add_done_callback(running.discard)

    try:
        loop.add_signal_handler(signal.SIGHUP, received)
    except (AttributeError, NotImplementedError):  # Windows has none
        return


def warm_up() -> None:
    """Take the objects made so far out of the garbage collector's view and make it run less often.

    Call it once, when everything is imported: those objects live as long as the process. The
    collector runs from then on, also where the start had switched it off.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    # With the defaults (700, 10, 10) a full collection pauses a busy loop by tens of milliseconds.
    gc.set_threshold(20_000, 20, 50)
