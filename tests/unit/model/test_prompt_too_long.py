"""A provider that finds a prompt too long: half of it, a learned limit, or the next provider."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import ModelUnavailable, PromptTooLong
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model import model_failures as failures
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Profile, Provider, RetryLimits
from heartrule.model.timing import Timing
from tests.support.strict_model import StrictServer

NAMED = b'{"error":{"message":"maximum context length is 5000 tokens"}}'
UNKNOWN = b'{"error":"no"}'
CONTENT = b'{"error":{"message":"Content Exists Risk"}}'
TALK = tuple(
    ChatMessage(role=role, content="我昨晚又没有睡好。" * 40) for role in ("user", "assistant") * 20
)
REQUEST = ChatRequest(
    purpose=Purpose.TALK,
    messages=(ChatMessage(role="system", content="听"), *TALK),
    prompt_type="t",
    template_hash="h",
)


def model_over(*servers: StrictServer, context: int | None = 32_000) -> FallbackChatModel:
    """Return a model that asks these servers in turn, each with the context that is stated."""
    models = [
        ProviderChatModel(
            f"p{number}",
            Provider(
                base_url="http://x",
                models=ModelNames(talk="m"),
                profile=Profile(stream_usage=False),
                context_tokens=context,
            ),
            server,
            Timing(),
        )
        for number, server in enumerate(servers)
    ]
    return FallbackChatModel(models, RetryLimits(base_delay_s=0.001), Timing())


async def ask(model: FallbackChatModel) -> list[LLMDebugInfo]:
    """Ask once, and return the records of all attempts."""
    calls: list[LLMDebugInfo] = []
    async for _ in model.stream(REQUEST, calls=calls, visible=lambda: False):
        pass
    return calls


@pytest.mark.parametrize("says", [StrictServer(0).says, NAMED, UNKNOWN])
async def test_a_model_is_asked_too_long_once_in_a_process(says: bytes) -> None:
    """The call is made again with half of the prompt, and later ones fit from the start."""
    server = StrictServer(9_000, says=says)
    model = model_over(server)
    first = await ask(model)
    for _ in range(5):
        await ask(model)
    assert [bool(call.error) for call in first] == [True, False]
    assert first[1].estimated_tokens <= first[0].estimated_tokens // 2
    assert (server.refused, len(server.prompts)) == (1, 7)


async def test_a_refusal_of_what_was_said_teaches_no_limit() -> None:
    """Half of the prompt may do without what was refused; the next one is as long as before."""
    server = StrictServer(9_000, says=CONTENT)
    model = model_over(server)
    first, _ = await ask(model), await ask(model)
    assert [bool(call.error) for call in first] == [True, False]
    assert "cause=content" in first[0].error
    assert len(server.prompts[2]) == len(server.prompts[0])


async def test_a_prompt_as_long_as_others_was_not_refused_for_its_length() -> None:
    """After a refusal in unknown words a model is asked for as much as it took before."""
    server = StrictServer(90_000, says=UNKNOWN)
    model = model_over(server)
    for context_tokens in (90_000, 9_000, 90_000):
        server.context_tokens = context_tokens
        await ask(model)
    whole, _, half, then = map(len, server.prompts)
    assert (half < whole, then) == (True, whole)


async def test_what_gave_way_is_in_the_record() -> None:
    """The ledger shows both prompts and what was left out of the second."""
    refused, answered = await ask(model_over(StrictServer(9_000)))
    assert refused.error.startswith("MODEL_CONTEXT_EXCEEDED")
    assert "HISTORY_LEFT_OUT" in [each.reason for each in answered.cuts]


async def test_a_prompt_that_half_is_too_long_of_fails_for_good() -> None:
    """Two calls and no more, and an error that no repeat helps."""
    server = StrictServer(50)
    with pytest.raises(PromptTooLong) as caught:
        await ask(model_over(server))
    assert (caught.value.retryable, server.refused) == (False, 2)
    assert caught.value.reason == failures.CONTEXT_EXCEEDED


async def test_the_next_provider_may_take_it() -> None:
    """A model with a larger context gets the whole prompt."""
    small, large = StrictServer(50), StrictServer(90_000)
    await ask(model_over(small, large))
    assert (small.refused, len(large.prompts[0])) == (2, len(REQUEST.messages))


async def test_an_outage_behind_it_may_pass() -> None:
    """Where another provider is down, a repeat is not in vain, whichever was asked first."""
    down = StrictServer(0, down=True)
    for servers in ((StrictServer(50), down), (down, StrictServer(50))):
        with pytest.raises(ModelUnavailable) as caught:
            await ask(model_over(*servers))
        assert caught.value.reason == failures.CONNECTION


async def test_a_short_prompt_that_is_refused_is_not_cut() -> None:
    """A refusal that says nothing of the length of a short prompt has another reason."""
    server = StrictServer(0, says=UNKNOWN)
    short = ChatRequest(purpose=Purpose.TALK, messages=TALK[:3], prompt_type="t", template_hash="h")
    with pytest.raises(ModelUnavailable) as caught:
        async for _ in model_over(server).stream(short, calls=[], visible=lambda: False):
            pass
    assert (caught.value.reason, server.refused) == (failures.REJECTED, 1)
