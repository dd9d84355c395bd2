"""LLM nodes: one answer of a model to what a plan asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from heartrule.domain.errors import (
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
    PromptTooLong,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.problem import Degradation
from heartrule.domain.runs import RunErrorCode
from heartrule.model.ports import ChatMessage, ChatModel, ChatRequest
from heartrule.model.whole_reply import whole_reply

PROMPT_TYPE = "workflow_node"
"""What the ledger shows in place of a template's name."""
_ROLES: Mapping[str, Literal["system", "user", "assistant"]] = MappingProxyType(
    {"system": "system", "user": "user", "assistant": "assistant"}
)
# Of what is asked, for the rehearsal model.
_SHOWN = 200
_LENGTH = "length"
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*?)\n?```\s*", re.DOTALL | re.IGNORECASE)


class LlmNode:
    """Asks a model; the output is {text, data, usage}."""

    def __init__(self, model: ChatModel) -> None:
        """Whoever made the model closes it."""
        self._model = model

    async def run(self, call: NodeCall) -> NodeResult:
        """Return the answer; `data` is what JSON it holds, null where it is none.

        Its tokens count before it is asked, as many as the answer may have; what it took beyond
        that counts behind it.

        Raises:
            NodeFailed: MODEL_ERROR; MISSING_VALUE: nothing is asked; or LIMIT: the policy's tokens
                are used up, the prompt or the answer is too long.
        """
        request = _request(call)
        # Without a limit of its own it needs one token at least: the first beyond is refused.
        counted = request.max_tokens or 1
        if not await call.spending.allow(llm_tokens=counted):
            raise failed(RunErrorCode.LIMIT, "the policy's tokens of models are used up")
        before = len(call.model_calls)
        try:
            text = await whole_reply(self._model, request, calls=call.model_calls)
        except (ModelUnavailable, ModelRateLimited) as error:
            raise _failure(error) from None
        finally:
            made = call.model_calls[before:]
            used = sum(each.prompt_tokens + each.completion_tokens for each in made)
            if used > counted:
                await call.spending.add(llm_tokens=used - counted)
        other = _other_model(call, made)
        if other:  # the ledger keeps it with the call
            call.model_calls[-1] = replace(made[-1], cuts=(*made[-1].cuts, *other))
        return NodeResult(output={"text": text, "data": _data(text), "usage": _usage(made)})

    async def aclose(self) -> None:
        """There is nothing to free."""


def _request(call: NodeCall) -> ChatRequest:
    config = call.config
    messages = config.get("messages")
    given = messages if isinstance(messages, list | tuple) else ()
    asked = [_message(each) for each in given if isinstance(each, Mapping)]
    if prompt := config.get("prompt"):
        asked.insert(0, ChatMessage(role="user", content=str(prompt)))
    if not any(each.content.strip() for each in asked):
        text = "nothing is asked: the prompt is empty once its references are filled in"
        raise failed(RunErrorCode.MISSING_VALUE, text)
    temperature, most = config.get("temperature"), config.get("max_tokens")
    return ChatRequest(
        purpose=Purpose.WORKFLOW,
        messages=tuple(asked),
        prompt_type=PROMPT_TYPE,
        template_hash="",
        is_free=True,
        model=call.access.models.get(str(config.get("model")), ""),
        temperature=temperature if isinstance(temperature, int | float) else None,
        max_tokens=int(most) if isinstance(most, int | float) else 0,
        card={"kind": PROMPT_TYPE, "task": asked[-1].content[:_SHOWN]},
    )


def _message(written: Mapping[str, JsonValue]) -> ChatMessage:
    content = written["content"]
    text = "" if content is None else str(content)
    return ChatMessage(role=_ROLES[str(written["role"])], content=text)


def _data(text: str) -> JsonValue:
    """Return the JSON that an answer is, alone or in one fenced block; null where it is none."""
    fenced = _FENCED.fullmatch(text)
    try:
        value: JsonValue = orjson.loads(fenced[1] if fenced else text)
    except orjson.JSONDecodeError:
        return None
    return value


def _usage(made: list[LLMDebugInfo]) -> JsonValue:
    """Return the tokens of all calls, those that failed too."""
    return {
        "prompt_tokens": sum(each.prompt_tokens for each in made),
        "completion_tokens": sum(each.completion_tokens for each in made),
    }


def _other_model(call: NodeCall, made: list[LLMDebugInfo]) -> tuple[Degradation, ...]:
    """Return that another model answered than the node names, where it names one."""
    asked, used = call.config.get("model"), made[-1].model if made else ""
    if asked is None or call.access.models.get(str(asked)) == used:
        return ()
    return (Degradation.of("model", "OTHER_MODEL", asked=str(asked)[:80], used=used),)


def _failure(error: ModelUnavailable | ModelRateLimited) -> NodeFailed:
    if isinstance(error, PromptTooLong):
        return failed(RunErrorCode.LIMIT, "the prompt is longer than any model takes")
    if isinstance(error, ModelStreamCut):
        ended = error.metadata.get("finish_reason", "")
        if ended == _LENGTH:
            return failed(RunErrorCode.LIMIT, "the answer is longer than its max_tokens")
        return failed(RunErrorCode.MODEL_ERROR, "the model ended its answer early")
    text = f"no model answered ({error.reason})"
    return failed(RunErrorCode.MODEL_ERROR, text, is_retryable=error.retryable)
