"""The executor, put together: the only place that knows which implementation is used."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from grpc import aio

from executor_service.actions.registry import action_runners
from executor_service.assets.pictures import Pictures
from executor_service.engine.clock import now_utc
from executor_service.engine.deps import EngineDeps
from executor_service.exits.hints import load_exit_hints
from executor_service.failpoints import Failpoints, parse_failpoint
from executor_service.hub import SessionHub
from executor_service.library import StoredScripts
from executor_service.lint_environment import lint_environment
from executor_service.monitoring.client import GrpcMonitor
from executor_service.monitoring.desk import DeskDeps, MonitorDesk
from executor_service.monitoring.limits import MonitorLimits
from executor_service.monitoring.planning import PlanningDesk
from executor_service.monitoring.waiting import AdviceWaiting
from executor_service.ports import Monitor
from executor_service.rpc.sessions import SessionDefaults, SessionDeps
from executor_service.safety.loader import load_crisis_rules
from executor_service.servicer import SERVICE_NAMES, ServiceDeps, add_services
from executor_service.settings import ExecutorSettings
from executor_service.strategy.adviser import Strategies
from executor_service.strategy.profile import load_profiles
from executor_service.streams.deps import StreamDeps
from executor_service.turns.attempt import Analyst
from executor_service.turns.drivers import Drivers
from executor_service.turns.idle import IdleSweep
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.service import Turns
from executor_service.turns.stops import Stops
from executor_service.variables.keywords import load_keywords
from heartrule.chassis.channels import open_channel
from heartrule.chassis.health import READY, Health
from heartrule.chassis.server import build_server
from heartrule.chassis.system_files import system_dir
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import GoingAway, SessionEvent
from heartrule.domain.ids import new_id
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from session_store.ports import Store

LOG = logging.getLogger(__name__)
_HOUR_S = 3_600.0
_READY_CHECK_S = 2.0
"""Between two looks at the database, and the time it has to answer: what is wrong with it is known
within five seconds."""
_MONITOR_GONE_S = 4.5
"""A monitor that vanished is known to be gone after this, not only at an analysis' deadline."""
_RECONNECT_AFTER = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What the executor does not make itself; tests give their own."""

    store: Store
    model: ChatModel
    monitor: Monitor | None = None
    """None = over gRPC at the address of the settings."""


class Executor:
    """A running executor service."""

    def __init__(self, settings: ExecutorSettings, outside: Outside, *, owner: str) -> None:
        """Wire everything; nothing listens before `start`. `owner` names this process in leases."""
        self._settings = settings
        self._outside = outside
        self._root = system_dir(settings.system.system_dir)
        self._keywords = load_keywords(self._root / "config")
        self._tasks: list[asyncio.Task[None]] = []
        self._channel: aio.Channel | None = None
        self._server: aio.Server | None = None
        self.hub = SessionHub(draft_window_s=settings.turns.draft_window_ms / 1000)
        self.port = 0
        self.health = Health(settings.server.host, settings.server.health_port)
        self.scripts = StoredScripts(outside.store)
        self.pictures = Pictures(outside.store, self.scripts)
        self.desk = self._desk(owner)
        self.turns = self._turns(owner, self._failpoints())

    async def start(self) -> None:
        """Open the store, listen, and take up what a dead process left."""
        await self.health.start()
        await self._outside.store.start()
        self._server, self.port = build_server(
            self._settings.server,
            register=partial(add_services, self._service_deps()),
            service_names=SERVICE_NAMES,
        )
        await self._server.start()
        self._begin_background()
        await self.health.set(READY, serving=True)

    async def go_away(self) -> None:
        """Tell every stream that this server stops; they resume elsewhere by sequence."""
        body = GoingAway(reconnect_after=_RECONNECT_AFTER)
        self.hub.broadcast(lambda key: SessionEvent(session_id=key.session_id, body=body))

    async def drain(self) -> None:
        """Finish the running turns, then the analyses they asked for, within the grace."""
        grace = self._settings.server.stop_grace
        await self.turns.drain(grace)
        await self.desk.drain(min(grace, 2.0))

    async def close(self) -> None:
        """Stop listening and free everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.stop(grace=1.0)
        if self._channel is not None:
            await self._channel.close()
        await self._outside.model.aclose()
        await self._outside.store.aclose()
        await self.health.close()

    def _templates(self) -> TemplateStore:
        return TemplateStore(self._root / "config")

    def _failpoints(self) -> Failpoints:
        testing = self._settings.testing
        return parse_failpoint(testing.failpoint, test_mode=testing.test_mode)

    def _desk(self, owner: str) -> MonitorDesk:
        store = self._outside.store
        monitor = self._outside.monitor or self._grpc_monitor()
        return MonitorDesk(
            DeskDeps(
                store=store,
                hub=self.hub,
                scripts=self.scripts,
                monitor=monitor,
                owner=owner,
                limits=MonitorLimits(
                    concurrency=self._settings.monitor.monitor_concurrency,
                    token_budget=self._settings.monitor.monitor_token_budget,
                ),
                planning=PlanningDesk(
                    store=store, hub=self.hub, scripts=self.scripts, monitor=monitor, owner=owner
                ),
            )
        )

    def _grpc_monitor(self) -> Monitor:
        link = self._settings.monitor
        self._channel = open_channel(link.monitor_address, noticed_s=_MONITOR_GONE_S)
        return GrpcMonitor(self._channel, deadline_s=link.monitor_deadline)

    def _turns(self, owner: str, failpoints: Failpoints) -> Turns:
        ttl = timedelta(seconds=self._settings.turns.lease_ttl)
        stops = Stops(self._outside.store)
        runner = TurnRunner(
            RunnerDeps(
                store=self._outside.store,
                hub=self.hub,
                stops=stops,
                scripts=self.scripts,
                engine=self._engine(),
                failpoints=failpoints,
                hand_over=self.desk.hand_over,
                analyst=Analyst(owner=owner),
                lease_ttl=ttl,
                turn_timeout=timedelta(seconds=self._settings.turns.turn_timeout),
            )
        )
        return Turns(
            hub=self.hub,
            drivers=Drivers(
                self._outside.store, runner.run, owner=owner, ttl=ttl, told=runner.told
            ),
            stops=stops,
            failpoints=failpoints,
            sweep_every=ttl / 3,
        )

    def _engine(self) -> EngineDeps:
        return EngineDeps(
            model=self._outside.model,
            templates=self._templates(),
            actions=action_runners(),
            crisis=load_crisis_rules(self._root / "safety"),
            clock=now_utc,
            new_id=new_id,
            pictures=self.pictures.find,
            keyword_scope=self._keywords.scope_of,
            strategies=self._strategies(),
            exit_hints=load_exit_hints(self._root / "config"),
            monitored=self._settings.monitor.monitored,
            await_advice=AdviceWaiting(self._outside.store, self.hub).wait,
        )

    def _strategies(self) -> Strategies:
        turns = self._settings.turns
        return Strategies(
            wait_s=turns.strategy_wait_ms / 1000,
            timeout_s=turns.strategy_timeout,
            profiles=load_profiles(self._root / "config"),
        )

    def _service_deps(self) -> ServiceDeps:
        streams = StreamDeps(
            store=self._outside.store,
            hub=self.hub,
            turns=self.turns,
            pictures=self.pictures,
            heartbeat=timedelta(seconds=self._settings.turns.heartbeat),
        )
        environment = lint_environment(self._templates(), self._root / "skills", self._keywords)
        return ServiceDeps(streams=streams, sessions=self._session_deps(), environment=environment)

    def _session_deps(self) -> SessionDeps:
        turns = self._settings.turns
        return SessionDeps(
            store=self._outside.store,
            hub=self.hub,
            turns=self.turns,
            scripts=self.scripts,
            defaults=SessionDefaults(
                locale=turns.locale,
                time_zone=turns.time_zone,
                merge_window=timedelta(milliseconds=turns.merge_window_ms),
            ),
        )

    def _begin_background(self) -> None:
        monitor = self._settings.monitor
        idle = timedelta(seconds=self._settings.turns.session_idle_timeout)
        ending = IdleSweep(self._outside.store, self.hub, idle)
        self._tasks = [
            asyncio.create_task(_every(self.turns.sweep_every.total_seconds(), self.turns.sweep)),
            asyncio.create_task(_every(_HOUR_S, self._trim_ledger)),
            asyncio.create_task(_every(_READY_CHECK_S, self._check_ready)),
            asyncio.create_task(self._follow_others()),
        ]
        if ending.enabled:
            self._tasks.append(asyncio.create_task(_every(ending.every_s, ending.sweep)))
        if monitor.monitored:
            sweep = _every(monitor.monitor_sweep, self.desk.sweep)
            self._tasks.append(asyncio.create_task(sweep))

    async def _check_ready(self) -> None:
        """Be ready as long as the database answers; being alive does not depend on it."""
        try:
            async with asyncio.timeout(_READY_CHECK_S):
                await self._outside.store.ping()
        except (HeartRuleError, TimeoutError):
            await self.health.set(READY, serving=False)
        else:
            await self.health.set(READY, serving=True)

    async def _trim_ledger(self) -> None:
        """Let the ledger forget the words of calls older than the setting allows."""
        days = self._settings.store.ledger_text_days
        await self._outside.store.trim_ledger(timedelta(days=days))

    async def _follow_others(self) -> None:
        """Make watchers read what other replicas commit; deaf for a while, make all of them.

        Running turns look whether another replica stopped them.
        """
        async for key in self._outside.store.changes():
            self.turns.changed(key)
            if key is None:
                self.hub.all_changed()
            else:
                self.hub.changed(key)


async def _every(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do the work now and then every so often; a failure waits for the next time."""
    while True:
        try:
            await work()
        except Exception:  # the next round must come, whatever this one met
            LOG.exception("periodic work failed")
        await asyncio.sleep(seconds)
