"""For each way in which a provider fails: what terminal, HTTP, events, log and doctor say of it."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from heartrule.domain.conversation import Audience
from heartrule.domain.events import TurnEnded
from heartrule.domain.problem import Problem
from heartrule.words.failures import failure_sentence
from heartrule.words.language import ReaderLanguage
from heartrule_cli.chat.chat_loop import ChatLoop
from heartrule_cli.chat.conversation_stream import ConversationStream, Wish
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.doctor.models_section import try_providers
from heartrule_cli.executor_client import executor_at
from heartrule_cli.style import Style
from tests.support.chat_room import Listed
from tests.support.executors import Neighbours
from tests.support.failing_providers import (
    FAILURES,
    KEY,
    MODEL,
    FailingProvider,
    ProviderAtHand,
    SwitchedModel,
    served,
)
from tests.support.gateways import RunningGateway, running_gateway
from tests.support.scripts import ask_script
from tests.support.source_tree import ROOT

PAGES = {
    ReaderLanguage.ENGLISH: ROOT / "docs" / "how-to" / "find-what-is-wrong.md",
    ReaderLanguage.CHINESE: ROOT / "docs" / "zh" / "find-what-is-wrong.md",
}
EACH = pytest.mark.parametrize("failing", FAILURES, ids=lambda each: each.cause.value)


@dataclass(slots=True)
class Doors:
    """An executor and a gateway, and what they say of an opening that fails."""

    running: RunningGateway

    async def problem(self, audience: str) -> Problem:
        """Return why the opening of a new session failed, as an event for this audience."""
        client = self.running.behind.client
        async with client.converse(await self.session(), audiences=(audience,)) as talk:
            ended = await talk.until_body(TurnEnded)
        assert ended.problem is not None
        return ended.problem

    async def session(self) -> str:
        """Return a new session."""
        return await self.running.behind.client.start(ask_script())

    async def answer(self) -> dict[str, object]:
        """Return what HTTP answers where a session is opened."""
        path = f"/api/sessions/{await self.session()}/initialize"
        answer: dict[str, object] = (await self.running.http.post(path)).json()
        return answer

    async def terminal(self, language: ReaderLanguage) -> list[str]:
        """Return the lines of a chat at a terminal that somebody watches."""
        out = io.StringIO()
        printer = EventPrinter(
            Screen(out, Style(colours=False), live=False), debug=False, language=language
        )
        address = f"127.0.0.1:{self.running.behind.server.port}"
        async with executor_at(address) as executor:
            wish = Wish(
                session_id=await self.session(),
                after_sequence=0,
                drafts=False,
                audiences=frozenset({Audience.CLIENT, Audience.OPERATOR}),
            )
            stream = ConversationStream(executor, wish)
            lines = Listed([], attended=True)
            await ChatLoop(conversation=stream, printer=printer, lines=lines).run(asyncio.Event())
        return out.getvalue().splitlines()


class Lines(logging.Handler):
    """Keeps what is logged above INFO."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.kept: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.kept.append(record)


@pytest.fixture
def log() -> Iterator[Lines]:
    """What all of HeartRule logs above INFO."""
    lines = Lines()
    logging.getLogger().addHandler(lines)
    yield lines
    logging.getLogger().removeHandler(lines)


def secrets_in(told: object, provider: ProviderAtHand) -> list[str]:
    """Return what a client may not read, as far as it is told."""
    return [secret for secret in (provider.base_url, MODEL, KEY) if secret in str(told)]


@EACH
async def test_every_door_says_the_same_sentence_with_cause_and_remedy(
    failing: FailingProvider, log: Lines
) -> None:
    """Address and model are for operators, one line of the log tells it, the key is nowhere."""
    model = SwitchedModel()
    async with (
        served(failing) as provider,
        model.using(provider),
        running_gateway(Neighbours(model=model)) as running,
    ):
        doors = Doors(running)
        log.kept.clear()  # of what the start had to say
        whole = await doors.problem("AUDIENCE_OPERATOR")
        (line,) = log.kept
        plain, answer = await doors.problem("AUDIENCE_CLIENT"), await doors.answer()
        (found,) = await try_providers(provider.environ, 20.0)
        terminals = {each: await doors.terminal(each) for each in ReaderLanguage}
    assert (whole.metadata["cause"], plain.metadata["cause"]) == (failing.cause, failing.cause)
    assert (line.msg, vars(line)["base_url"]) == ("turn failed", provider.base_url)
    assert answer["explanation"] == {
        each.value: failure_sentence(plain.metadata, each) for each in ReaderLanguage
    }
    assert secrets_in((plain, answer), provider) == []
    for language, lines in terminals.items():
        sentence = failure_sentence(whole.metadata, language)
        assert found.told(language) == sentence
        (told,) = (line.strip() for line in lines if sentence in line)
        assert provider.on_a_page(told) in PAGES[language].read_text("utf-8")
    assert KEY not in str((whole, vars(line), found, terminals))
