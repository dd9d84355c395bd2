"""Work on monitor requests in memory: who has one, and what it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import ClientReply, DialogueLine, RoundMetrics
from heartrule.domain.position import ExecutionStatus
from session_store.memory.rows import MessageRow, RequestRow, SessionRow, Tables
from session_store.records import MonitorWork
from session_store.turn_rules import (
    DEFAULT_TTL_TURNS,
    ENDED,
    MAX_REPLIES,
    MAX_TREND,
    is_usable,
)


def is_free(tables: Tables, request: RequestRow) -> bool:
    """Return whether a request is open and nobody works on it."""
    held = tables.clock() < request.until
    return not request.done and not held


def take(tables: Tables, request: RequestRow, *, owner: str, ttl: timedelta) -> None:
    """Note who works on a request, and until when."""
    request.attempts += 1
    request.owner = owner
    request.until = tables.clock() + ttl.total_seconds()


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
        usable=attempt == 1 or _is_usable(row, request),
        replacements=row.replacements,
        tokens_spent=row.monitor_tokens,
    )


def _is_usable(row: SessionRow, request: RequestRow) -> bool:
    if row.status is ExecutionStatus.COMPLETED:
        return False
    instance = row.plan.get(request.ticket.action_instance_id)
    return is_usable(
        request.result,
        request.position,
        now=row.position,
        instance_ended=instance is not None and instance.state in ENDED,
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
        for result, judged_at in zip(turn.results, turn.judged, strict=True):
            same = result.action_instance_id == judged.action_instance_id
            if same and result.exit_decision is not None and result.round < judged.round:
                for line in turn.inputs:
                    if line.sequence < judged_at:
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
        if line.sequence < request.judged:
            yield DialogueLine(role=Role.CLIENT, text=line.message.spoken())
    for message in request.answer:
        if message.role is Role.ASSISTANT:
            yield DialogueLine(role=Role.ASSISTANT, text=message.spoken())
