"""Plays a conversation with a script, turn by turn, and says where it is not as expected."""

from __future__ import annotations

import time
from dataclasses import replace

from executor_service.installation import Installation
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest
from heartrule_cli.rehearsal.differences import (
    difference_of,
    gone_wrong,
    mismatches,
    nobody_asked,
    unanswered,
)
from heartrule_cli.rehearsal.doubles import Doubles, doubles_of
from heartrule_cli.rehearsal.harness import Harness
from heartrule_cli.rehearsal.observation import Happened, kept_by, requested_rounds, told_by
from heartrule_cli.rehearsal.outcome import Difference, Played, Rehearsal
from heartrule_cli.rehearsal.script_under_test import ScriptUnderTest
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records import Page

_MANY = Page(size=500)


class Play:
    """One conversation while it is played."""

    def __init__(
        self,
        conversation: WrittenConversation,
        installation: Installation,
        doubles: Doubles | None = None,
    ) -> None:
        """Set who answers, those the conversation names or others; `prepare` sets the rest."""
        chosen = doubles or doubles_of(conversation, installation.templates)
        self.model, self.judge, self.monitor = chosen.model, chosen.judge, chosen.monitor
        self.harness = Harness(
            installation=installation,
            model=self.model,
            monitor=self.monitor,
            beginning=conversation,
            switches=chosen.switches,
            patience_s=chosen.patience_s,
            store=open_in_memory(conversation.now.timestamp),
        )
        self._asked = self._paid = self._told = self._inputs = self._played = 0

    async def prepare(self, script: ScriptUnderTest) -> None:
        """Publish the script and create the session.

        Raises:
            InvalidRequest: The state the session is to begin with has another shape.
        """
        await self.harness.create_session(script)

    async def turn(self, turn: WrittenTurn) -> Played:
        """Play one turn, let the analyses end unless they are held, and return what was seen."""
        begun = time.monotonic()
        told = await self._act(turn)
        seconds = time.monotonic() - begun
        await self.harness.turns_over()
        if self.monitor.is_held:
            await self.monitor.told_of(requested_rounds(told))
        if turn.release:
            self.monitor.release()
        if not self.monitor.is_held:
            await self.harness.analyses_over()
        self._played += 1
        return replace(await self._seen(turn, told), seconds=seconds)

    def differences(self, played: Played) -> list[Difference]:
        """Return where the turn is not as expected; where answers were lacking, that alone."""
        found = unanswered(played, self.model) + unanswered(played, self.judge)
        found = found or gone_wrong(played)
        expected = played.turn.expected
        if found or expected is None:  # what follows a missing answer only follows from it
            return found
        return [
            difference_of(each, played.number)
            for key, entry in expected.entries.items()
            for each in mismatches(entry.value, played.seen.get(key), (key,))
        ]

    def left_over(self) -> list[Difference]:
        """Return the answers nobody asked for, once all turns are played."""
        lists = (
            ("model", getattr(self.model, "left", ())),
            ("monitor", getattr(self.monitor, "left", ())),
            ("monitor_model", getattr(self.judge, "left", ())),
        )
        return [
            nobody_asked(key, answers[0].spot, len(answers)) for key, answers in lists if answers
        ]

    async def aclose(self) -> None:
        """End what still runs."""
        await self.harness.aclose()

    async def ledger(self) -> list[LLMDebugInfo]:
        """Return every call of a model so far."""
        return await _calls(self.harness.store, self.harness.key)

    async def _act(self, turn: WrittenTurn) -> list[SessionEvent]:
        if turn.opens:
            return await self.harness.initialize()
        self._inputs += 1
        name = turn.message_id or f"m{self._inputs}"
        if turn.form is None:
            return await self.harness.send(name, turn.client or "")
        record = await self.harness.store.get_session(self.harness.key)
        opened = record.open_request.input_request_id if record.open_request else "none"
        request = turn.request or opened
        return await self.harness.submit(name, turn.form, request, text=turn.client or "")

    async def _seen(self, turn: WrittenTurn, told: list[SessionEvent]) -> Played:
        store, key = self.harness.store, self.harness.key
        ledger = await self.ledger()
        events = await store.read_events(key, self._told)
        happened = Happened(
            told=told,
            events=events,
            asked=self.model.requests[self._asked :],
            paid=ledger[self._paid :],
        )
        self._asked, self._paid = len(self.model.requests), len(ledger)
        self._told = events[-1].sequence if events else self._told
        judged = self.judge.requests if self.judge else []
        seen = {
            **told_by(happened),
            **await kept_by(store, key),
            "reports": len(self.monitor.reports),
            "monitor_prompt": _whole(judged[-1]) if judged else "",
        }
        return Played(number=self._played, turn=turn, events=happened.events, seen=seen)


async def rehearse(
    script: ScriptUnderTest, conversation: WrittenConversation, installation: Installation
) -> Rehearsal:
    """Play a conversation up to its first turn that is not as expected.

    Raises:
        InvalidRequest: The state the session is to begin with has another shape.
    """
    play = Play(conversation, installation)
    played: list[Played] = []
    found: list[Difference] = []
    await play.prepare(script)
    try:
        for turn in conversation.turns:
            played.append(await play.turn(turn))
            found = play.differences(played[-1])
            if found:
                break
        found = found or play.left_over()
    finally:
        await play.aclose()
    return Rehearsal(conversation=conversation, played=tuple(played), differences=tuple(found))


async def _calls(store: Store, key: SessionKey) -> list[LLMDebugInfo]:
    """Return the whole ledger."""
    found, token = await store.list_calls(key, _MANY)
    while token:
        more, token = await store.list_calls(key, Page(size=_MANY.size, token=token))
        found += more
    return found


def _whole(request: ChatRequest) -> str:
    return "\n".join(message.content for message in request.messages)
