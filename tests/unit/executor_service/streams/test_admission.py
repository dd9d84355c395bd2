"""What a session and a process take at one time."""

from __future__ import annotations

from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from executor_service.settings import AdmissionSettings
from executor_service.streams.admission import Admission
from heartrule.domain.conversation import Part, UserInput
from heartrule.domain.errors import HeartRuleError, QuotaSpent
from heartrule.domain.keys import SessionKey

KEY, OTHER = SessionKey("t", "s1"), SessionKey("t", "s2")


@dataclass(slots=True)
class Used:
    """What runs, and what was used."""

    running: int = 0
    tokens: int = 0

    async def tokens_since(self, key: SessionKey, age: timedelta) -> int:
        assert (key.tenant, age) == ("t", timedelta(days=1))
        return self.tokens


def admission(used: Used | None = None, **limits: Any) -> Admission:
    known = used or Used()
    return Admission(AdmissionSettings(**limits), known, known, clock=lambda: 100.0)


def typed(text: str = "你好") -> UserInput:
    return UserInput(client_message_id="m", parts=(Part(text=text),))


async def refused_by(limits: Admission, *, has_card: bool = False, key: SessionKey = KEY) -> str:
    """Return the reason for which an input is refused; empty where it is not."""
    try:
        async with limits.input(key, typed(), has_card=has_card):
            pass
    except HeartRuleError as error:
        return error.reason
    return ""


async def test_a_session_has_so_many_inputs_a_minute() -> None:
    """The next one waits its share of the minute; another session is not concerned."""
    limits = admission(inputs_per_minute=2)
    assert [await refused_by(limits) for _ in range(3)] == ["", "", "TOO_MANY_INPUTS"]
    assert await refused_by(limits, key=OTHER) == ""
    with pytest.raises(QuotaSpent) as refused:
        async with limits.input(KEY, typed(), has_card=True):
            pass
    assert refused.value.retry_after == timedelta(seconds=30)


async def test_a_process_has_so_many_turns() -> None:
    """What calls for a card is taken all the same: its answer takes no model."""
    limits = admission(Used(running=3), max_turns=3)
    assert await refused_by(limits) == "TOO_MANY_TURNS"
    assert await refused_by(limits, has_card=True) == ""


async def test_a_session_has_so_many_tokens_a_day() -> None:
    """The ledger counts them, and only where there is a limit."""
    spent = Used(tokens=1_000)
    assert await refused_by(admission(spent, session_tokens_per_day=1_000)) == "TOKENS_SPENT"
    assert await refused_by(admission(spent, session_tokens_per_day=1_001)) == ""
    assert await refused_by(admission(spent)) == ""
    assert await refused_by(admission(spent, session_tokens_per_day=1), has_card=True) == ""


async def test_a_session_has_so_many_bytes_waiting() -> None:
    """One input always has room, and what was stored waits no more."""
    limits = admission(max_waiting_bytes=8)
    async with AsyncExitStack() as waiting:
        await waiting.enter_async_context(limits.input(KEY, typed("long enough"), has_card=False))
        assert await refused_by(limits) == "TOO_MANY_BYTES_WAITING"
        assert await refused_by(limits, key=OTHER) == ""
    assert await refused_by(limits) == ""


def test_a_process_has_so_many_streams() -> None:
    """One that has ended makes room."""
    limits = admission(max_streams=1)
    with ExitStack() as opened:
        opened.enter_context(limits.stream())
        with pytest.raises(QuotaSpent):
            opened.enter_context(limits.stream())
    with limits.stream():
        pass
