"""Interaction units: their flows and who writes (003-5, 003-6.1; RESOLUTIONS T3, T5, T6, T17)."""

from __future__ import annotations

import pytest

from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_errors import ThreadFault
from executor_service.threads.thread_path import MAIN, ThreadPath
from executor_service.threads.units import InteractionUnit, Requester, Responsor, Starter
from heartrule.domain.thread_changes import MessageWritten, SettingsWritten
from heartrule.domain.threads import ThreadSettings
from tests.support.thread_parts import (
    METADATA,
    Answers,
    Says,
    nested,
    requester,
    responsor,
    said,
    starter,
    sub_agent,
    task_at,
)
from tests.support.thread_rows import ThreadRows


class Skips(Says):
    """Says that a message which was there stands for it."""

    async def handle(self, task: Task, thread: Thread, agent: object) -> Response:
        response = Response("旧的")
        response.skip_bot_message_creation()
        return response


class Played:
    """One unit executed in a sub-thread that begins in `initial_phase`."""

    def __init__(self) -> None:
        self.rows = ThreadRows()
        self.thread, self.path = nested(self.rows)
        self.agent = sub_agent(lambda: {"x": requester("x")})(METADATA, {})
        self.agent.interaction_units = {"b": requester("b"), "starters": requester("c")}

    async def execute(self, unit: InteractionUnit, message: str = "请写") -> Response:
        task = task_at(self.path, self.rows.host(self.thread), message)
        return await unit.execute(task, self.thread, self.agent)

    def texts(self) -> list[str]:
        return [f"{m.role}:{m.text}" for m in self.thread.resolve(self.path).messages]

    def settings(self) -> ThreadSettings:
        return self.thread.resolve(self.path).settings


async def test_a_responsor_lets_the_bot_speak_and_answers_it() -> None:
    """003-5.2: the handler's message, a look at it, the user's feedback."""
    played = Played()
    response = await played.execute(responsor("大纲", "b"))
    assert played.texts() == ["bot:大纲", "user:关于大纲"]
    assert (response.text, played.settings().suggested_phase) == ("大纲", "b")


async def test_a_starter_begins_and_hands_over_to_its_responsor() -> None:
    """003-5.2: the first message of the user, then all that a Responsor does."""
    played = Played()
    await played.execute(starter("大纲", "b"), "写一篇文章")
    assert played.texts() == ["user:写一篇文章", "bot:大纲", "user:关于大纲"]


async def test_a_requester_asks_and_is_answered_once() -> None:
    """003-5.2: the user's message and the bot's, without feedback."""
    played = Played()
    await played.execute(requester("检查好了", "b"), "请检查")
    assert played.texts() == ["user:请检查", "bot:检查好了"]
    assert played.settings().suggested_phase == "b"


async def test_each_message_is_written_before_the_next_is_made() -> None:
    """003-6.1, 003-6.2, T10: one write for each message, then one for the suggestion."""
    played = Played()
    await played.execute(starter("大纲", "b"))
    kinds = [[type(change) for change in batch] for batch in played.rows.batches]
    assert kinds == [[MessageWritten]] * 3 + [[SettingsWritten]]


async def test_the_starters_next_phase_counts() -> None:
    """T5: where a Starter and its Responsor both have a next phase, the Starter's is suggested."""
    for own, wanted in (("starters", "starters"), (None, "b")):
        played = Played()
        await played.execute(Starter(responsor=responsor("大纲", "b"), next_phase=own))
        assert played.settings().suggested_phase == wanted


async def test_nobody_answers_the_last_message() -> None:
    """T6: there is no feedback when the next phase is terminal."""
    played = Played()
    await played.execute(responsor("全文", "completed"))
    assert played.texts() == ["bot:全文"]


async def test_a_unit_without_a_next_phase_suggests_none() -> None:
    """T3: the phase stays where no next one is given."""
    played = Played()
    await played.execute(responsor("大纲"))
    assert played.settings() == ThreadSettings(phase="initial_phase")


async def test_a_handlers_suggestion_counts_where_its_unit_has_none() -> None:
    """003-4.1: a state handler suggests, and the unit that holds it lets that stand."""
    played = Played()
    await played.execute(Requester(state_handler=Says("好", next_phase="b")))
    assert played.settings().suggested_phase == "b"


