"""Monitor requests and advice in memory (ARCHITECTURE section 4.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import (
    Advice,
    AdviceState,
    ClientReply,
    DialogueLine,
    PlanningState,
    RoundMetrics,
)
from session_store.memory.events import tell
from session_store.memory.rows import AdviceRow, MessageRow, RequestRow, SessionRow, Tables
from session_store.memory.steps import keep_calls
from session_store.records import AnalysisRecord, MonitorTicket, MonitorWork, Outlook
from session_store.step_events import analysis_drafts
from session_store.turn_rules import (
    DEFAULT_TTL_TURNS,
    ENDED,
    MAX_MONITOR_ATTEMPTS,
    MAX_REPLIES,
    MAX_TREND,
    state_of_new,
    tokens_of,
)


class MemoryMonitor:
    """MonitorStore over tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Claim one request; None when it is done, claimed elsewhere, or tried twice."""
        row = self._tables.sessions.get(ticket.key)
        request = row.requests.get((ticket.action_instance_id, ticket.round)) if row else None
        if row is None or request is None or not self._is_free(request):
            return None
        if request.attempts >= MAX_MONITOR_ATTEMPTS:
            return None
        request.attempts += 1
        request.owner = owner
        request.until = self._tables.clock() + ttl.total_seconds()
        return work_of(row, request, request.attempts)

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests that nobody works on, those tried twice marked `exhausted`."""
        free = [
            replace(request.ticket, exhausted=request.attempts >= MAX_MONITOR_ATTEMPTS)
            for row in self._tables.sessions.values()
            if row is not None
            for request in row.requests.values()
            if self._is_free(request)
        ]
        return tuple(free[:limit])

    async def look_for_advice(self, ticket: MonitorTicket) -> Outlook:
        """Return whether the round's analysis is to come, and its pending advice."""
        row = self._tables.session(ticket.key)
        request = row.requests.get((ticket.action_instance_id, ticket.round))
        found = (
            each.advice
            for each in row.advice.values()
            if each.advice.state is AdviceState.PENDING
            and each.advice.action_instance_id == ticket.action_instance_id
            and each.advice.about_round == ticket.round
        )
        is_open = request is not None and not request.done
        return Outlook(open=is_open, advice=next(found, None))

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Write analysis, advice, ledger and state in one transaction; done already: nothing."""
        row = self._tables.sessions.get(record.ticket.key)
        name = (record.ticket.action_instance_id, record.ticket.round)
        request = row.requests.get(name) if row else None
        if row is None or request is None or request.done:
            return ()
        if record.judged_turn_id not in {"", request.turn.turn_id}:
            return ()
        keep_calls(self._tables, row, record.calls, turn_id=request.turn.turn_id)
        row.monitor_tokens += tokens_of(record.calls)
        request.until = 0.0
        if record.retry and request.attempts < MAX_MONITOR_ATTEMPTS:
            return ()
        request.done = True
        request.ended = replace(record, calls=())
        request.planning = PlanningState.OWED if record.plan_owed else None
        request.advice_id = record.advice.advice_id if record.advice else ""
        changed = self._keep_advice(row, request, record.advice) if record.advice else ()
        drafts = analysis_drafts(
            record, judged_turn_id=request.turn.turn_id, changed=tuple(changed)
        )
        return tell(self._tables, row, drafts)

    def _is_free(self, request: RequestRow) -> bool:
        held = self._tables.clock() < request.until
        return not request.done and not held

    def _keep_advice(
        self, row: SessionRow, request: RequestRow, advice: Advice
    ) -> Iterator[Advice]:
        """Store an advice in the state that fits, and yield what changed, oldest first."""
        instance = row.plan.get(advice.action_instance_id)
        known = [
            each
            for each in row.advice.values()
            if each.advice.action_instance_id == advice.action_instance_id
        ]
        state = state_of_new(
            advice,
            instance_ended=instance is not None and instance.state in ENDED,
            known=[each.advice for each in known],
        )
        stored = replace(advice, state=state, made_at=advice.made_at or self._tables.now())
        for old in known if state is AdviceState.PENDING else ():
            if old.advice.state is AdviceState.PENDING:
                old.advice = replace(old.advice, state=AdviceState.SUPERSEDED)
                stored = replace(stored, supersedes=old.advice.advice_id)
                yield old.advice
        row.advice[stored.advice_id] = AdviceRow(stored, request.turn.turn_no)
        yield stored


def work_of(row: SessionRow, request: RequestRow, attempt: int) -> MonitorWork:
    """Return a claimed request with what it is made of."""
    newest = row.newest_turn()
    further = newest.turn_no - request.turn.turn_no if newest else 0
    return MonitorWork(
        ticket=request.ticket,
        attempt=attempt,
        script_id=row.new.script_id,
        script_version=row.new.script_version,
        phase_id=request.position.phase_id,
        topic_id=request.position.topic_id,
        technique_id=request.position.technique_id,
        definition=_definition(row, request),
        turn_id=request.turn.turn_id,
        max_rounds=request.position.max_rounds,
        result=request.result,
        trend=tuple(_trend(row, request.result)),
        dialogue=tuple(_dialogue(row, request)),
        earlier_replies=tuple(_replies(row, request.result))[-MAX_REPLIES:],
        traceparent=request.traceparent,
        stale=further > DEFAULT_TTL_TURNS,
        replacements=row.replacements,
        tokens_spent=row.monitor_tokens,
    )


def _definition(row: SessionRow, request: RequestRow) -> Mapping[str, JsonValue]:
    """Return what an edit gave the instance that was judged; mostly nothing."""
    instance = row.plan.get(request.ticket.action_instance_id)
    return instance.definition if instance else {}


def _trend(row: SessionRow, judged: ActionResult) -> list[RoundMetrics]:
    """Return the metrics of the instance's rounds before the judged one, oldest first."""
    earlier = [
        RoundMetrics(
            round=result.round,
            metrics=result.metrics,
            progress_suggestion=result.progress_suggestion or ProgressSuggestion.CONTINUE_NEEDED,
        )
        for result in row.results
        if result.metrics is not None
        and result.action_instance_id == judged.action_instance_id
        and result.round < judged.round
    ]
    return sorted(earlier, key=lambda each: each.round)[-MAX_TREND:]


def _replies(row: SessionRow, judged: ActionResult) -> Iterator[ClientReply]:
    """Yield what the client said in the instance's judged rounds before, oldest first."""
    for turn in row.turns.values():
        for result in turn.results:
            same = result.action_instance_id == judged.action_instance_id
            if same and result.exit_decision is not None and result.round < judged.round:
                for line in turn.inputs:
                    yield ClientReply(round=result.round, text=line.message.spoken())


def _dialogue(row: SessionRow, request: RequestRow) -> Iterator[DialogueLine]:
    """Yield the question, the client's words that were judged, and the answer given."""
    asked = [
        each
        for each in row.messages
        if each.message.role is Role.ASSISTANT and 0 <= each.turn_no < request.turn.turn_no
    ]
    if asked:
        question = max(asked, key=MessageRow.place).message
        yield DialogueLine(role=Role.ASSISTANT, text=question.spoken())
    for line in request.turn.inputs:
        yield DialogueLine(role=Role.CLIENT, text=line.message.spoken())
    for message in request.answer:
        if message.role is Role.ASSISTANT:
            yield DialogueLine(role=Role.ASSISTANT, text=message.spoken())
