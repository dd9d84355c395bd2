"""The executor's composition: the only module that knows which implementation is used."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from grpc import aio

from executor_service.actions.registry import action_runners
from executor_service.assets.pictures import Pictures
from executor_service.decision_gate import decision_gate
from executor_service.decisions.session_runs import StoredRuns
from executor_service.dependencies import Dependencies
from executor_service.engine.engine_deps import EngineDeps
from executor_service.failpoints import Failpoints
from executor_service.hook_order import hooks_without_script, step_hooks
from executor_service.hub import SessionHub
from executor_service.installation import read_installation
from executor_service.library import StoredScripts
from executor_service.lint_installation import judged_by
from executor_service.monitoring.client import GrpcMonitor, open_monitor_channel
from executor_service.monitoring.dispatcher import AnalysisDispatcher
from executor_service.monitoring.limits import MonitorLimits
from executor_service.monitoring.pacing import AdviceWaiting
from executor_service.monitoring.planning import DispatcherDeps
from executor_service.ports import Monitor
from executor_service.process_runs import ProcessRuns, run_parts
from executor_service.safety.alert_delivery import AlertDelivery
from executor_service.safety.alert_webhook import webhook_of
from executor_service.servicer import add_services
from executor_service.settings import ExecutorSettings
from executor_service.strategy.adviser import LateRecommendations, Strategies
from executor_service.streams.admission import Admission
from executor_service.streams.client_inputs import ClientInputs
from executor_service.streams.known_sessions import KnownSessions
from executor_service.streams.session_deps import SessionDeps
from executor_service.summaries.summary_writer import SummaryDeps, SummaryWriter
from executor_service.sweeps import IdleSweep, RetentionSweep
from executor_service.thread_parts import thread_parts
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.session_workers import SessionWorkers
from executor_service.turns.stop_registry import StopRegistry
from heartrule.chassis.background import every
from heartrule.chassis.system_files import system_dir
from heartrule.chassis.worker_pool import WorkerPool
from heartrule.domain.keys import DEFAULT_TENANT

# What the monitor has beside one call of its model, where nothing else is set.
_BESIDE_CALL_S = 10.0
# How often the safety files are looked at.
_RULES_S = 60.0
# An operator should hear of an alert at once; a look costs one indexed read.
_ALERTS_S = 2.0
# Texts of the ledger are kept for days: an hour more does not matter.
_HOUR_S = 3_600.0


class Executor:
    """The parts of an executor, wired: sessions run, nothing listens (executor_server.py does)."""

    def __init__(self, settings: ExecutorSettings, given: Dependencies, *, owner: str) -> None:
        """Wire everything; no I/O but reading `_system`. `owner` names this process in leases."""
        self._settings, self._given = settings, given
        root = settings.system.system_dir
        self._installation = given.installation or read_installation(system_dir(root))
        self._tasks: list[asyncio.Task[None]] = []
        self._channel: aio.Channel | None = None
        self._late = LateRecommendations()
        self._opt_outs = settings.opt_outs.policy()
        self.store = given.store
        self.scripts = StoredScripts(given.store)
        self._threads = thread_parts(given, self.scripts, lambda: self._installation)
        self._gate = decision_gate(settings.decisions, given, self._threads.agents.of)
        self.hub = SessionHub(draft_window_s=settings.turns.draft_window_ms / 1000)
        self.pictures = Pictures(given.store, self.scripts)
        self.dispatcher = self._dispatcher(owner)
        self.summaries = self._summaries()
        parts = run_parts(settings, given, self._gate, self.hub, threads=self._threads)
        self.runs = ProcessRuns(parts)
        self.turns = self._turns(owner, parts.failpoints)
        self.alerts = AlertDelivery(
            store=given.store,
            receiver=webhook_of(settings.alerts),
            owner=owner,
            failpoints=parts.failpoints,
            claim_ttl=timedelta(seconds=3 * settings.alerts.alert_timeout),
        )
        self.sessions = self._session_deps()

    def register(self, server: aio.Server) -> None:
        """Register the gRPC services on `server`."""
        files, facts = self._installation, self._gate.read_session.plan_facts(DEFAULT_TENANT)
        environment = judged_by(files.environment, facts, self._opt_outs)
        add_services(
            self.sessions, environment, files.crisis.screen, server, settings=self._settings
        )

    def begin_background(self, port: int) -> None:
        """Take up what a dead process left, now and periodically, and follow other replicas.

        `port` is this process's own.
        """
        self.runs.begin(port)
        monitor = self._settings.monitor
        idle = timedelta(seconds=self._settings.turns.session_idle_timeout)
        ending = IdleSweep(self.store, self.hub, idle)
        retention = RetentionSweep(self.store, self._settings.store)
        work = [
            every(self.turns.sweep_every.total_seconds(), self.turns.sweep),
            every(_HOUR_S, retention.sweep),
            every(_RULES_S, self.refresh_rules),
            every(_ALERTS_S, self.alerts.sweep),
            self._follow_others(),
        ]
        if ending.enabled:
            work.append(every(ending.every_s, ending.sweep))
        if monitor.monitored:
            work.append(every(monitor.monitor_sweep, self.dispatcher.sweep))
        self._tasks = [asyncio.create_task(each) for each in work]

    async def refresh_rules(self) -> None:
        """Take up safety files that changed; faulty ones are logged, and the old rules stay."""
        await self._installation.crisis.refresh()

    async def drain(self) -> None:
        """Finish turns and runs within the grace, then analyses; drop late recommendations."""
        grace = self._settings.server.stop_grace
        await asyncio.gather(self.turns.drain(grace), self.runs.drain(grace))
        await self.sessions.inputs.background.drain(min(grace, 2.0))
        await self._late.aclose()
        await self.dispatcher.background.drain(min(grace, 2.0))
        await self.summaries.background.drain(min(grace, 2.0))

    async def end_background(self) -> None:
        """Cancel the periodic work."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def aclose(self) -> None:
        """Close the connections to the monitor, the receiver of alerts, the model, the store."""
        if self._channel is not None:
            await self._channel.close()
        await self.alerts.aclose()
        await self._given.model.aclose()
        await self.store.aclose()

    def _dispatcher(self, owner: str) -> AnalysisDispatcher:
        settings = self._settings.monitor
        limits = MonitorLimits(
            concurrency=settings.monitor_concurrency,
            token_budget=settings.monitor_token_budget,
            sweep_every=timedelta(seconds=settings.monitor_sweep),
        )
        deps = DispatcherDeps(
            store=self.store,
            hub=self.hub,
            scripts=self.scripts,
            monitor=self._given.monitor or self._grpc_monitor(),
            owner=owner,
            limits=limits,
            words=self._installation.signal_words,
            language_of=self._language_of,
            planning=self._given.switches.orchestration,
        )
        return AnalysisDispatcher(deps)

    def _summaries(self) -> SummaryWriter:
        return SummaryWriter(
            SummaryDeps(
                store=self.store,
                scripts=self.scripts,
                model=self._given.model,
                templates=self._installation.templates,
                words=self._installation.words,
                language_of=self._language_of,
                token_budget=self._settings.monitor.monitor_token_budget,
            )
        )

    def _language_of(self, tag: str) -> str:
        return self._installation.crisis.texts.language_of(tag)

    def _grpc_monitor(self) -> Monitor:
        link = self._settings.monitor
        self._channel = open_monitor_channel(link.monitor_address, link.monitor_token)
        deadline_s = link.monitor_deadline or self._settings.model.longest_call_s + _BESIDE_CALL_S
        return GrpcMonitor(self._channel, deadline_s=deadline_s)

    def _turns(self, owner: str, failpoints: Failpoints) -> SessionWorkers:
        ttl = timedelta(seconds=self._settings.turns.lease_ttl)
        stops = StopRegistry(self.store)
        runner = TurnRunner(
            RunnerDeps(
                store=self.store,
                hub=self.hub,
                stops=stops,
                scripts=self.scripts,
                engine=self._engine(),
                failpoints=failpoints,
                hand_over=self.dispatcher.hand_over,
                summarize=self.summaries.consider,
                analyst=owner,
                lease_ttl=ttl,
                turn_timeout=timedelta(seconds=self._settings.turns.turn_timeout),
            )
        )
        return SessionWorkers(
            runner.run,
            store=self.store,
            hub=self.hub,
            stops=stops,
            failpoints=failpoints,
            owner=owner,
            ttl=ttl,
        )

    def _engine(self) -> EngineDeps:
        judging, new_id = self._gate.judging, self._given.new_id
        runs = StoredRuns(self.store, self.hub, new_id, judging=judging, starter=self.runs)
        return EngineDeps(
            model=self._given.model,
            templates=self._installation.templates,
            actions=action_runners(),
            clock=self._given.clock,
            new_id=new_id,
            judging=judging,
            runs=runs,
            threads=self._threads.agents,
            pictures=self.pictures.find,
            read_session=self._gate.read_session,
            outgoing_texts=self._installation.outgoing_texts,
            keyword_scope=self._installation.keywords.scope_of,
            without_script=hooks_without_script(
                rules=self._installation.crisis,
                opt_outs=self._opt_outs,
                read_session=self._gate.read_session,
            ),
            hooks=step_hooks(
                self._given.model,
                rules=self._installation.crisis,
                opt_outs=self._opt_outs,
                await_advice=AdviceWaiting(self.store, self.hub).wait,
                monitored=self._settings.monitor.monitored and self._given.switches.analyses,
                strategies=self._strategies(),
                exit_hints=self._installation.exit_hints,
                signal_words=self._installation.signal_words,
                words=self._installation.words,
                read_session=self._gate.read_session,
                runs=runs,
            ),
        )

    def _strategies(self) -> Strategies:
        turns = self._settings.turns
        return Strategies(
            enabled=self._given.switches.strategies,
            wait_s=turns.strategy_wait_ms / 1000,
            timeout_s=turns.strategy_timeout,
            profiles=self._installation.profiles,
            late=self._late,
        )

    def _session_deps(self) -> SessionDeps:
        turns = self._settings.turns
        return SessionDeps(
            store=self.store,
            hub=self.hub,
            turns=self.turns,
            inputs=ClientInputs(
                turns=self.turns,
                store=self.store,
                screen=self._installation.crisis,
                known=KnownSessions(turns.locale),
                hub=self.hub,
                admission=Admission(self._settings.admission, self.turns, self.store),
            ),
            scripts=self.scripts,
            check_pool=self._given.pool or WorkerPool(self._settings.workers.limits),
            judging=self._gate.judging,
            pictures=self.pictures,
            opt_outs=self._opt_outs,
            read_session=self._gate.read_session,
            runs=self.runs,
            settings=turns,
        )

    async def _follow_others(self) -> None:
        """Make watchers read what other replicas commit; all of them after a gap in the notices.

        Running turns look up whether another replica stopped them.
        """
        async for key in self.store.changes():
            self.turns.stops.changed(key)
            if key is None:
                self.hub.all_changed()
            else:
                self.hub.changed(key)
