"""Plays a conversation with a script, turn by turn, and compares what can be seen after each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from executor_service.installation import Installation
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule_cli.rehearsal.differences import (
    differences,
    missing_answers,
    unexpected_failures,
    unused_answers,
)
from heartrule_cli.rehearsal.doubles import Doubles, doubles_of
from heartrule_cli.rehearsal.harness import Harness, ScriptUnderTest
from heartrule_cli.rehearsal.outcome import (
    Difference,
    Played,
    Rehearsal,
    plain,
    seen_in_requests,
    seen_in_stream,
    seen_of_monitor,
)
from heartrule_cli.rehearsal.played_runs import seen_of_runs, seen_of_threads
from heartrule_cli.rehearsal.written_conversation import WrittenConversation, WrittenTurn
from session_store.open import open_in_memory
from session_store.records import Page

_PAGE = Page(size=500)


class Play:
    """One conversation while it is played; `harness` creates its session."""

    def __init__(
        self,
        conversation: WrittenConversation,
        installation: Installation,
        doubles: Doubles | None = None,
    ) -> None:
        """Use these doubles; by default those that give the conversation's answers."""
        chosen = doubles or doubles_of(conversation, installation)
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
        # What the turns so far account for: requests, calls, events; inputs; the turns themselves.
        self._requests = self._calls = self._sequence = self._inputs = self._turns = 0

    async def turn(self, turn: WrittenTurn) -> Played:
        """Play one turn, let the analyses end unless they are held, and return what was seen."""
        begun = time.monotonic()
        stream = await self._act(turn)
        seconds = time.monotonic() - begun
        await self.harness.turns_over()
        await self.harness.runs_over()
        if self.monitor.is_held:
            await self.monitor.received_reports(stream)
        if turn.release:
            self.monitor.release()
        if not self.monitor.is_held:
            await self.harness.analyses_over()
        self._turns += 1
        store, key = self.harness.store, self.harness.key
        events = await store.read_events(key, self._sequence)
        self._sequence = events[-1].sequence if events else self._sequence
        seen = await self._seen(stream, events)
        return Played(number=self._turns, turn=turn, events=events, seen=seen, seconds=seconds)

    def differences(self, played: Played) -> list[Difference]:
        """Return where the turn is not as expected; where answers were lacking, that alone."""
        found = missing_answers(played, self.model) + missing_answers(played, self.judge)
        found = found or unexpected_failures(played)
        expected = played.turn.expected
        if found or expected is None:  # what follows a missing answer only follows from it
            return found
        return [
            replace(each, turn=played.number)
            for key, entry in expected.entries.items()
            for each in differences(entry.value, played.seen.get(key), (key,))
        ]

    def unused(self) -> list[Difference]:
        """Return the answers that no request used, once all turns are played."""
        doubles = {"model": self.model, "monitor": self.monitor, "monitor_model": self.judge}
        left = {key: getattr(double, "left", ()) for key, double in doubles.items()}
        return [
            unused_answers(key, answers[0].spot, len(answers))
            for key, answers in left.items()
            if answers
        ]

    async def ledger(self) -> list[LLMDebugInfo]:
        """Return every call of a model so far."""
        found: list[LLMDebugInfo] = []
        page: Page | None = _PAGE
        while page is not None:
            more, token = await self.harness.store.list_calls(self.harness.key, page)
            found += more
            page = Page(size=_PAGE.size, token=token) if token else None
        return found

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

    async def _seen(
        self, stream: Sequence[SessionEvent], events: Sequence[SessionEvent]
    ) -> dict[str, JsonValue]:
        """Return what `expect` may name, as plain data."""
        requests, calls = self.model.requests, await self.ledger()
        judged = self.judge.requests if self.judge else []
        whole = "\n".join(message.content for message in judged[-1].messages) if judged else ""
        values = {
            **seen_in_stream(stream),
            **seen_in_requests(requests[self._requests :]),
            "ledger": calls[self._calls :],
            **seen_of_monitor(events),
            "runs": seen_of_runs(events),
            "threads": seen_of_threads(events),
            "reports": len(self.monitor.reports),
            "monitor_prompt": whole,
            **await self._of_session(),
        }
        self._requests, self._calls = len(requests), len(calls)
        return {key: plain(value) for key, value in values.items()}

    async def _of_session(self) -> dict[str, object]:
        """Return what the session keeps: its position, its variables, its histories."""
        store, key = self.harness.store, self.harness.key
        state = await store.get_session(key)
        values = await store.list_variables(key)
        definitions = await store.list_definitions(key)
        shots, _ = await store.list_snapshots(key, _PAGE)
        exits, _ = await store.list_exits(key, _PAGE)
        strategies, _ = await store.list_strategies(key, _PAGE)
        queue = (await store.get_plan(key)).plan
        return {
            "open_request": state.open_request is not None,
            "status": state.status,
            "position": state.position,
            "variables": {value.name: value.value for value in values},
            "live": {f"{v.scope} {v.name}": v.value for v in values if not v.archived},
            "definitions": [
                f"{d.origin} {d.name} {d.scope} {d.scope_id}".strip() for d in definitions
            ],
            "snapshots": [{f"{s.scope} {s.scope_id}".strip(): s.variables} for s in shots],
            "exits": exits,
            "strategies": strategies,
            "queue": [f"{each.action_id} {each.state}" for each in queue],
        }


async def rehearse(
    script: ScriptUnderTest, conversation: WrittenConversation, installation: Installation
) -> Rehearsal:
    """Play a conversation up to its first turn that is not as expected.

    Raises:
        InvalidRequest: The imported state the session begins with has another shape.
    """
    play = Play(conversation, installation)
    played: list[Played] = []
    found: list[Difference] = []
    await play.harness.create_session(script)
    try:
        for turn in conversation.turns:
            played.append(await play.turn(turn))
            found = play.differences(played[-1])
            if found:
                break
        found = found or play.unused()
    finally:
        await play.harness.aclose()
    return Rehearsal(conversation=conversation, played=tuple(played), differences=tuple(found))
