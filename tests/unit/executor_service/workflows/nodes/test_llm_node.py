from __future__ import annotations

import pytest

from executor_service.workflows.nodes.llm_node import LlmNode
from executor_service.workflows.nodes.node_access import NodeAccess
from heartrule.domain.errors import (
    HeartRuleError,
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
    PromptTooLong,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.domain.runs import RunErrorCode
from tests.support.fake_model import FakeModel, Reply
from tests.support.node_calls import CountedSpending, failure_of, node_call, ran

ASKED = {"prompt": "Sum up: 1, 2"}


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("It is 3.", None),
        ('{"sum": 3}', {"sum": 3}),
        ('```json\n{"sum": 3}\n```\n', {"sum": 3}),
        ("[1, 2]", [1, 2]),
        ('Here: {"sum": 3}', None),
    ],
)
async def test_an_answer_is_text_and_what_json_it_is(text: str, data: JsonValue) -> None:
    """Prose around JSON is prose: nothing is guessed."""
    result = await ran(LlmNode(FakeModel([text])), node_call(ASKED))
    assert isinstance(result.output, dict)
    assert (result.output["text"], result.output["data"]) == (text, data)


async def test_a_plan_asks_as_it_writes() -> None:
    """The prompt, then the messages; temperature and length are the node's own."""
    model = FakeModel(["ok"])
    config: dict[str, JsonValue] = {
        "prompt": "first",
        "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "last"}],
        "temperature": 0.2,
        "max_tokens": 70,
    }
    call = node_call(config)
    await ran(LlmNode(model), call)
    [request] = model.requests
    assert [(each.role, each.content) for each in request.messages] == [
        ("user", "first"), ("system", "s"), ("user", "last"),
    ]  # fmt: skip
    assert (request.purpose, request.is_free) == (Purpose.WORKFLOW, True)
    assert (request.temperature, request.max_tokens) == (0.2, 70)
    assert [each.purpose for each in call.model_calls] == [Purpose.WORKFLOW]


@pytest.mark.parametrize(
    "config",
    [
        {"prompt": ""},
        {"prompt": None},
        {"prompt": " \n"},
        {"messages": [{"role": "user", "content": ""}]},
        {"prompt": None, "messages": [{"role": "user", "content": None}]},
    ],
)
async def test_where_nothing_is_asked_the_node_fails(config: dict[str, JsonValue]) -> None:
    """A prompt that is but a reference may be empty once it is filled in; nothing is counted."""
    model, spending = FakeModel(["ok"]), CountedSpending()
    failure = await failure_of(LlmNode(model), node_call(config, spending=spending))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.MISSING_VALUE, False)
    assert (model.requests, spending.counted) == ([], [])


async def test_tokens_count_before_and_what_was_beyond_behind() -> None:
    """A session without tokens left asks no model."""
    model, spending = FakeModel(["ok"]), CountedSpending(left=50)
    model.tokens = 80
    call = node_call({**ASKED, "max_tokens": 50}, spending=spending)
    await ran(LlmNode(model), call)
    assert (spending.counted[0]["llm_tokens"], spending.added) == (50, 30)
    failure = await failure_of(LlmNode(model), call)
    assert (failure.code, len(model.requests)) == (RunErrorCode.LIMIT, 1)


async def test_the_policys_table_names_the_model() -> None:
    """A name that is not there means the purpose's own; the call is kept with that."""
    access = NodeAccess(models={"gpt-4": "fake"})
    model = FakeModel(["a", "b"])
    named = node_call({**ASKED, "model": "gpt-4"}, access=access)
    unknown = node_call({**ASKED, "model": "gpt-5"}, access=access)
    await ran(LlmNode(model), named)
    await ran(LlmNode(model), unknown)
    assert [each.model for each in model.requests] == ["fake", ""]
    assert named.model_calls[-1].cuts == ()
    [recorded] = unknown.model_calls[-1].cuts
    assert (recorded.reason, recorded.metadata) == (
        "OTHER_MODEL",
        {"asked": "gpt-5", "used": "fake"},
    )


@pytest.mark.parametrize(
    ("error", "code", "is_retryable"),
    [
        (ModelUnavailable("x", reason="CONNECTION"), RunErrorCode.MODEL_ERROR, True),
        (ModelRateLimited("x", reason="RATE_LIMITED"), RunErrorCode.MODEL_ERROR, True),
        (PromptTooLong("x", reason="CONTEXT_EXCEEDED"), RunErrorCode.LIMIT, False),
        (
            ModelStreamCut("x", reason="STOPPED_EARLY", metadata={"finish_reason": "length"}),
            RunErrorCode.LIMIT,
            False,
        ),
        (ModelStreamCut("x", reason="STREAM_CUT"), RunErrorCode.MODEL_ERROR, True),
    ],
)
async def test_each_failure_of_a_model_has_its_code(
    error: HeartRuleError, code: RunErrorCode, is_retryable: object
) -> None:
    """The failed call is recorded as any other."""
    call = node_call(ASKED)
    failure = await failure_of(LlmNode(FakeModel([Reply(("half",), fails=error)])), call)
    assert (failure.code, failure.is_retryable) == (code, is_retryable)
    assert len(call.model_calls) == 1
