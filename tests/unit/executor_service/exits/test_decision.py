"""The four sources, their order, and the classification."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from executor_service.exits.decision import STAY, classify, judge_exit, kept_reason
from executor_service.exits.exit_inputs import ExitInputs
from executor_service.exits.policy import (
    EVERY_SOURCE,
    NO_EXIT,
    EffectiveExitPolicy,
    unreadable_policy,
)
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from heartrule.domain.action_result import ActionResult, ProgressSuggestion
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.model.reply.field_reader import Assessment

UNDERSTOOD = ExitCriteria(understanding_threshold=80, min_rounds=2)
ORDER = tuple(DecisionSource)
BOOLEANS = (False, True)


def asking(*wanted: DecisionSource) -> ExitInputs:
    """Return the inputs of round 3 in which exactly these sources ask for an exit."""
    return ExitInputs(
        round=3,
        max_rounds=3 if DecisionSource.MAX_ROUNDS in wanted else 5,
        exit_flag=DecisionSource.EXIT_FLAG in wanted,
        should_exit=DecisionSource.LLM_SUGGESTION in wanted,
        assessment=Assessment(
            understanding_level=90 if DecisionSource.EXIT_CRITERIA in wanted else 10
        ),
        criteria=UNDERSTOOD,
    )


def decide(inputs: ExitInputs) -> ExitDecision:
    """Return the decision alone."""
    return judge_exit(inputs).decision


def subsets() -> list[tuple[DecisionSource, ...]]:
    """Return every set of sources, in their order."""
    return [
        tuple(source for source, taken in zip(ORDER, choice, strict=True) if taken)
        for choice in product(BOOLEANS, repeat=len(ORDER))
    ]


def oracle(
    wanted: tuple[DecisionSource, ...],
    enabled: tuple[DecisionSource, ...],
    *,
    early: bool,
    spoken: bool,
) -> DecisionSource | None:
    """Say by the rules of C7 and C9 who decides."""
    if not spoken:
        return None
    held = {DecisionSource.EXIT_CRITERIA, DecisionSource.LLM_SUGGESTION} if early else set()
    return next((s for s in ORDER if s in wanted and s in enabled and s not in held), None)


@pytest.mark.parametrize("spoken", BOOLEANS)
@pytest.mark.parametrize("early", BOOLEANS)
@pytest.mark.parametrize("wanted", subsets())
def test_who_decides(wanted: tuple[DecisionSource, ...], early: bool, spoken: bool) -> None:  # noqa: FBT001 - a table
    """The first enabled source that asks decides, whatever is enabled, held back or unspoken."""
    for enabled in subsets():
        policy = EffectiveExitPolicy(supports_exit=True, enabled_sources=frozenset(enabled))
        criteria = replace(UNDERSTOOD, min_rounds=4 if early else 3)
        inputs = replace(
            asking(*wanted), policy=policy, criteria=criteria, client_has_spoken=spoken
        )
        expected = oracle(wanted, enabled, early=early, spoken=spoken)
        decision = decide(inputs)
        assert decision.decision_source is expected
        assert decision.should_exit is (expected is not None)


@pytest.mark.parametrize(
    ("round_", "source"),
    [(2, None), (3, DecisionSource.MAX_ROUNDS), (4, DecisionSource.MAX_ROUNDS)],
)
def test_last_round(round_: int, source: DecisionSource | None) -> None:
    """The last allowed round and any beyond it end the action."""
    assert decide(ExitInputs(round=round_, max_rounds=3)).decision_source is source


def test_stay_has_no_source() -> None:
    """While nothing asks for an exit there is no source and no reason."""
    assert decide(asking()) == STAY == ExitDecision(should_exit=False)


def test_completed_is_only_a_hint() -> None:
    """A progress_suggestion of `completed` alone ends nothing."""
    inputs = replace(asking(), progress_suggestion=ProgressSuggestion.COMPLETED)
    assert judge_exit(inputs).exit_reason is None
    assert not judge_exit(inputs).decision.should_exit


@pytest.mark.parametrize(
    ("source", "spoken_reason", "reason"),
    [
        (DecisionSource.MAX_ROUNDS, "够了", "达到最大轮次限制"),
        (DecisionSource.EXIT_FLAG, "够了", "够了"),
        (DecisionSource.EXIT_FLAG, "", "模型给出退出标志"),
        (DecisionSource.EXIT_CRITERIA, "够了", "满足退出条件：理解程度达到 80"),
        (DecisionSource.LLM_SUGGESTION, "够了", "够了"),
        (DecisionSource.LLM_SUGGESTION, "", "模型建议结束"),
    ],
)
def test_reasons(source: DecisionSource, spoken_reason: str, reason: str) -> None:
    """The reason is the model's, the criterion met, or the limit reached."""
    assert decide(replace(asking(source), exit_reason_text=spoken_reason)).reason == reason


