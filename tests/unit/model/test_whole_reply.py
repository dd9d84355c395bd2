"""Several requests asked together: their order, their errors, how many at one time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from heartrule.domain.errors import HeartRuleError, ModelRateLimited, ModelStreamCut
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.ports import ChatMessage, ChatRequest, ModelRestarted
from heartrule.model.whole_reply import batch

CUT = ModelStreamCut("cut", reason="MODEL_STREAM_CUT")
LIMITED = ModelRateLimited("wait", reason="MODEL_RATE_LIMITED")


def request(prompt: str) -> ChatRequest:
    return ChatRequest(
        purpose=Purpose.THINK,
        messages=(ChatMessage(role="user", content=prompt),),
        prompt_type="p",
        template_hash="h",
    )


class Echo:
    """Answers each prompt with itself once `gate` is open; some fail behind their first piece."""

    def __init__(self, failing: dict[str, Exception] | None = None) -> None:
        self.failing = failing or {}
        self.gate = asyncio.Event()
        self.two = asyncio.Event()
        """Set once two requests run."""
        self.running = 0
        self.most = 0

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        assert not visible()
        self.running += 1
        self.most = max(self.most, self.running)
        if self.running == 2:
            self.two.set()
        prompt = request.messages[0].content
        yield "lost"
        yield ModelRestarted()
        yield prompt[:1]
        await self.gate.wait()
        self.running -= 1
        if prompt in self.failing:
            raise self.failing[prompt]
        yield prompt[1:]

    async def aclose(self) -> None:
        """Hold no connection."""


async def test_replies_come_in_the_order_of_the_requests() -> None:
    """Each is whole, without what a restarted call had said."""
    model = Echo()
    model.gate.set()
    items = await batch(model, [request(each) for each in ("一二", "三四", "五六")])
    assert [(item.text, item.error) for item in items] == [
        ("一二", None),
        ("三四", None),
        ("五六", None),
    ]
    assert await batch(model, []) == ()


async def test_an_error_is_its_items_alone() -> None:
    """The others are answered."""
    model = Echo({"一": CUT, "三": LIMITED})
    model.gate.set()
    items = await batch(model, [request(each) for each in "一二三"])
    found: list[tuple[str, HeartRuleError | None]] = [(each.text, each.error) for each in items]
    assert found == [("", CUT), ("二", None), ("", LIMITED)]


async def test_few_run_at_one_time() -> None:
    """No more than the limit, and all in the end."""
    model = Echo()
    asking = asyncio.create_task(batch(model, [request(each) for each in "一二三四五"], at_once=2))
    await model.two.wait()
    model.gate.set()
    assert [item.text for item in await asking] == list("一二三四五")
    assert model.most == 2


async def test_a_fault_of_the_program_ends_the_batch() -> None:
    """It is no answer of a model, so it is raised."""
    model = Echo({"二": KeyError("x")})
    model.gate.set()
    with pytest.raises(ExceptionGroup) as raised:
        await batch(model, [request(each) for each in "一二"])
    assert raised.group_contains(KeyError)
