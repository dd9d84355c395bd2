"""How a part asks a model (003-8; RESOLUTIONS T14, T15)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from executor_service.threads.ai_adapter import AIAdapter, seen_by_model
from executor_service.threads.ports import PromptMessage, ThreadPrompt
from executor_service.threads.thread_errors import ThreadFault
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.threads import ThreadRole
from tests.support.thread_parts import nested, said
from tests.support.thread_rows import ThreadRows


class Model:
    """Keeps what it is asked."""

    def __init__(self, error: Exception | None = None) -> None:
        self.asked: list[ThreadPrompt] = []
        self._error = error

    async def answer(self, prompt: ThreadPrompt) -> str:
        self.asked.append(prompt)
        if self._error:
            raise self._error
        return "大纲：三章"

    async def stream(self, prompt: ThreadPrompt) -> AsyncIterator[str]:
        self.asked.append(prompt)
        for piece in ("大纲", "：三章"):
            yield piece


ASKED = (said("写大纲", ThreadRole.USER),)


async def test_an_answer_is_as_the_document_prints_it() -> None:
    """003-8: `chat(messages, system_message, stream=False)` gives choices[0].message.content."""
    model = Model()
    answer = await AIAdapter(model).chat(ASKED, system_message="写提纲", stream=False)
    assert answer.choices[0].message.content == "大纲：三章"
    assert model.asked == [
        ThreadPrompt(
            system_message="写提纲", messages=(PromptMessage(role="user", content="写大纲"),)
        )
    ]


async def test_a_sub_thread_asks_for_whole_answers() -> None:
    """003-8, T14: a stream outside the main thread is refused, and no model is asked."""
    model = Model()
    with pytest.raises(ThreadFault) as refused:
        await AIAdapter(model).chat(ASKED, "写提纲", stream=True)
    assert (refused.value.reason, model.asked) == ("STREAM_IN_SUB_THREAD", [])


async def test_a_main_thread_may_stream() -> None:
    """T14: there the pieces come as they are written."""
    pieces = await AIAdapter(Model(), is_main=True).chat(ASKED, "写提纲", stream=True)
    assert [piece async for piece in pieces] == ["大纲", "：三章"]


async def test_a_model_that_is_down_is_an_error() -> None:
    """003-8: what the model raises is what the part is told."""
    model = Model(ModelUnavailable("down", reason="MODEL_DOWN"))
    with pytest.raises(ModelUnavailable):
        await AIAdapter(model).chat(ASKED, "写提纲")


def test_a_model_sees_the_threads_own_messages() -> None:
    """T15: nothing nested, no placeholder, nothing virtual and no marker."""
    thread, path = nested(ThreadRows())
    thread.append(path, said("里面"))
    thread.append(path.__class__(), said("外面", ThreadRole.USER))
    messages = (
        *thread.messages,
        said("虚拟", meta={"virtual": True}),
        said("记号", meta={"marker": True}),
        said("不是记号", meta={"marker": False}),
    )
    assert [each.content for each in seen_by_model(messages)] == ["外面", "不是记号"]


def test_neighbours_of_one_role_are_one_message() -> None:
    """T15: user and bot take turns in a prompt, whoever wrote twice."""
    messages = (said("甲", ThreadRole.USER), said("乙", ThreadRole.USER), said("丙"))
    assert seen_by_model(messages) == (
        PromptMessage(role="user", content="甲\n\n乙"),
        PromptMessage(role="assistant", content="丙"),
    )


async def test_each_agent_has_an_adapter_of_its_own() -> None:
    """003-8: two adapters share nothing, so there is no singleton."""
    first, second = Model(), Model()
    await AIAdapter(first).chat(ASKED, "甲")
    await AIAdapter(second).chat(ASKED, "乙")
    assert [len(each.asked) for each in (first, second)] == [1, 1]