def test_brief_stands_in_for_the_reason() -> None:
    """Without an exit_reason of its own the reply's BRIEF says why."""
    inputs = replace(asking(DecisionSource.EXIT_FLAG), brief="说了名字")
    assert decide(inputs).reason == "说了名字"
    assert decide(replace(inputs, exit_reason_text="齐了")).reason == "齐了"


def test_exit_on_the_last_round() -> None:
    """EXIT on the last allowed round reports max_rounds, and its reason holds both facts (C6)."""
    inputs = asking(DecisionSource.MAX_ROUNDS, DecisionSource.EXIT_FLAG)
    judged = judge_exit(replace(inputs, exit_reason_text="齐了"))
    assert judged.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    assert judged.decision.decision_source is DecisionSource.MAX_ROUNDS
    assert judged.decision.reason == "达到最大轮次限制；模型同时给出退出标志：齐了"


@pytest.mark.parametrize("suggestion", [None, *ProgressSuggestion])
@pytest.mark.parametrize("source", [None, *DecisionSource])
def test_classification(
    source: DecisionSource | None, suggestion: ProgressSuggestion | None
) -> None:
    """Last round, other exits, blocked, off topic; nothing for a plain continue (C6, C21)."""
    decision = ExitDecision(should_exit=source is not None, decision_source=source)
    stay = {
        ProgressSuggestion.BLOCKED: ExitReason.USER_BLOCKED,
        ProgressSuggestion.OFF_TOPIC: ExitReason.OFF_TOPIC,
    }.get(suggestion or ProgressSuggestion.CONTINUE_NEEDED)
    if source is DecisionSource.MAX_ROUNDS:
        expected: ExitReason | None = ExitReason.MAX_ROUNDS_REACHED
    else:
        expected = ExitReason.EXIT_CRITERIA_MET if source else stay
    assert classify(decision, suggestion) is expected


def test_first_utterance_waits() -> None:
    """An ai_say of one round does not end with it before the client has spoken."""
    opening = ExitInputs(round=1, max_rounds=1, client_has_spoken=False)
    assert decide(opening) == STAY
    assert decide(replace(opening, client_has_spoken=True)).should_exit


@pytest.mark.parametrize("wanted", subsets())
def test_unreadable_reply(wanted: tuple[DecisionSource, ...]) -> None:
    """A reply nobody could read ends the action on its last round only (C4)."""
    inputs = replace(asking(*wanted), policy=unreadable_policy(EVERY_SOURCE))
    assert decide(inputs).should_exit is (DecisionSource.MAX_ROUNDS in wanted)


def test_inner_actions_never_decide() -> None:
    """An action without exits decides nothing even when everything asks for one."""
    assert decide(replace(asking(*ORDER), policy=NO_EXIT)) == STAY


def test_troubles_come_along() -> None:
    """What could not be compared is handed back beside the decision."""
    condition = CustomCondition(variable="分", operator=ConditionOperator.GREATER, value=3)
    inputs = ExitInputs(
        round=1,
        max_rounds=3,
        policy=EVERY_SOURCE,
        criteria=ExitCriteria(custom_conditions=(condition,)),
        lookup={"分": "很多"}.get,
    )
    judged = judge_exit(inputs)
    assert judged.decision == STAY
    assert [d.reason for d in judged.degradations] == ["CONDITION_NOT_COMPARABLE"]


def test_condition_is_met_by_a_variable() -> None:
    """A condition is read through the look-up of the action."""
    condition = CustomCondition(variable="分", operator=ConditionOperator.GREATER, value=3)
    inputs = ExitInputs(
        round=1,
        max_rounds=3,
        criteria=ExitCriteria(custom_conditions=(condition,)),
        lookup={"分": 4}.get,
    )
    assert decide(inputs).decision_source is DecisionSource.EXIT_CRITERIA


@pytest.mark.parametrize(
    ("source", "suggestion", "kept"),
    [
        (DecisionSource.EXIT_FLAG, ProgressSuggestion.BLOCKED, ExitReason.USER_BLOCKED),
        (DecisionSource.LLM_SUGGESTION, ProgressSuggestion.OFF_TOPIC, ExitReason.OFF_TOPIC),
        (DecisionSource.EXIT_FLAG, ProgressSuggestion.COMPLETED, ExitReason.EXIT_CRITERIA_MET),
        (DecisionSource.EXIT_CRITERIA, ProgressSuggestion.BLOCKED, ExitReason.EXIT_CRITERIA_MET),
        (DecisionSource.MAX_ROUNDS, ProgressSuggestion.BLOCKED, ExitReason.MAX_ROUNDS_REACHED),
    ],
)
def test_a_client_who_is_let_go_is_named_by_the_suggestion(
    source: DecisionSource, suggestion: ProgressSuggestion, kept: ExitReason
) -> None:
    """Only where the model itself ended the action; criteria and the last round speak for it."""
    decision = ExitDecision(should_exit=True, decision_source=source)
    result = ActionResult(
        success=True,
        completed=True,
        progress_suggestion=suggestion,
        exit_decision=decision,
        exit_reason=classify(decision, suggestion),
    )
    assert kept_reason(result) is kept
