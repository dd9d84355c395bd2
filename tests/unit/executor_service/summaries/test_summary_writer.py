"""Summaries written beside the turns."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from executor_service.summaries.summary_writer import SummaryDeps, SummaryWriter
from heartrule.chassis.system_files import system_dir
from heartrule.domain.errors import NotFound
from heartrule.domain.keys import SessionKey
from heartrule.model import model_failures as failures
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records import Page, SummaryRecord, TurnSnapshot
from tests.support.engine_builders import ask, script
from tests.support.fake_model import FakeModel, Reply
from tests.support.store_builders import accept, begun, call, ended, opened, said
from tests.support.strict_model import StrictServer, strict_model
from tests.support.turn_builders import OneScript

KEY = SessionKey("t", "s1")
SCRIPT = script(ask())
ANSWER = '{"summary": "他睡不好"}'


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    """Return a store with a session of seven turns."""
    store = open_in_memory()
    await store.start()
    await opened(store)
    for _ in range(7):
        await turn(store)
    yield store
    await store.aclose()


async def turn(store: Store, text: str = "睡不好") -> TurnSnapshot:
    """Take a turn and return what it began with."""
    number = len((await store.list_messages(KEY, Page(size=500)))[0])
    await accept(store, KEY, f"m{number}", text)
    snapshot = await begun(store, KEY)
    await ended(store, snapshot, said("嗯"))
    return snapshot


def writer(store: Store, model: ChatModel, token_budget: int = 0) -> SummaryWriter:
    """Return a writer with that model."""
    deps = SummaryDeps(
        store=store,
        scripts=OneScript(SCRIPT),
        model=model,
        templates=TemplateStore(system_dir(None) / "config"),
        token_budget=token_budget,
    )
    return SummaryWriter(deps)


async def test_a_summary_is_written_beside_the_turn(store: Store) -> None:
    """The turn after a crowded one begins with the summary of the oldest."""
    summaries = writer(store, FakeModel([ANSWER]))
    summaries.consider(await turn(store))
    await summaries.background.idle()
    assert (await turn(store)).summary.text == "他睡不好"
    assert len((await store.list_calls(KEY, Page()))[0]) == 1


async def test_it_is_not_revised_at_every_turn(store: Store) -> None:
    """A revision waits for enough turns to take in; the model is not asked before."""
    model = FakeModel([ANSWER, ANSWER])
    summaries = writer(store, model)
    for _ in range(5):
        summaries.consider(await turn(store))
        await summaries.background.idle()
    assert len(model.requests) == 2
    assert "> 他睡不好" in model.requests[1].messages[-1].content


async def test_one_session_is_summarized_once_at_a_time(store: Store) -> None:
    """While a summary is being written no second one is begun."""
    model = FakeModel([ANSWER])
    summaries, snapshot = writer(store, model), await turn(store)
    for _ in range(3):
        summaries.consider(snapshot)
    await summaries.background.idle()
    assert len(model.requests) == 1


async def test_a_model_that_fails_is_asked_again_later(store: Store) -> None:
    """A failure is in the ledger and nothing else; the model is asked again some turns later."""
    broken = failures.unavailable(failures.TIMEOUT, provider="p")
    model = FakeModel([Reply((), fails=broken), "什么也没有", ANSWER])
    summaries = writer(store, model)
    asked = []
    for _ in range(7):
        summaries.consider(await turn(store))
        await summaries.background.idle()
        asked.append(len(model.requests))
    assert asked == [1, 1, 1, 2, 2, 2, 3]
    assert (await turn(store)).summary.text == "他睡不好"


async def test_spent_tokens_write_no_summary(store: Store) -> None:
    """Once all tokens beside the conversation are spent the model is not asked."""
    model, snapshot = FakeModel([ANSWER]), await turn(store)
    work = await store.summary_work(KEY, most=6_000)
    assert work is not None
    await store.write_summary(SummaryRecord(work=work, calls=(call(prompt_tokens=5),)))
    summaries = writer(store, model, token_budget=5)
    summaries.consider(snapshot)
    await summaries.background.idle()
    assert model.requests == []


async def test_a_small_model_summarizes_a_few_turns_at_a_time(store: Store) -> None:
    """No summary covers a turn of which its prompt had lost the words."""
    server = StrictServer(4_096)
    summaries = writer(store, strict_model(server, 4_096))
    for number in range(8):
        await turn(store, f"第{number}件事" + "长" * 800)
    summaries.consider(await turn(store))
    await summaries.background.idle()
    covered = (await turn(store)).summary.first_turn
    *too_much, last = server.summarized
    assert ["此处略去" in each for each in too_much] == [True] * len(too_much)
    assert ("此处略去" in last, f"第{covered - 9}件事" in last) == (False, True)


async def test_an_erased_session_is_left_alone(store: Store) -> None:
    """A session that is erased meanwhile is not summarized."""
    model = FakeModel([ANSWER])
    summaries, snapshot = writer(store, model), await turn(store)
    await store.delete_session(KEY)
    summaries.consider(snapshot)
    await summaries.background.idle()
    assert model.requests == []
    with pytest.raises(NotFound):
        await store.summary_work(KEY, most=6_000)
