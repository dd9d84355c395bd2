"""One provider as a chat model, asked once, or again with fewer parameters.

`FallbackChatModel` decides about retries and the next provider.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Protocol

from heartrule.domain.errors import (
    HeartRuleError,
    ModelRateLimited,
    ModelUnavailable,
    PromptTooLong,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.model_failure import ModelFailureCause, ModelFailureDetails
from heartrule.model import model_failures as failures
from heartrule.model.breaker import Breakers
from heartrule.model.call_record import CallRecord
from heartrule.model.chat_events import ChatChunk
from heartrule.model.piece_filters import SurrogateJoiner, ThoughtFilter
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_words import shown_url
from heartrule.model.providers import BreakerLimits, Provider, ProviderKind
from heartrule.model.request_json import Messages, json_messages, own_parameters
from heartrule.model.request_variants import RequestVariant
from heartrule.model.response_format import ResponseFormat, plainer_formats, response_format
from heartrule.model.task_card import with_task_card
from heartrule.model.timing import Timing
from heartrule.model.token_budget import TokenBudgets

# A longer reply ends as cut, so that a model that rambles on is not paid and read for minutes. A
# token has up to eight bytes: a long English word, or two Chinese characters.
_BYTES_PER_TOKEN = 8
_LEAST_CUT_BYTES = 32 * 1024

_STOP = "stop"
_FILTERED = "content_filter"
_TOO_LONG = "too_long"

Parameters = dict[str, JsonValue]


class ChunkSource(Protocol):
    """Sends one request to one provider; its errors are those of the domain."""

    def chunks(
        self,
        parameters: Mapping[str, JsonValue],
        messages: Messages,
        *,
        visible: Callable[[], bool],
    ) -> AsyncGenerator[ChatChunk, None]:
        """Yield the chunks of one completion; what follows the first `visible` text may gather."""
        ...

    async def prepare(self) -> None:
        """Load what makes a first call slow."""
        ...

    async def aclose(self) -> None:
        """Free the connections."""
        ...


class ProviderChatModel:
    """A `ChatModel` that makes one attempt at one provider.

    A provider that answers 400 to a request with optional parameters (`response_format`,
    `stream_options`) is asked once more with plainer ones, and at last without any; what helped
    is where later requests to that model begin. One that
    finds the prompt too long is asked once more with half of it, and its limit is learned.
    """

    def __init__(
        self,
        name: str,
        provider: Provider,
        source: ChunkSource,
        timing: Timing,
        limits: BreakerLimits | None = None,
    ) -> None:
        """`name` is what the ledger shows; `limits` are those of the breakers."""
        self._breakers = Breakers(name, limits or BreakerLimits(), timing.monotonic)
        self._name = name
        self._provider = provider
        self._source = source
        self._timing = timing
        self._plainer: dict[str, int] = {}
        """By model, how many plainer ways there are than the one it took; where it refused one."""
        self._budgets = TokenBudgets(provider)

    async def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncGenerator[str, None]:
        """Yield the pieces of one attempt; see `ChatModel.stream`.

        Raises:
            ModelUnavailable: Also without any attempt, with `MODEL_PAUSED`, while the model pauses.
        """
        with self._breakers.guard(self._model_of(request)):
            variant = self._first_way(request)
            while True:
                try:
                    async with aclosing(self._attempt(request, variant, calls, visible)) as pieces:
                        async for piece in pieces:
                            self._learn(request, variant)
                            yield piece
                        return
                except HeartRuleError as error:
                    following = variant.after(error, tokens=calls[-1].estimated_tokens)
                    if following is None:
                        raise
                    variant = following

    def _learn(self, request: ChatRequest, variant: RequestVariant) -> None:
        """Keep what made an answer possible; a prompt as long as others before was not too long."""
        budget = self._budgets.of(self._model_of(request))
        if variant.suspected and not budget.has_taken(variant.suspected):
            budget.learn_prompt(variant.most_tokens)
        elif variant.refused and not variant.most_tokens:
            self._plainer[self._model_of(request)] = len(variant.plainer)

    def _model_of(self, request: ChatRequest) -> str:
        return self._provider.models.answering(request.model, request.purpose)

    async def prepare(self) -> None:
        """Load what makes a first call slow, without a call."""
        await self._source.prepare()
        await self._budgets.prepare()

    async def aclose(self) -> None:
        """Free the connections."""
        await self._source.aclose()

    def _first_way(self, request: ChatRequest) -> RequestVariant:
        """Return the request with the parameters that the profile allows and the model took."""
        profile = self._provider.profile
        usage: Parameters = {"stream_options": {"include_usage": True}}
        ways: list[Parameters] = []
        format_ = ResponseFormat.NONE if request.is_free else profile.response_format
        for kind in plainer_formats(format_):
            options = response_format(kind, request.reply_fields, quotes=request.quotes)
            options |= usage if profile.stream_usage else {}
            if options and options not in ways:
                ways.append(options)
        ways.append({})
        left = self._plainer.get(self._model_of(request), len(ways))
        first, *plainer = ways[-left - 1 :]
        return RequestVariant(options=first, plainer=tuple(plainer))

    async def _attempt(
        self,
        request: ChatRequest,
        variant: RequestVariant,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncGenerator[str, None]:
        model = self._model_of(request)
        budget = self._budgets.of(model)
        own = own_parameters(request, self._provider.parameters)
        asked = budget.limits.asked(own)
        config: Parameters = {**own, **asked, **variant.options}
        most_bytes = max(budget.limits.max_output_tokens * _BYTES_PER_TOKEN, _LEAST_CUT_BYTES)
        prompt = budget.fit(request, most_tokens=variant.most_tokens)
        sent = self._read_by_provider(prompt.messages, request)
        messages = json_messages(sent)
        start = LLMDebugInfo(
            call_id="",
            purpose=request.purpose,
            prompt_type=request.prompt_type,
            provider=self._name,
            model=model,
            input=messages.json.decode(),
            output="",
            config=config,
            template_hash=request.template_hash,
            budget_tokens=budget.limits.prompt_tokens,
            estimated_tokens=prompt.tokens,
            cuts=prompt.cuts,
            create_time=self._timing.now(),
        )
        record = CallRecord(start, self._timing)
        record.error = "CANCELLED"
        joiner, thoughts = SurrogateJoiner(), ThoughtFilter()
        try:
            source = self._source.chunks({"model": model, **config}, messages, visible=visible)
            async with aclosing(source) as chunks:
                async for chunk in chunks:
                    text = thoughts.feed(joiner.join(chunk.text))
                    record.take(chunk, text)
                    if record.size > most_bytes:
                        record.finish_reason = _TOO_LONG
                        break
                    if text:
                        yield text
            if rest := thoughts.finish():
                record.take(ChatChunk(), rest)
                yield rest
            self._check_end(record)
            record.error = ""
            budget.note_answer(prompt.tokens)
        except HeartRuleError as error:
            record.error = _described(error)
            if visible():
                raise _as_cut(error, provider=self._name) from error
            if isinstance(error, PromptTooLong):
                budget.note_refusal(sent, error, asked=max(asked.values(), default=0))
            raise
        finally:
            call = record.info(thought_chars=thoughts.dropped)
            budget.note_usage(sent, call.prompt_tokens)
            calls.append(call)

    def _read_by_provider(
        self, messages: tuple[ChatMessage, ...], request: ChatRequest
    ) -> tuple[ChatMessage, ...]:
        """Return the messages as this provider gets them: with the task card or without."""
        if self._provider.kind is ProviderKind.REHEARSAL:
            return with_task_card(messages, request.card)
        return messages

    def _check_end(self, record: CallRecord) -> None:
        """Raise unless the finish reason is `stop`."""
        reason = record.finish_reason
        if reason == _STOP:
            return
        failed: ModelUnavailable
        if reason:
            failed = failures.cut(failures.STOPPED_EARLY, provider=self._name, finish_reason=reason)
        else:
            failed = failures.unavailable(failures.STREAM_CUT, provider=self._name)
        failed.details = ModelFailureDetails(
            cause=_cause_of_end(record),
            provider=self._name,
            base_url=shown_url(self._provider.base_url),
            model=record.model,
        )
        raise failed


def _cause_of_end(record: CallRecord) -> ModelFailureCause:
    """Return why a reply is not whole that ended by itself."""
    if record.finish_reason == _FILTERED:
        return ModelFailureCause.CONTENT
    return ModelFailureCause.CUT if record.size else ModelFailureCause.EMPTY


def _as_cut(error: HeartRuleError, *, provider: str) -> HeartRuleError:
    cut = failures.cut(
        error.reason, provider=provider, finish_reason=error.metadata.get("finish_reason", "")
    )
    if isinstance(error, ModelUnavailable | ModelRateLimited):
        cut.details = error.details
    return cut


def _described(error: HeartRuleError) -> str:
    details = " ".join(f"{name}={value}" for name, value in sorted(error.metadata.items()))
    return f"{error.reason} {details}".strip()
