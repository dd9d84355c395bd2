"""An executor in this process without a network: the real engine, turns, streams and desk.

Only the models are written by the test; store and hub are those of one process in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import MappingProxyType

from executor_service.actions.registry import action_runners
from executor_service.engine.deps import EngineDeps
from executor_service.exits.hints import load_exit_hints
from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.library import StoredScripts
from executor_service.lint_environment import lint_environment
from executor_service.monitoring.desk import DeskDeps, MonitorDesk
from executor_service.ports import Monitor
from executor_service.safety.loader import load_crisis_rules
from executor_service.scripts.bundle import completed, make_bundle
from executor_service.scripts.loader import load_script
from executor_service.strategy.adviser import Strategies
from executor_service.strategy.profile import load_profiles
from executor_service.streams.deps import StreamDeps
from executor_service.streams.one_turn import OneTurn
from executor_service.streams.relay import View
from executor_service.turns.drivers import Drivers
from executor_service.turns.runner import RunnerDeps, TurnRunner
from executor_service.turns.service import Turns
from executor_service.variables.declared import definitions_of, session_values
from executor_service.variables.keywords import KeywordTable, load_keywords
from executor_service.variables.migration import migrate_state
from heartrule.chassis.system_files import system_dir
from heartrule.domain.conversation import (
    Audience,
    Feature,
    FormAnswer,
    Part,
    UserInput,
    text_part,
)
from heartrule.domain.events import SessionEvent
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from monitor_service.asking import Tools
from monitor_service.handlers.registry import standard_handlers
from monitor_service.judge import judge_round
from session_store.memory.store import InMemoryStore
from session_store.ports import Store
from session_store.records import NewSession, ScriptRecord
from tests.support.engine_builders import NOW
from tests.support.fake_model import FakeModel
from tests.support.fake_monitor import FakeMonitor

_LONG = timedelta(hours=1)
_SOON_S = 10.0


class JudgingMonitor:
    """The real handlers of the monitor service over a model, called without a network."""

    def __init__(self, model: ChatModel, templates: TemplateStore) -> None:
        """Judge with the templates of this installation."""
        self._handlers = standard_handlers(Tools(model=model, templates=templates))

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Judge one round."""
        del judged_turn
        return await judge_round(self._handlers.get(report.action_type), report, seconds=_SOON_S)


@dataclass(slots=True)
class Stage:
    """One session of one script, and the process that runs it."""

    model: FakeModel
    monitor: Monitor = field(default_factory=FakeMonitor)
    templates: TemplateStore = field(default_factory=lambda: TemplateStore(system_dir() / "config"))
    keywords: KeywordTable = field(default_factory=lambda: load_keywords(system_dir() / "config"))
    store: Store = field(default_factory=InMemoryStore)
    hub: SessionHub = field(default_factory=SessionHub)
    key: SessionKey = field(default_factory=lambda: SessionKey("default", new_id("ses")))
    desk: MonitorDesk = field(init=False)
    drivers: Drivers = field(init=False)
    streams: StreamDeps = field(init=False)

    async def set(
        self,
        script: str,
        *,
        files: Mapping[str, str] = MappingProxyType({}),
        imported: Mapping[str, JsonValue] = MappingProxyType({}),
        strategy_engine: bool | None = None,
        **session: str,
    ) -> None:
        """Publish the script with its files and create the session; the process is ready."""
        beside = {path: text.encode() for path, text in files.items()}
        bundle = make_bundle({"script.yaml": script.encode(), **beside})
        environment = lint_environment(self.templates, system_dir() / "skills", self.keywords)
        loaded = load_script(bundle.files, environment=environment)
        assert loaded.script is not None, [str(finding) for finding in loaded.findings]
        bundle = completed(bundle, loaded.added)
        record = ScriptRecord(
            tenant=self.key.tenant,
            script_id=loaded.script.session_id,
            version=bundle.version,
            main=bundle.main,
            files=bundle.files,
        )
        await self.store.save_script(record)
        new = NewSession(
            key=self.key,
            script_id=record.script_id,
            script_version=record.version,
            variables=(
                *session_values(loaded.script.declarations, NOW),
                *(migrate_state(imported, NOW) if imported else ()),
            ),
            definitions=definitions_of(loaded.script),
            strategy_engine=strategy_engine,
            locale=session.get("locale", "zh-CN"),
            time_zone=session.get("time_zone", "Asia/Shanghai"),
        )
        await self.store.create_session(new)
        self._wire()

    def take_up(self) -> None:
        """Be the process of a session that is in the store already."""
        self._wire()

    async def initialize(self) -> list[SessionEvent]:
        """Run the opening turn and return its events."""
        return await self._told(OneTurn(self.streams, self.key, _EVERYTHING).initialize())

    async def send(self, client_message_id: str, text: str) -> list[SessionEvent]:
        """Say something and return the events of its turn."""
        said = UserInput(client_message_id=client_message_id, parts=(text_part(text),))
        return await self._told(OneTurn(self.streams, self.key, _EVERYTHING).send(said))

    async def submit(
        self, client_message_id: str, values: Mapping[str, JsonValue], request: str, *, text: str
    ) -> list[SessionEvent]:
        """Submit a form, with words beside it where there are any, and return its turn's events."""
        form = Part(form=FormAnswer(values=values), fallback_text="（填好的表单）")
        sent = UserInput(
            client_message_id=client_message_id,
            parts=(form, text_part(text)) if text else (form,),
            input_request_id=request,
        )
        return await self._told(OneTurn(self.streams, self.key, _EVERYTHING).send(sent))

    async def turns_over(self) -> None:
        """Return when no turn runs: what was told last has been handed over, too."""
        async with asyncio.timeout(_SOON_S):
            while tasks := [one.task for one in self.drivers._drivers.values() if one.task]:
                await asyncio.wait(tasks)

    async def _told(self, events: AsyncIterator[SessionEvent]) -> list[SessionEvent]:
        async with asyncio.timeout(_SOON_S):
            return [event async for event in events]

    def _wire(self) -> None:
        scripts = StoredScripts(self.store)
        self.desk = MonitorDesk(
            DeskDeps(
                store=self.store, hub=self.hub, scripts=scripts, monitor=self.monitor, owner="me"
            )
        )
        engine = EngineDeps(
            model=self.model,
            templates=self.templates,
            actions=action_runners(),
            crisis=load_crisis_rules(system_dir() / "safety"),
            clock=lambda: NOW,
            new_id=new_id,
            keyword_scope=self.keywords.scope_of,
            exit_hints=load_exit_hints(system_dir() / "config"),
            strategies=Strategies(profiles=load_profiles(system_dir() / "config")),
        )
        runner = TurnRunner(
            RunnerDeps(
                store=self.store,
                hub=self.hub,
                scripts=scripts,
                engine=engine,
                failpoints=Failpoints(),
                hand_over=self.desk.hand_over,
                lease_ttl=_LONG,
                turn_timeout=_LONG,
            )
        )
        self.drivers = Drivers(self.store, runner.run, owner="me", ttl=_LONG)
        turns = Turns(
            hub=self.hub,
            drivers=self.drivers,
            failpoints=Failpoints(),
            sweep_every=_LONG,
        )
        self.streams = StreamDeps(store=self.store, hub=self.hub, turns=turns)


_EVERYTHING = View(audiences=frozenset(Audience), accepts=frozenset(Feature))