async def test_feedback_goes_on_until_a_phrase_is_there() -> None:
    """003-5.2: a look at the bot's message says whether the phase is done."""
    played = Played()
    handler = Says("还没有", next_phase="b")
    unit = Answers("再来", until="完成", state_handler=handler)
    await played.execute(unit)
    assert played.settings().suggested_phase is None
    handler.text = "完成"
    await played.execute(unit)
    assert played.texts() == ["bot:还没有", "user:再来", "bot:完成", "user:再来"]
    assert played.settings().suggested_phase == "b"


async def test_a_starter_in_a_phase_that_stays_does_not_begin_twice() -> None:
    """003-5.2: the feedback of the exchange before is what the bot answers."""
    played = Played()
    inner = Answers("再来", until="完成", state_handler=Says("还没有"))
    unit = Starter(responsor=inner, next_phase="b")
    await played.execute(unit)
    await played.execute(unit)
    assert played.texts() == ["user:请写", "bot:还没有", "user:再来", "bot:还没有", "user:再来"]


@pytest.mark.parametrize("stored", range(4))
async def test_a_half_done_unit_goes_on_after_its_last_message(stored: int) -> None:
    """T10: what a unit has said is not said again, and nothing it lacks is left out."""
    whole, again = Played(), Played()
    await whole.execute(starter("大纲", "b"))
    for message in whole.thread.resolve(whole.path).messages[:stored]:
        again.thread.append(again.path, message)
        again.rows.make_id("msg")
    task = task_at(again.path, again.rows.host(again.thread), unit=1)
    await starter("大纲", "b").execute(task, again.thread, again.agent)
    assert again.texts() == whole.texts()
    assert again.settings() == whole.settings()


async def test_a_message_that_was_there_may_stand_for_a_response() -> None:
    """003-6.3, T8: with the skip flag no message is made, and the bot's last one is reused."""
    played = Played()
    played.thread.append(played.path, said("旧的"))
    response = await played.execute(Responsor(state_handler=Skips(), next_phase="b"))
    assert (played.texts(), response.text) == (["bot:旧的"], "旧的")


async def test_a_skip_flag_without_a_message_is_an_error() -> None:
    """T8: there has to be a message that is reused."""
    played = Played()
    with pytest.raises(ThreadFault) as refused:
        await played.execute(Responsor(state_handler=Skips(), next_phase="b"))
    assert (refused.value.reason, played.texts()) == ("SKIP_WITHOUT_MESSAGE", [])


@pytest.mark.parametrize("unit", [starter("a", "b"), responsor("a", "b"), requester("a", "b")])
async def test_a_unit_takes_the_main_thread_and_a_path(unit: InteractionUnit) -> None:
    """003-3.1, 003-11.2: a sub-thread in the main thread's place is refused, a lost path too."""
    played = Played()
    host = played.rows.host(played.thread)
    task, extracted = task_at(played.path, host), played.thread.resolve(played.path)
    with pytest.raises(ThreadFault) as refused:
        await unit.execute(task, extracted, played.agent)  # type: ignore[arg-type]
    assert refused.value.reason == "NOT_MAIN_THREAD"
    with pytest.raises(ThreadFault) as lost:
        await unit.execute(task_at(MAIN, host), played.thread, played.agent)
    assert (lost.value.reason, played.texts()) == ("MISSING_PATH", [])


async def test_a_message_remembers_its_phase_and_unit() -> None:
    """T10, T13: each message knows the phase it was written in, and the unit that wrote it."""
    played = Played()
    await played.execute(requester("甲", "b"))
    await played.execute(requester("乙", "b"))
    known = [(m.phase, m.unit) for m in played.thread.resolve(played.path).messages]
    assert known == [("initial_phase", 1)] * 2 + [("initial_phase", 2)] * 2


async def test_a_unit_in_a_nested_thread_changes_that_thread_alone() -> None:
    """T17: messages and settings are those of the thread that the path names."""
    played = Played()
    played.rows = ThreadRows()
    played.thread, played.path = nested(played.rows, depth=3)
    before = [played.thread.resolve(ThreadPath((0,) * depth)) for depth in range(3)]
    await played.execute(responsor("最里面", "b"))
    after = [played.thread.resolve(ThreadPath((0,) * depth)) for depth in range(3)]
    assert after == before
    assert played.settings().suggested_phase == "b"
