"""Plays conversations, one after the other, on one executor over one store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies
from executor_service.settings import ExecutorSettings
from executor_service.streams.one_turn import OneTurn
from executor_service.streams.relay import View
from heartrule.chassis.settings import read
from heartrule.chassis.system_files import system_dir
from heartrule.domain.conversation import Audience, Feature, UserInput, text_part
from heartrule.domain.events import (
    InputRejected,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule_cli.rehearsal.doubles import JudgingMonitor
from heartrule_cli.rehearsal.files import load_tested_script
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.publishing import new_session, publish
from heartrule_cli.rehearsal.written_conversation import DEFAULT_NOW, WrittenConversation
from session_store.open import open_in_memory
from tests.conversations.fact_sheet import Facts, asks, facts_of, last_asked
from tests.conversations.manners import MANNERS
from tests.conversations.personas import PERSONAS, Client, Sheet
from tests.conversations.recorded_calls import Call, RecordingModel
from tests.conversations.scripted_talker import ScriptedTalker
from tests.conversations.turns import (
    PlayedTurn,
    assistant_messages,
    assistant_texts,
    outputs_in,
    outputs_of,
)
from tests.support.shipped_files import shipped_installation

SCRIPTS = (
    "greeting", "calm_down", "anxiety_intake", "low_mood_assessment", "mood_homework", "phq9",
)  # fmt: skip
# A conversation of more turns goes in circles.
MOST_TURNS = 40
_VIEW = View(audiences=frozenset(Audience), accepts=frozenset({Feature.PICTURE}))
_SETTINGS = {
    "HEARTRULE_LEASE_TTL": "3600",
    "HEARTRULE_TURN_TIMEOUT": "3600",
    "HEARTRULE_HEARTBEAT": "3600",
    "HEARTRULE_STOP_GRACE": "1",
    # Clients of the bench type faster than people.
    "HEARTRULE_INPUTS_PER_MINUTE": "0",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Who talks with which model about what."""

    script: str
    persona: str
    manner: str
    seed: int = 1

    @property
    def name(self) -> str:
        """The case in one word."""
        return f"{self.script}/{self.persona}/{self.manner}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation that was played."""

    case: Case
    facts: Facts
    outputs: dict[str, tuple[str, ...]]
    """What each asking action of the script is to find out."""
    turns: Sequence[PlayedTurn]
    events: Sequence[SessionEvent]
    """All durable events, the monitor's too."""
    calls: Sequence[Call]
    over: bool
    """True where the script came to its end."""


