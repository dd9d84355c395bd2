"""What a run is measured by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from executor_service.scripts.model.findings import At
from heartrule.domain.action_result import ActionResult
from heartrule.domain.events import (
    ActionResultRecorded,
    EventBody,
    Outcome,
    SessionEvent,
    TurnEnded,
    VariableChanged,
)
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis, ParseError, Purpose
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from heartrule_cli.ablation.measures import MEASURES, failure_of, measured, silent_purposes
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.written_conversation import WrittenTurn

CALL = LLMDebugInfo(
    call_id="c1", purpose=Purpose.TALK, prompt_type="ai_ask_v1", provider="p", model="m",
    input="[]", output="{}", prompt_tokens=100, completion_tokens=20, latency_ms=1500,
)  # fmt: skip


def turn_of(*bodies: EventBody, client: str | None = "好", seconds: float = 0.0) -> Played:
    """Return a turn that told this."""
    turn = WrittenTurn(spot=At(), client=client)
    events = [SessionEvent(session_id="s", body=body) for body in bodies]
    return Played(number=1, turn=turn, events=events, seen={}, seconds=seconds)


def figures(*played: Played, ledger: Sequence[LLMDebugInfo] = ()) -> dict[str, float]:
    """Return the figures of a run of these turns."""
    return measured(played, ledger, finished=True)


def judged(reason: ExitReason | None, *, ends: bool) -> ActionResultRecorded:
    """Return a judged round."""
    decision = ExitDecision(should_exit=ends)
    result = ActionResult(success=True, completed=ends, exit_decision=decision, exit_reason=reason)
    return ActionResultRecorded(action_result=result)


def wrote(name: str, value: JsonValue, kind: str = "update") -> VariableChanged:
    """Return a write of a variable."""
    return VariableChanged(
        variable_operation=VariableOperation(
            action_id="a",
            operation=VariableOperationKind(kind),
            variable_name=name,
            scope=VariableScope.SESSION,
            value=value,
        )
    )


def test_every_measure_has_a_figure() -> None:
    """Nothing that is told is missing, nothing is measured that is not told."""
    assert set(figures()) == {measure.key for measure in MEASURES}


def test_rounds_are_told_apart_by_their_reason_and_their_end() -> None:
    """A blocked round that goes on is an unwilling client; one that ends is an exit."""
    opening = ActionResultRecorded(action_result=ActionResult(success=True, completed=False))
    blocked = judged(ExitReason.USER_BLOCKED, ends=False)
    last = judged(ExitReason.MAX_ROUNDS_REACHED, ends=True)
    found = figures(turn_of(opening, client=None), turn_of(blocked), turn_of(blocked, last))
    assert (found["turns"], found["rounds"], found["unwilling"]) == (2, 3, 2)
    assert (found["ended_max_rounds_reached"], found["ended_user_blocked"]) == (1, 0)


def test_a_variable_is_filled_once_and_by_a_value() -> None:
    """Neither a second write nor an empty one counts; leaving a scope empties nothing."""
    changes = [wrote("a", "x"), wrote("a", "y"), wrote("b", ""), wrote("c", 0)]
    found = figures(turn_of(*changes, wrote("a", None, "delete")))
    assert found["variables"] == 2


def test_a_refusal_is_the_models() -> None:
    """Prose that was replaced, and a provider's filter; other degradations are none."""
    ended = TurnEnded(
        outcome=Outcome.WAITING,
        degradations=tuple(
            Degradation(stage="parse", reason="UNREADABLE_REPLY", metadata={"said": said})
            for said in ("REFUSAL", "PROSE")
        ),
    )
    found = figures(turn_of(ended), ledger=[replace(CALL, finish_reason="content_filter")])
    assert (found["refusals"], found["degradations"]) == (2, 2)


def test_tokens_and_time_are_those_of_the_ledger() -> None:
    """What was paid beside the talk is told apart; the client's wait is per turn."""
    ledger = [CALL, replace(CALL, purpose=Purpose.MONITOR), replace(CALL, purpose=Purpose.STRATEGY)]
    found = figures(turn_of(seconds=1.0), turn_of(seconds=3.0), ledger=ledger)
    assert (found["calls"], found["tokens"], found["tokens_beside"]) == (3, 360, 240)
    assert (found["wait_s"], found["model_s"]) == (2, 4.5)


def test_what_was_never_answered_is_silent() -> None:
    """A call that was made again and answered is not; each failed call is counted."""
    failed = replace(CALL, error="MODEL_TIMEOUT")
    ledger = [failed, CALL, replace(failed, purpose=Purpose.MONITOR)]
    assert silent_purposes(ledger) == {Purpose.MONITOR: "MODEL_TIMEOUT"}
    assert figures(ledger=ledger)["failed_calls"] == 2


def test_an_unreadable_reply_is_counted_whoever_was_asked() -> None:
    """The second mind's, too, which costs no turn."""
    error = ParseError(retry_count=3, strategies=(), final_error="x", raw_response="?")
    broken = replace(CALL, purpose=Purpose.MONITOR, parse=ParseDiagnosis(parse_error=error))
    assert figures(ledger=[CALL, broken])["unreadable"] == 1


def test_a_failed_turn_tells_why() -> None:
    """The last one's reason; none where none failed."""
    problem = Problem(code=14, reason="MODEL_TIMEOUT", message="late")
    failed = turn_of(TurnEnded(outcome=Outcome.FAILED, problem=problem))
    assert (failure_of([failed]), failure_of([turn_of()])) == ("MODEL_TIMEOUT", "")
    assert figures(failed)["failed_turns"] == 1
