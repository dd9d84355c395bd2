"""Thoughts before a reply are dropped, however they are cut into pieces."""

from __future__ import annotations

import pytest

from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.chat_events import ChatChunk
from heartrule.model.piece_filters import ThoughtFilter
from heartrule.model.ports import ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Provider
from heartrule.model.timing import Timing
from tests.support.fake_source import FakeSource

REPLY = '{"content":"你好"}'


def passed(text: str, size: int) -> tuple[str, int]:
    """Return what a filter lets through of a text in pieces, and what it dropped."""
    thoughts = ThoughtFilter()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return "".join(map(thoughts.feed, pieces)) + thoughts.finish(), thoughts.dropped


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(
    ("text", "reply", "dropped"),
    [
        (f"<think>先想{{}}</think>{REPLY}", REPLY, 4),
        (f"\n <think></think>{REPLY}", REPLY, 0),
        ("<think>a</b></thin</think>好", "好", 11),
        ("<think>只想 <", "", 4),
        ("<think>a</think>", "", 1),
    ],
)
def test_a_thought_is_dropped(text: str, reply: str, dropped: int, size: int) -> None:
    """A thought at the beginning is no part of the reply, and its length is counted."""
    assert passed(text, size) == (reply, dropped)


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize(
    "text", ["", " ", "<thin", REPLY, "<b>想</b>", f"好<think>a</think>{REPLY}", "</think>好"]
)
def test_all_else_is_text(text: str, size: int) -> None:
    """A tag behind the beginning, another tag, and the beginning of one are text."""
    assert passed(text, size) == (text, 0)


async def called(*chunks: ChatChunk) -> tuple[list[str], LLMDebugInfo]:
    """Return the pieces of a call that gets these chunks, and its record."""
    provider = Provider(base_url="http://x", models=ModelNames(talk="m"))
    end = ChatChunk(finish_reason="stop", completion_tokens=9, reasoning_tokens=4)
    model = ProviderChatModel("p", provider, FakeSource([*chunks, end]), Timing())
    request = ChatRequest(purpose=Purpose.TALK, messages=(), prompt_type="t", template_hash="h")
    calls: list[LLMDebugInfo] = []
    pieces = [each async for each in model.stream(request, calls=calls, visible=lambda: False)]
    return pieces, calls[0]


async def test_a_call_counts_thoughts_and_keeps_none() -> None:
    """Thoughts, beside the text or before it, are no piece of the reply; the record counts them."""
    texts = (ChatChunk(text=text) for text in ("<thi", "nk>想</th", "ink>好"))
    pieces, call = await called(ChatChunk(reasoning_chars=5), *texts)
    assert pieces == ["好"]
    assert (call.output, call.reasoning_chars, call.reasoning_tokens) == ("好", 6, 4)


async def test_a_reply_of_thoughts_alone_has_no_text() -> None:
    """A call that only thought answers with an empty text, which nobody can read."""
    pieces, call = await called(ChatChunk(text="<think>想"), ChatChunk(text="想"))
    assert (pieces, call.output, call.reasoning_chars, call.error) == ([], "", 2, "")


async def test_the_end_of_a_reply_that_looks_like_a_thought_is_text() -> None:
    """The beginning of a tag at the end of a reply is text."""
    pieces, call = await called(ChatChunk(text="<thi"))
    assert (pieces, call.output) == (["<thi"], "<thi")
