"""What a client of OpenAI's API reads of a reply that breaks off."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import grpc
import pytest

from gateway_service.client_text import ClientText
from gateway_service.crisis_screen import CrisisScreen
from gateway_service.openai_api import Conversation
from gateway_service.problems import HttpProblem, problem
from gateway_service.services import Services
from tests.support.shipped_files import SAFETY_FILES


class _BreaksOff(Conversation):
    async def _chunks(self) -> AsyncGenerator[str]:
        yield "慢慢说，"
        raise problem(grpc.StatusCode.UNAVAILABLE, "EXECUTOR_UNAVAILABLE", "gone")


def _sent(text: str) -> Conversation:
    said = ClientText(screen=CrisisScreen(SAFETY_FILES), text=text, locale="zh-CN")
    nothing: Services = None  # type: ignore[assignment]  # no executor is asked
    return _BreaksOff(services=nothing, session_id="ses_1", unopened=False, sent=said, key="m1")


async def test_a_reply_that_breaks_off_ends_with_the_card() -> None:
    """Streamed or whole: the one who reads the begun reply also reads where help is."""
    streamed = [text async for text in _sent("我想自杀").texts()]
    assert streamed[:2] == ["慢慢说，", "\n\n"]
    assert "12356" in streamed[2]
    assert await _sent("我想自杀").whole() == "".join(streamed)


async def test_an_ordinary_reply_that_breaks_off_is_a_failure() -> None:
    """Its beginning is not taken for the whole."""
    with pytest.raises(HttpProblem) as failed:
        await _sent("你好").whole()
    assert failed.value.reason == "EXECUTOR_UNAVAILABLE"
