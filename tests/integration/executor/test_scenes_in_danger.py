"""What a client in danger receives does not depend on what is broken, nor on the way in."""

from __future__ import annotations

from enum import Enum
from itertools import product
from typing import Any

import pytest

from heartrule.domain.safety import SafetyLevel
from tests.support.broken_models import BreakableModel, Broken
from tests.support.doors import DOORS, Door, typed
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.scripts import ask_script
from tests.support.shipped_files import shipped_installation
from tests.support.stopped_stores import StoppableStore, Stopped

SENTENCES = {
    "zh": {
        SafetyLevel.CONCERN: "大学时想过自杀",
        SafetyLevel.THIRD_PARTY: "我朋友说他不想活了",
        SafetyLevel.EMERGENCY: "他现在拿着刀要杀我",
        SafetyLevel.CRISIS: "我想自杀",
        SafetyLevel.IMMINENT: "我今晚就要自杀",
    },
    "en": {
        SafetyLevel.CONCERN: "Years ago I thought about suicide",
        SafetyLevel.THIRD_PARTY: "my friend told me she wants to kill herself",
        SafetyLevel.EMERGENCY: "he is threatening to kill me right now",
        SafetyLevel.CRISIS: "I want to kill myself",
        SafetyLevel.IMMINENT: "I am going to kill myself tonight",
    },
}
LONG = pytest.mark.long(
    short="tests/integration/executor/test_scenes_in_danger.py::test_with_a_broken_model"
)
# What hangs is given up soon.
QUICK = {"HEARTRULE_STOP_GRACE": "0.1"}
LOCALES = {"zh": "zh-CN", "en": "en-US"}


def scenes(broken: type[Enum]) -> list[Any]:
    """Return every door in every language with everything broken; in short each with one of it."""
    return [
        pytest.param(door, language, how, marks=() if place == number % len(broken) else LONG)
        for (number, door), language in product(enumerate(DOORS), SENTENCES)
        for place, how in enumerate(broken)
    ]


async def opened_sessions(running: Running, language: str) -> dict[SafetyLevel, str]:
    """Return a session for each level, in which the assistant has asked its first question."""
    sessions = {}
    for level in SENTENCES[language]:
        session_id = await running.client.start(ask_script(9), locale=LOCALES[language])
        await running.client.initialize(session_id)
        sessions[level] = session_id
    return sessions


async def answered(
    running: Running, door: Door, language: str, sessions: dict[SafetyLevel, str]
) -> dict[SafetyLevel, bool]:
    """Say each level's sentence; return whether its client was shown the card of the level."""
    texts = shipped_installation().crisis.texts
    found = {}
    for level, session_id in sessions.items():
        shown = await door(running.client, session_id, typed(SENTENCES[language][level]))
        cards = (texts.card, texts.refusal_card)
        found[level] = shown in {card(level, LOCALES[language]).text for card in cards}
    return found


@pytest.mark.parametrize(("door", "language", "broken"), scenes(Broken))
async def test_with_a_broken_model(door: Door, language: str, broken: Broken) -> None:
    """At each level the card comes, whatever the model does."""
    model = BreakableModel()
    async with running_executor(Neighbours(model=model, environ=QUICK)) as running:
        sessions = await opened_sessions(running, language)
        model.broken = broken
        found = await answered(running, door, language, sessions)
    assert found == dict.fromkeys(sessions, True)


@pytest.mark.parametrize(("door", "language", "stopped"), scenes(Stopped))
async def test_without_a_store(door: Door, language: str, stopped: Stopped) -> None:
    """At each level the card comes with the refusal, for the region of the session."""
    store = StoppableStore()
    around = Neighbours(model=BreakableModel(), store=store.as_store(), environ=QUICK)
    async with running_executor(around) as running:
        sessions = await opened_sessions(running, language)
        running.executor.sessions.inputs.deadline_s = 0.05
        store.stop(stopped)
        found = await answered(running, door, language, sessions)
        store.resume()
    assert found == dict.fromkeys(sessions, True)
