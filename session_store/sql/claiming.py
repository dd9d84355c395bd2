"""The analysis a step asks for and claims: made of what is known, where that is enough; pure."""

from __future__ import annotations

from typing import TypeAlias

from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import ClientReply, DialogueLine, RoundMetrics
from session_store.records import MonitorTicket, MonitorWork
from session_store.sql.kept import Kept, Line
from session_store.sql.statements import Found
from session_store.turn_rules import MAX_REPLIES, MAX_TREND

Earlier: TypeAlias = tuple[tuple[RoundMetrics, ...], tuple[ClientReply, ...]]


def known_work(
    key: SessionKey, request: Found, result: ActionResult, *, kept: Kept, said: tuple[Line, ...]
) -> MonitorWork | None:
    """Return what reading a request claimed with its step would give; None: it must be read.

    `kept` is the session before the step, `said` what the step said.
    """
    earlier = _earlier(kept.work, request)
    if earlier is None or kept.row.plan_revision:
        return None
    trend, replies = earlier
    return MonitorWork(
        ticket=MonitorTicket(
            key=key, action_instance_id=request.action_instance_id, round=request.round
        ),
        attempt=request.claims,
        script_id=kept.row.script_id,
        script_version=kept.row.script_version,
        phase_id=request.phase_id,
        topic_id=request.topic_id,
        technique_id=request.technique_id,
        turn_id=request.turn_id,
        max_rounds=request.max_rounds,
        result=result,
        trend=trend,
        dialogue=_dialogue(kept, request.turn_no, said),
        earlier_replies=replies,
        traceparent=request.traceparent,
        stale=False,
        replacements=kept.replacements,
        tokens_spent=kept.row.monitor_tokens,
    )


def _earlier(last: MonitorWork | None, request: Found) -> Earlier | None:
    """Return trend and replies of the rounds before; None where the last one is not known."""
    if request.round == 1:
        return (), ()
    if last is None:
        return None
    ticket, result = last.ticket, last.result
    before = (ticket.action_instance_id, ticket.round + 1)
    if before != (request.action_instance_id, request.round):
        return None
    trend, replies = last.trend, last.earlier_replies
    if result.metrics is not None:
        suggestion = result.progress_suggestion or ProgressSuggestion.CONTINUE_NEEDED
        judged = RoundMetrics(
            round=ticket.round, metrics=result.metrics, progress_suggestion=suggestion
        )
        trend = (*trend, judged)[-MAX_TREND:]
    if result.exit_decision is not None:
        told = [
            ClientReply(round=ticket.round, text=line.text)
            for line in last.dialogue
            if line.role is Role.CLIENT
        ]
        replies = (*replies, *told)[-MAX_REPLIES:]
    return trend, replies


def _dialogue(kept: Kept, turn_no: int, said: tuple[Line, ...]) -> tuple[DialogueLine, ...]:
    """Return the question, the client's words that were judged, and the answer given."""
    question = [
        line for no, _, line in kept.window if no < turn_no and line.role is Role.ASSISTANT
    ][-1:]
    words = [line for no, _, line in kept.window if no == turn_no and line.role is Role.CLIENT]
    answer = [line for _, _, line in said if line.role is Role.ASSISTANT]
    return (*question, *words, *answer)
