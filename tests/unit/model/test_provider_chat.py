"""One attempt: its pieces, its end, its record."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from heartrule.domain.errors import ModelStreamCut, ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model import model_failures as failures
from heartrule.model.chat_events import ChatChunk
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Profile, Provider, ProviderKind
from heartrule.model.response_format import ResponseFormat
from heartrule.model.task_card import task_card
from heartrule.model.timing import Timing
from tests.support.fake_source import FakeSource

REQUEST = ChatRequest(
    purpose=Purpose.MONITOR,
    messages=(ChatMessage(role="user", content="你好"),),
    prompt_type="ai_ask_v1",
    template_hash="abc",
    reply_fields=("EXIT", "content"),
)
STOP = ChatChunk(finish_reason="stop", prompt_tokens=5, completion_tokens=2)
MISUNDERSTOOD = failures.status_failure(400, {}, provider="p", now=datetime.now(UTC))


def ticking() -> Timing:
    ticks = iter(range(1000))
    return Timing(
        monotonic=lambda: next(ticks) / 10, now=lambda: datetime(2026, 11, 21, tzinfo=UTC)
    )


def model_of(source: FakeSource, profile: Profile | None = None) -> ProviderChatModel:
    provider = Provider(
        base_url="http://x",
        models=ModelNames(talk="big", monitor="small"),
        profile=profile or Profile(stream_usage=False),
        parameters={"temperature": 0.5},
    )
    return ProviderChatModel("p", provider, source, ticking())


async def test_only_the_rehearsal_model_is_sent_the_card() -> None:
    """The card ends the last message at a provider of that kind, and is nowhere at another."""
    request = replace(REQUEST, card={"kind": "ai_ask"})
    sent: dict[ProviderKind, object] = {}
    for kind in ProviderKind:
        source = FakeSource([STOP])
        provider = Provider(base_url="http://x", models=ModelNames(talk="m"), kind=kind)
        model = ProviderChatModel("p", provider, source, ticking())
        assert [p async for p in model.stream(request, calls=[], visible=lambda: False)] == []
        sent[kind] = source.asked[0]["messages"]
    card = task_card({"kind": "ai_ask"})
    assert sent == {
        ProviderKind.OPENAI: [{"role": "user", "content": "你好"}],
        ProviderKind.REHEARSAL: [{"role": "user", "content": f"你好\n{card}"}],
    }


async def run(
    model: ProviderChatModel, calls: list[LLMDebugInfo], *, visible: bool = False
) -> list[str]:
    return [p async for p in model.stream(REQUEST, calls=calls, visible=lambda: visible)]


async def test_pieces_and_record() -> None:
    """Pieces come as they are; the record says all about the call."""
    calls: list[LLMDebugInfo] = []
    source = FakeSource([ChatChunk(text="你"), ChatChunk(text="好"), STOP])
    assert await run(model_of(source), calls) == ["你", "好"]
    (call,) = calls
    assert (call.provider, call.model, call.purpose) == ("p", "small", Purpose.MONITOR)
    assert call.input == '[{"role":"user","content":"你好"}]'
    assert (call.output, call.config) == ("你好", {"temperature": 0.5})
    assert (call.prompt_tokens, call.completion_tokens, call.finish_reason) == (5, 2, "stop")
    assert (call.first_token_ms, call.latency_ms, call.error) == (100, 200, "")
    assert (call.prompt_type, call.template_hash) == ("ai_ask_v1", "abc")
    assert call.create_time == datetime(2026, 11, 21, tzinfo=UTC)


async def test_a_prompt_is_fitted_to_its_model() -> None:
    """A prompt that is too long gives way before it is sent; the record shows budget and cuts."""
    long = tuple(
        ChatMessage(role=role, content="长" * 1_000) for role in ("user", "assistant") * 10
    )
    source = FakeSource([STOP])
    calls: list[LLMDebugInfo] = []
    asked = replace(REQUEST, messages=(*long, *REQUEST.messages))
    model = model_of(source)
    assert [p async for p in model.stream(asked, calls=calls, visible=lambda: False)] == []
    (call,) = calls
    assert call.budget_tokens == 8_192 - 1_024
    assert 0 < call.estimated_tokens <= call.budget_tokens
    assert [cut.reason for cut in call.cuts] == ["HISTORY_LEFT_OUT"]


async def test_counts_of_the_provider_correct_estimates() -> None:
    """What a provider counts for one prompt changes how the next one is estimated."""
    calls: list[LLMDebugInfo] = []
    double = replace(STOP, prompt_tokens=2_230)
    model = model_of(FakeSource([double], [double]))
    asked = replace(REQUEST, messages=(ChatMessage(role="user", content="字" * 1_000),))
    for _ in range(2):
        assert [p async for p in model.stream(asked, calls=calls, visible=lambda: False)] == []
    assert [call.estimated_tokens for call in calls] == [1_257, 2_230]


@pytest.mark.parametrize("reason", ["length", "content_filter", "tool_calls"])
async def test_stopped_early(reason: str) -> None:
    """A model that stopped early is cut, shown or not: asking again would end the same."""
    calls: list[LLMDebugInfo] = []
    source = FakeSource([ChatChunk(text="你", finish_reason=reason)])
    with pytest.raises(ModelStreamCut) as caught:
        await run(model_of(source), calls)
    assert caught.value.reason == failures.STOPPED_EARLY
    assert caught.value.metadata["finish_reason"] == calls[0].finish_reason == reason


async def test_too_long() -> None:
    """A reply far beyond what is kept free for it ends as cut, and its source is closed."""
    piece = ChatChunk(text="长" * 1000)
    calls: list[LLMDebugInfo] = []
    source = FakeSource([piece] * 400)
    with pytest.raises(ModelStreamCut):
        await run(model_of(source), calls)
    assert source.closed == 1
    assert calls[0].finish_reason == "too_long"
    assert 32_000 < len(calls[0].output.encode()) <= 32 * 1024 + 3000


async def test_a_model_that_may_write_more_is_cut_later() -> None:
    """Eight bytes a token are more than any language takes."""
    calls: list[LLMDebugInfo] = []
    source = FakeSource([ChatChunk(text="长" * 1000)] * 400)
    provider = Provider(
        base_url="http://x",
        models=ModelNames(talk="gpt-128k"),
        parameters={"max_tokens": 16_000},
    )
    with pytest.raises(ModelStreamCut):
        await run(ProviderChatModel("p", provider, source, ticking()), calls)
    assert 128_000 < len(calls[0].output.encode()) <= 128_000 + 3000


async def test_a_request_asks_for_no_more_than_is_kept_free() -> None:
    """Some servers add it to the prompt, and refuse the sum."""
    source = FakeSource([STOP])
    provider = Provider(
        base_url="http://x", models=ModelNames(talk="m-8k"), parameters={"max_tokens": 10_000}
    )
    await run(ProviderChatModel("p", provider, source, ticking()), [])
    assert source.asked[0]["max_tokens"] == 4_096


async def test_end_without_stop() -> None:
    """A stream that just ends is unavailable before, and cut after, something was shown."""
    for visible, kind in ((False, ModelUnavailable), (True, ModelStreamCut)):
        calls: list[LLMDebugInfo] = []
        with pytest.raises(ModelUnavailable) as caught:
            await run(model_of(FakeSource([ChatChunk(text="你")])), calls, visible=visible)
        assert type(caught.value) is kind
        assert caught.value.reason == failures.STREAM_CUT
        assert (calls[0].output, calls[0].error) == ("你", "MODEL_STREAM_CUT provider=p")


async def test_failure_in_mid_stream() -> None:
    """An error of the source becomes a cut once something was shown."""
    broken = failures.unavailable(failures.CONNECTION, provider="p")
    for visible, kind in ((False, ModelUnavailable), (True, ModelStreamCut)):
        with pytest.raises(ModelUnavailable) as caught:
            await run(model_of(FakeSource([ChatChunk(text="你"), broken])), [], visible=visible)
        assert type(caught.value) is kind
        assert caught.value.reason == failures.CONNECTION


async def test_options_of_the_profile() -> None:
    """The profile decides what is asked besides; the record shows it."""
    calls: list[LLMDebugInfo] = []
    source = FakeSource([STOP])
    await run(model_of(source, Profile(response_format=ResponseFormat.JSON_SCHEMA)), calls)
    assert source.asked[0]["stream_options"] == {"include_usage": True}
    assert "json_schema" in str(source.asked[0]["response_format"])
    assert calls[0].config.keys() == {"temperature", "response_format", "stream_options"}


async def test_one_fallback_is_remembered() -> None:
    """A 400 is asked once more without options; where that helps they stay off."""
    ok = [ChatChunk(text="好"), STOP]
    calls: list[LLMDebugInfo] = []
    source = FakeSource([MISUNDERSTOOD], ok, ok)
    model = model_of(source, Profile(response_format=ResponseFormat.JSON_OBJECT))
    assert await run(model, calls) == ["好"]
    assert await run(model, calls) == ["好"]
    assert ["response_format" in asked for asked in source.asked] == [True, False, False]
    assert [call.error for call in calls] == ["MODEL_REJECTED provider=p status=400", "", ""]


async def test_a_model_that_refuses_a_schema_is_asked_for_an_object() -> None:
    """What it took is where the next request begins; another model of the provider is asked."""
    ok = [ChatChunk(text="好"), STOP]
    source = FakeSource([MISUNDERSTOOD], ok, ok, ok)
    model = model_of(source, Profile(response_format=ResponseFormat.JSON_SCHEMA))
    calls: list[LLMDebugInfo] = []
    for request in (REQUEST, REQUEST, replace(REQUEST, purpose=Purpose.TALK)):
        assert [p async for p in model.stream(request, calls=calls, visible=lambda: False)]
    formats = [asked["response_format"]["type"] for asked in source.asked]  # type: ignore[index,call-overload]  # JSON
    assert formats == ["json_schema", "json_object", "json_object", "json_schema"]
    assert all("stream_options" in asked for asked in source.asked)


async def test_a_model_that_refuses_every_format_is_asked_for_none() -> None:
    """One step at a time, and nothing of it again."""
    ok = [ChatChunk(text="好"), STOP]
    source = FakeSource([MISUNDERSTOOD], [MISUNDERSTOOD], ok, ok)
    model = model_of(source, Profile(response_format=ResponseFormat.JSON_SCHEMA))
    for _ in range(2):
        assert await run(model, []) == ["好"]
    assert ["response_format" in asked for asked in source.asked] == [True, True, False, False]


async def test_fallback_that_does_not_help() -> None:
    """A request that is refused without options too is refused, and nothing is remembered."""
    source = FakeSource([MISUNDERSTOOD], [MISUNDERSTOOD], [STOP])
    model = model_of(source, Profile())
    with pytest.raises(ModelUnavailable):
        await run(model, [])
    await run(model, [])
    assert "stream_options" in source.asked[2]


async def test_no_fallback_without_options() -> None:
    """Without options there is nothing to leave out."""
    source = FakeSource([MISUNDERSTOOD], [STOP])
    with pytest.raises(ModelUnavailable):
        await run(model_of(source), [])
    assert len(source.asked) == 1


async def test_abandoned_call_is_recorded() -> None:
    """A reader who leaves ends the call, and the record says so."""
    calls: list[LLMDebugInfo] = []
    source = FakeSource([ChatChunk(text="你"), STOP])
    stream = model_of(source).stream(REQUEST, calls=calls, visible=lambda: False)
    async with aclosing(stream) as pieces:
        assert await anext(pieces) == "你"
    assert source.closed == 1
    assert (calls[0].error, calls[0].output) == ("CANCELLED", "你")


async def test_halves_are_joined_across_chunks() -> None:
    """A character that came in two chunks is one piece."""
    source = FakeSource([ChatChunk(text="\ud83d"), ChatChunk(text="\ude00"), STOP])
    assert await run(model_of(source), []) == ["😀"]


async def test_preparing_and_closing() -> None:
    """Preparing and closing the model reach its source."""
    source = FakeSource()
    model = model_of(source)
    await model.prepare()
    await model.aclose()
    assert (source.prepared, source.closed) == (True, -1)


async def test_a_model_that_keeps_failing_is_not_called() -> None:
    """After five failures in a row the sixth request makes no attempt."""
    broken = failures.unavailable(failures.STREAM_CUT, provider="p")
    source = FakeSource(*[[broken]] * 5)
    model = model_of(source)
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await run(model, [])
    calls: list[LLMDebugInfo] = []
    with pytest.raises(ModelUnavailable) as caught:
        await run(model, calls)
    assert (caught.value.reason, len(source.asked), calls) == (failures.PAUSED, 5, [])
