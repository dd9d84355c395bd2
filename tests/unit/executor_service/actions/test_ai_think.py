"""The inner step: variables come out, the client sees nothing."""

from __future__ import annotations

import pytest

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.ai_think import run_ai_think
from executor_service.scripts.model.fields import Output
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import Purpose
from heartrule.domain.output_type import OutputType
from heartrule.model.ports import ChatMessage
from tests.support.engine_builders import reasons, round_context, think
from tests.support.fake_model import FakeModel, Reply

GOOD = '{"variables":{"看法":"睡得少"},"BRIEF":"依据作息"}'


async def thought(model: FakeModel, **changes: object) -> tuple[RoundOutcome, RoundContext]:
    """Run one inner step."""
    context = round_context(think(get=("看法",)), model, **changes)  # type: ignore[arg-type]
    return await run_ai_think(context), context


async def test_its_variables_are_written_and_it_completes() -> None:
    """One call, no message, no wait."""
    outcome, context = await thought(FakeModel([GOOD]))
    assert (outcome.result.completed, outcome.messages) == (True, ())
    assert context.variables.get("看法") == "睡得少"
    assert outcome.result.extracted_variables == {"看法": "睡得少"}


async def test_it_has_no_metrics_and_asks_no_monitor() -> None:
    """There is no client reply to judge (C13)."""
    outcome, _ = await thought(FakeModel([GOOD]))
    assert (outcome.result.metrics, outcome.analyze, outcome.result.exit_decision) == (
        None,
        False,
        None,
    )


async def test_an_unreadable_reply_leaves_its_outputs_unset_and_completes() -> None:
    """The degradation is recorded, the script goes on."""
    outcome, context = await thought(FakeModel(["我想了想"]))
    assert outcome.result.completed
    assert context.variables.get("看法") is None
    assert reasons(outcome.degradations) == ["UNREADABLE_REPLY"]
    assert outcome.result.metadata == {"parseRetryCount": 3, "parseError": True}


async def test_a_model_that_is_down_fails_the_turn() -> None:
    """No inner step is skipped by an outage: the error goes up, retryable."""
    down = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
    with pytest.raises(ModelUnavailable):
        await thought(FakeModel([Reply((), fails=down)]))


async def test_a_value_that_does_not_convert_stays_unset() -> None:
    """The type is the script's; what does not fit is recorded."""
    action = think(output=(Output(get="天数", type=OutputType.INTEGER),))
    context = round_context(action, FakeModel(['{"variables":{"天数":"好几天"}}']))
    outcome = await run_ai_think(context)
    assert reasons(outcome.degradations) == ["OUTPUT_NOT_CONVERTED"]


async def test_its_prompt_names_the_inputs_and_their_values() -> None:
    """The inputs are lines of the prompt, each once, and as they are in the task card."""
    model = FakeModel([GOOD])
    action = think(get=("看法",), input_variables=("睡眠", "没有的"))
    await run_ai_think(round_context(action, model, variables={"睡眠": 5}))
    card = model.requests[-1].card
    assert model.last_prompt().count("- 睡眠：5") == 1
    assert (card["kind"], card["inputs"]) == ("ai_think", {"睡眠": 5, "没有的": None})


async def test_it_asks_the_thinking_model_with_the_conversation_before_it() -> None:
    """The purpose chooses the model; the history is part of what is thought about."""
    model = FakeModel([GOOD])
    await thought(model, history=(ChatMessage(role="assistant", content="你好"),))
    assert model.requests[0].purpose is Purpose.THINK
    assert [m.content for m in model.requests[0].messages][1] == "你好"


async def test_with_inputs_it_is_given_these_instead_of_the_conversation() -> None:
    """What a script names is all it thinks about: a long conversation costs its prompt nothing."""
    model = FakeModel([GOOD])
    config = {"get": ("看法",), "input_variables": ("作息",)}
    said = (ChatMessage(role="user", content="我睡得很晚"),)
    context = round_context(
        think(**config),  # type: ignore[arg-type]
        model,
        history=said,
        variables={"作息": "两点睡"},
    )
    await run_ai_think(context)
    (request,) = model.requests
    assert [message.role for message in request.messages] == ["system", "user"]
    assert "两点睡" in request.messages[-1].content


async def test_a_mended_reply_and_an_absent_scheme_file_are_told() -> None:
    """An inner step hides no degradation because nobody sees its text."""
    outcome, _ = await thought(FakeModel([GOOD[:-1] + ",}"]), scheme="cbt")
    assert reasons(outcome.degradations) == ["SCHEME_FILE_ABSENT", "REPAIRED_REPLY"]
