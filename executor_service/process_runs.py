"""Runs of workflows in this process; what runs them is composed when it is first needed.

Its libraries are large: a process without runs imports none of them.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Collection
from contextvars import copy_context
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeAlias

from executor_service.decision_gate import DecisionGate
from executor_service.decisions.policy_access import TenantAccess, read_access
from executor_service.dependencies import Dependencies
from executor_service.failpoints import Failpoints, parse_failpoint
from executor_service.hub import SessionHub
from executor_service.settings import LOCAL_WORKER, ExecutorSettings
from executor_service.thread_parts import ThreadParts
from heartrule.chassis.background import Background, every
from heartrule.domain.keys import SessionKey

# Between two looks for runs that nobody in this process has signalled; each is two indexed reads.
_LOOK_S = 4.0
# As if no worker lived: the share of a session is one run all the same.
_NOBODY = timedelta(0)
# Signals that wait for the engine to begin; a sweep does what is dropped beyond.
_MOST_SIGNALS = 1_000
# Of the grace, for letting go of runs that outlast it.
_HAND_OVER_S = 5.0


class ComposedRuns(Protocol):
    """What runs workflows."""

    async def begin(self) -> None:
        """Take runs from now on, and look after those that others left; once is enough."""

    async def admit(self, key: SessionKey) -> None:
        """Start the queued runs of a session that its share has room for."""

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on that wait no more."""

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run."""

    async def aclose(self, grace_s: float) -> None:
        """Let what runs end for so long, give back the rest, and free everything."""


Compose: TypeAlias = "Callable[[RunParts, str], ComposedRuns]"
"""Returns what runs workflows, given the name of the process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    """What runs of workflows are composed of."""

    slots: int
    """Runs at one time; 0: none."""
    pod_name: str
    is_shared: bool
    """True: other processes may take runs of this store."""
    given: Dependencies
    gate: DecisionGate
    access: TenantAccess
    hub: SessionHub
    failpoints: Failpoints
    threads: ThreadParts


def run_parts(
    settings: ExecutorSettings,
    given: Dependencies,
    gate: DecisionGate,
    hub: SessionHub,
    *,
    threads: ThreadParts,
) -> RunParts:
    """Return the parts; a process that takes runs reads the secrets files of the policies.

    Raises:
        InvalidConfigFile: A file cannot be read, breaks its rules, or lacks a declared name.
        InvalidSettingsFile: A file is not readable as YAML.
    """
    testing = settings.testing
    return RunParts(
        slots=settings.runs.run_concurrency,
        pod_name=settings.runs.pod_name,
        is_shared=bool(given.run_address) and settings.store.is_shared,
        given=given,
        gate=gate,
        access=given.access or _secrets(settings, gate),
        hub=hub,
        failpoints=parse_failpoint(testing.failpoint, test_mode=testing.test_mode),
        threads=threads,
    )


def _secrets(settings: ExecutorSettings, gate: DecisionGate) -> TenantAccess:
    return read_access(gate.policies) if settings.runs.run_concurrency else TenantAccess()


class ProcessRuns:
    """The runs of a process; it is a `RunStarter`."""

    def __init__(self, parts: RunParts, compose: Compose | None = None) -> None:
        """Compose nothing yet; `compose` is called in a thread."""
        self._parts, self._compose = parts, compose or _composed
        self._worker_id = LOCAL_WORKER
        # The process's own: what works on runs belongs to no call that signalled one.
        self._context = copy_context()
        self._waking = asyncio.Lock()
        self._composed: ComposedRuns | None = None
        self._is_begun = False
        self._signals = Background("runs", limit=_MOST_SIGNALS)
        self._looking: asyncio.Task[None] | None = None

    def begin(self, port: int) -> None:
        """Look now and then for runs that wait; `port` names a process that has no other name."""
        parts = self._parts
        if parts.is_shared:
            self._worker_id = parts.pod_name or f"{socket.gethostname()}:{port}"
        if parts.slots:
            self._looking = asyncio.create_task(every(_LOOK_S, self._look))

    async def launch(self) -> None:
        """Take runs from now on, whether there are any or not."""
        await self._awake()

    async def admit(self, key: SessionKey) -> None:
        """Have queued runs of a session begin."""
        self._signal(lambda runs: runs.admit(key), "admit")

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on that wait no more."""
        self._signal(lambda runs: runs.resume(run_ids), "resume")

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run that was cancelled."""
        self._signal(lambda runs: runs.cancel(run_id), "cancel")

    async def drain(self, grace_s: float) -> None:
        """Let what runs end within the grace, and give back the rest for others to go on with."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        await self._signals.drain(min(grace_s, 1.0))
        async with self._waking:
            if self._composed is not None:
                await self._composed.aclose(max(0.0, grace_s - _HAND_OVER_S))

    def _signal(self, act: Callable[[ComposedRuns], Awaitable[None]], label: str) -> None:
        if self._parts.slots or self._parts.is_shared:
            self._signals.spawn(self._acted(act), label=label)

    async def _acted(self, act: Callable[[ComposedRuns], Awaitable[None]]) -> None:
        await act(await self._awake())

    async def _look(self) -> None:
        """Begin where a dead process left runs; from then on sweeps look after them."""
        store = self._parts.given.store
        if self._is_begun:
            return
        if await store.standing_runs(1) or await store.find_admissible(_NOBODY, 1):
            await self._awake()

    async def _awake(self) -> ComposedRuns:
        async with self._waking:
            if self._composed is None:
                self._composed = await asyncio.to_thread(
                    self._compose, self._parts, self._worker_id
                )
            if not self._is_begun:
                begin = self._composed.begin()
                await asyncio.get_running_loop().create_task(begin, context=self._context.copy())
                self._is_begun = True
            return self._composed


def _composed(parts: RunParts, worker_id: str) -> ComposedRuns:
    from executor_service.run_composition import compose

    return compose(parts, worker_id)