@dataclass(slots=True)
class Stage:
    """One executor over one store, and the scripts that are played on it."""

    model: RecordingModel = field(default_factory=ScriptedTalker)
    patience_s: float = 30.0
    """How long a turn may take."""
    _scripts: dict[str, ScriptUnderTest] = field(default_factory=dict)
    _outputs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _executor: Executor = field(init=False)

    def __post_init__(self) -> None:
        """Wire the executor as a service does, in this process."""
        installation = shipped_installation()
        monitor = JudgingMonitor(self.model, installation, seconds=self.patience_s)
        given = Dependencies(
            store=open_in_memory(DEFAULT_NOW.timestamp),
            model=self.model,
            monitor=monitor,
            installation=installation,
            clock=lambda: DEFAULT_NOW,
        )
        self._executor = Executor(read(ExecutorSettings, _SETTINGS), given, owner="bench")

    async def play(self, case: Case) -> Transcript:
        """Play one conversation to its end, or until it goes in circles."""
        script = await self._script(case.script)
        outputs = self._outputs = outputs_of(script.script)
        facts = facts_of(outputs_in(script.script))
        persona = PERSONAS[case.persona]
        random = Random(f"{case.seed}/{case.name}")
        self.model.begin(case.manner, facts, random)
        sheet = Sheet(facts=facts, language=persona.language, random=random)
        key = await self._session(script, "en-US" if persona.language == "en" else "zh-CN")
        turns = await self._talk(key, Client(sheet, persona))
        return Transcript(
            case=case,
            facts=facts,
            outputs=outputs,
            turns=turns,
            events=await self._executor.store.read_events(key, 0),
            calls=tuple(self.model.calls),
            over=turns[-1].outcome is Outcome.SESSION_COMPLETED,
        )

    async def aclose(self) -> None:
        """Stop what runs."""
        await self._executor.drain()
        await self._executor.aclose()

    async def _script(self, name: str) -> ScriptUnderTest:
        if name not in self._scripts:
            problems: list[object] = []
            own = Path(__file__).parent / "scripts" / f"{name}.yaml"
            path = own if own.exists() else system_dir() / "scripts" / f"{name}.yaml"
            found = load_tested_script(path, shipped_installation(), problems)  # type: ignore[arg-type]
            assert found is not None, problems
            await publish(found.script, found.bundle, DEFAULT_TENANT, self._executor.store)
            self._scripts[name] = found
        return self._scripts[name]

    async def _session(self, script: ScriptUnderTest, locale: str) -> SessionKey:
        key = SessionKey(DEFAULT_TENANT, new_id("ses"))
        beginning = WrittenConversation(file="bench", turns=(), locale=locale)
        session = new_session(key, script.script, script.bundle, beginning)
        await self._executor.store.create_session(session)
        return key

    async def _talk(self, key: SessionKey, client: Client) -> list[PlayedTurn]:
        one = OneTurn(self._executor.sessions, key, _VIEW)
        turns = [await self._turn(PlayedTurn(), one.initialize())]
        while turns[-1].outcome is Outcome.WAITING and len(turns) <= MOST_TURNS:
            shown = assistant_texts(turns[-1].events)
            about = self._asked(shown, turns[-1], client)
            text = client.reply(shown, about)
            sent = UserInput(client_message_id=f"m{len(turns)}", parts=(text_part(text),))
            screened = await self._executor.sessions.inputs.screen_input(key, sent)
            one = OneTurn(self._executor.sessions, key, _VIEW)
            turns.append(await self._turn(PlayedTurn(said=text, about=about), one.send(screened)))
        return turns

    def _asked(self, shown: Sequence[str], turn: PlayedTurn, client: Client) -> str:
        """Return which variable the client takes the last question to ask for.

        A real model asks in words of its own: where no cue is found, the asking action tells.
        """
        name = last_asked(shown, client.sheet.facts)
        if name or isinstance(self.model, ScriptedTalker) or not shown or not asks(shown[-1]):
            return name
        action = assistant_messages(turn.events)[-1].action_id
        names = [each for each in self._outputs.get(action, ()) if each in client.sheet.facts]
        return next((each for each in names if not client.asked.get(each)), "".join(names[:1]))

    async def _turn(self, turn: PlayedTurn, stream: AsyncIterator[SessionEvent]) -> PlayedTurn:
        """Return a turn with its durable events, its analyses over."""
        events: list[SessionEvent] = []
        async with asyncio.timeout(self.patience_s):
            async for event in stream:
                events.append(event)  # noqa: PERF401  kept where the patience ends
            await self._executor.turns.idle()
            await self._executor.dispatcher.background.idle()
        return replace(turn, events=events, outcome=_outcome(events))


def _outcome(events: Sequence[SessionEvent]) -> Outcome:
    """Return how a turn ended; a refused input ends the conversation as a failure."""
    for event in reversed(events):
        if isinstance(event.body, TurnEnded):
            return event.body.outcome
        if isinstance(event.body, InputRejected):
            return Outcome.FAILED
    return Outcome.FAILED


def cases(
    *,
    scripts: Sequence[str] = SCRIPTS,
    personas: Sequence[str] = tuple(PERSONAS),
    manners: Sequence[str] = tuple(MANNERS),
    seed: int = 1,
) -> list[Case]:
    """Return every conversation of a bench, in a fixed order."""
    return [
        Case(script=script, persona=persona, manner=manner, seed=seed)
        for script in scripts
        for persona in personas
        for manner in manners
    ]
