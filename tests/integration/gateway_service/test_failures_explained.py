"""For each way in which a provider fails: what terminal, HTTP, events, log and doctor say of it."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

import pytest
import pytest_asyncio

from heartrule.domain.conversation import Audience
from heartrule.domain.events import TurnEnded
from heartrule.domain.problem import Problem
from heartrule.words.failures import failure_sentence
from heartrule.words.language import ReaderLanguage
from heartrule_cli.chat import ChatLoop
from heartrule_cli.conversation_stream import ConversationStream, Wish
from heartrule_cli.doctor.models_section import try_providers
from heartrule_cli.event_printer import EventPrinter
from heartrule_cli.executor_client import executor_at
from heartrule_cli.screen import Screen
from heartrule_cli.style import Style
from tests.support.chat_room import Listed
from tests.support.executors import Neighbours
from tests.support.failing_providers import (
    ADDRESS,
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
# One executor serves all of them, so all run in one loop.
pytestmark = pytest.mark.asyncio(loop_scope="module")
EACH = pytest.mark.parametrize("failing", FAILURES, ids=lambda each: each.cause.value)


@dataclass(slots=True)
class Doors:
    """An executor and a gateway whose model has the provider of a test."""

    running: RunningGateway
    model: SwitchedModel

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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors() -> AsyncIterator[Doors]:
    """One executor and one gateway for all failures."""
    model = SwitchedModel()
    async with running_gateway(Neighbours(model=model)) as running:
        yield Doors(running, model)


@pytest.fixture
async def provider(doors: Doors, failing: FailingProvider) -> AsyncIterator[ProviderAtHand]:
    """The provider of the test, which the executor asks."""
    async with served(failing) as at_hand, doors.model.using(at_hand):
        yield at_hand


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


@EACH
async def test_an_operator_reads_the_whole_cause_and_a_client_none_of_its_places(
    doors: Doors, failing: FailingProvider, provider: ProviderAtHand
) -> None:
    """Both get one sentence with cause and remedy; address and model are for operators."""
    whole, plain = [await doors.problem(f"AUDIENCE_{name}") for name in ("OPERATOR", "CLIENT")]
    assert (whole.metadata["cause"], plain.metadata["cause"]) == (failing.cause, failing.cause)
    for language in ReaderLanguage:
        assert provider.base_url in failure_sentence(whole.metadata, language)
        assert failure_sentence(plain.metadata, language)
    told = str(plain)
    assert not [secret for secret in (provider.base_url, MODEL, KEY) if secret in told]
    assert KEY not in str(whole)


@EACH
async def test_http_explains_it_in_both_languages(
    doors: Doors, failing: FailingProvider, provider: ProviderAtHand
) -> None:
    """The problem has the sentence of either, without address, model and key."""
    answer = await doors.answer()
    explained = answer["explanation"]
    assert isinstance(explained, dict)
    assert set(explained) == set(ReaderLanguage)
    told = str(answer)
    assert not [secret for secret in (provider.base_url, MODEL, KEY) if secret in told]


@EACH
async def test_a_terminal_says_it_once_and_its_page_says_the_same(
    doors: Doors, failing: FailingProvider, provider: ProviderAtHand
) -> None:
    """Cause, address, the provider's words and the remedy stand in one line; no key does."""
    for language, page in PAGES.items():
        told = [provider.on_a_page(line).strip() for line in await doors.terminal(language)]
        (failed,) = (line for line in told if ADDRESS in line)
        assert KEY not in "".join(told)
        assert failed in page.read_text("utf-8")


@EACH
async def test_one_line_of_the_log_tells_it(
    doors: Doors, failing: FailingProvider, provider: ProviderAtHand, log: Lines
) -> None:
    """However often it was tried; it has the cause and the address, and no key."""
    await doors.problem("AUDIENCE_OPERATOR")
    (line,) = log.kept
    facts = vars(line)
    assert (line.msg, facts["cause"]) == ("turn failed", failing.cause)
    assert facts["base_url"] == provider.base_url
    assert KEY not in str(facts)


@EACH
async def test_the_doctor_says_the_same_sentence(
    doors: Doors, failing: FailingProvider, provider: ProviderAtHand
) -> None:
    """Whoever asks before a conversation reads what they would read in it."""
    whole = await doors.problem("AUDIENCE_OPERATOR")
    (found,) = await try_providers(provider.environ, 20.0)
    for language in ReaderLanguage:
        assert found.told(language) == failure_sentence(whole.metadata, language)
        assert KEY not in found.told(language)
