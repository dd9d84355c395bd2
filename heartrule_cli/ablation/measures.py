"""The measures of a run, computed from its events and its ledger. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    EventBody,
    Outcome,
    PlanEdited,
    StrategyDecided,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.exits import ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.orchestration import PlanEditState
from heartrule.domain.variables import VariableOperationKind
from heartrule.words.words import Words, say
from heartrule_cli.rehearsal.outcome import Played

_BESIDE = frozenset({Purpose.MONITOR, Purpose.STRATEGY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure of a run."""

    key: str
    """Its name in JSON."""
    decimals: int = 2

    @property
    def words(self) -> Words:
        """What it counts."""
        return say(f"cli.measure.{self.key}")


# In the order of reports; the last four tell whether what was switched on did anything.
MEASURES = (
    Measure(key="rounds"),
    Measure(key="turns"),
    Measure(key="finished"),
    Measure(key="variables"),
    *(Measure(key=f"ended_{reason}") for reason in ExitReason),
    Measure(key="unwilling"),
    Measure(key="strayed"),
    Measure(key="refusals"),
    Measure(key="degradations"),
    Measure(key="failed_turns"),
    Measure(key="rejected"),
    Measure(key="calls"),
    Measure(key="failed_calls"),
    Measure(key="unreadable"),
    Measure(key="tokens", decimals=0),
    Measure(key="tokens_beside", decimals=0),
    Measure(key="wait_s"),
    Measure(key="model_s"),
    Measure(key="advice_used"),
    Measure(key="advice_obeyed"),
    Measure(key="recommendations"),
    Measure(key="edits_applied"),
)


def measured(
    played: Sequence[Played], ledger: Sequence[LLMDebugInfo], *, finished: bool, obeyed: int = 0
) -> dict[str, float]:
    """Return every measure of a run, by key; `obeyed` counts advice that was."""
    bodies = [event.body for each in played for event in each.events]
    return {
        **_rounds(bodies),
        "turns": sum(not each.turn.opens for each in played),
        "finished": float(finished),
        "variables": _filled(bodies),
        **_trouble(bodies, ledger),
        "rejected": sum(_rejections(each) for each in played),
        **_calls(ledger),
        "wait_s": sum(each.seconds for each in played) / max(1, len(played)),
        **_helped(bodies),
        "advice_obeyed": obeyed,
    }


def silent_purposes(ledger: Sequence[LLMDebugInfo]) -> dict[str, str]:
    """Return the purposes without any answered call, each with the reason of its last failure."""
    answered = {call.purpose for call in ledger if not call.error}
    return {call.purpose.value: call.error for call in ledger if call.purpose not in answered}


def failure_of(played: Sequence[Played]) -> str:
    """Return why the last turn that failed did; empty where none did."""
    ends = [e.body for each in played for e in each.events if isinstance(e.body, TurnEnded)]
    reasons = [end.problem.reason for end in ends if end.problem is not None]
    return reasons[-1] if reasons else ""


def _rounds(bodies: Sequence[EventBody]) -> dict[str, float]:
    results = [body.action_result for body in bodies if isinstance(body, ActionResultRecorded)]
    judged = [
        (result.exit_reason, result.exit_decision.should_exit)
        for result in results
        if result.exit_decision is not None
    ]
    reasons = Counter(reason for reason, _ in judged)
    ends = Counter(reason for reason, should_exit in judged if should_exit)
    return {
        "rounds": len(judged),
        **{f"ended_{reason}": ends[reason] for reason in ExitReason},
        "unwilling": reasons[ExitReason.USER_BLOCKED],
        "strayed": reasons[ExitReason.OFF_TOPIC],
    }


def _filled(bodies: Sequence[EventBody]) -> int:
    """Count the names whose last write is a value; leaving a scope does not empty them."""
    values: dict[str, JsonValue] = {}
    for body in bodies:
        if isinstance(body, VariableChanged):
            written = body.variable_operation
            if written.operation is not VariableOperationKind.DELETE:
                values[written.variable_name] = written.value
    return sum(value not in (None, "", [], {}) for value in values.values())


def _trouble(bodies: Sequence[EventBody], ledger: Sequence[LLMDebugInfo]) -> dict[str, float]:
    ends = [body for body in bodies if isinstance(body, TurnEnded)]
    degradations = [each for end in ends for each in end.degradations]
    refused = sum(each.metadata.get("said") == "REFUSAL" for each in degradations)
    filtered = sum(call.finish_reason == "content_filter" for call in ledger)
    return {
        "refusals": refused + filtered,
        "degradations": len(degradations),
        "failed_turns": sum(end.outcome is Outcome.FAILED for end in ends),
    }


def _rejections(played: Played) -> int:
    reasons = played.seen.get("rejected")
    return len(reasons) if isinstance(reasons, list) else 0


def _calls(ledger: Sequence[LLMDebugInfo]) -> dict[str, float]:
    beside = [call for call in ledger if call.purpose in _BESIDE]
    return {
        "calls": len(ledger),
        "failed_calls": sum(bool(call.error) for call in ledger),
        "unreadable": sum(
            call.parse is not None and call.parse.parse_error is not None for call in ledger
        ),
        "tokens": _tokens(ledger),
        "tokens_beside": _tokens(beside),
        "model_s": sum(call.latency_ms for call in ledger) / 1000,
    }


def _tokens(calls: Sequence[LLMDebugInfo]) -> int:
    return sum(call.prompt_tokens + call.completion_tokens for call in calls)


def _helped(bodies: Sequence[EventBody]) -> dict[str, float]:
    advice = [body.advice.state for body in bodies if isinstance(body, AdviceChanged)]
    edits = [body.edit.state for body in bodies if isinstance(body, PlanEdited)]
    return {
        "advice_used": advice.count(AdviceState.CONSUMED),
        "recommendations": sum(isinstance(body, StrategyDecided) for body in bodies),
        "edits_applied": edits.count(PlanEditState.APPLIED),
    }
