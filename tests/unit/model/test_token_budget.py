"""Budgets that learn from what providers count."""

from __future__ import annotations

import pytest

from heartrule.domain.errors import PromptTooLong
from heartrule.domain.model_call import Purpose
from heartrule.model.model_limits import StatedLimits, model_limits
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.providers import ModelNames, Provider, ProviderKind
from heartrule.model.token_budget import TokenBudget, TokenBudgets

PROMPT = (ChatMessage(role="user", content="字" * 800),)
ESTIMATE = 1_007


def budget(context_tokens: int = 8_000) -> TokenBudget:
    """Return the budget of a model with that context."""
    return TokenBudget(model_limits("m", StatedLimits(context_tokens=context_tokens)))


def test_more_tokens_are_believed_at_once() -> None:
    """A model that counts more than estimated corrects all estimates with one call."""
    model = budget()
    model.note_usage(PROMPT, 2 * ESTIMATE)
    assert model.count("字" * 800) == pytest.approx(2_000, rel=0.01)


def test_fewer_tokens_are_believed_slowly() -> None:
    """A model that counts less lets the prompts grow step by step."""
    model = budget()
    seen = []
    for _ in range(30):
        model.note_usage(PROMPT, ESTIMATE // 2)
        seen.append(model.count("字" * 800) / 1_000)
    assert seen == sorted(seen, reverse=True)
    assert (seen[0] > 0.85, seen[-1] < 0.51) == (True, True)


@pytest.mark.parametrize(("reported", "factor"), [(1, 0.88), (10**9, 2.5), (0, 1.0)])
def test_nonsense_is_bounded(reported: int, factor: float) -> None:
    """A count that cannot be true moves an estimate within bounds; none moves nothing."""
    model = budget()
    model.note_usage(PROMPT, reported)
    assert model.count("字" * 800) == pytest.approx(1_000 * factor, rel=0.1)


def test_each_script_is_corrected_by_its_own() -> None:
    """What a model needs for one script changes the estimates of another one less and less."""
    model = budget()
    english = (ChatMessage(role="user", content="sleepless " * 300),)
    before = model.count("sleepless " * 300)
    for _ in range(30):
        model.note_usage(PROMPT, ESTIMATE // 2)
        model.note_usage(english, before)
    assert model.count("字" * 800) == pytest.approx(500, rel=0.02)
    assert model.count("sleepless " * 300) == pytest.approx(before, rel=0.02)


def test_a_learned_limit_only_shrinks() -> None:
    """A refused prompt lowers the limit, and nothing raises it."""
    model = budget()
    model.learn_limit(4_000)
    model.learn_limit(6_000)
    assert model.limits.context_tokens == 4_000


def refusal(**said: int) -> PromptTooLong:
    """Return the error of a prompt that was too long."""
    metadata = {name: str(number) for name, number in said.items()}
    return PromptTooLong("too long", reason="MODEL_CONTEXT_EXCEEDED", metadata=metadata)


def test_a_refusal_that_names_the_limit_sets_it() -> None:
    """An estimate that was below what the provider counted is corrected with it."""
    model = budget()
    model.note_refusal(PROMPT, refusal(limit_tokens=1_500, prompt_tokens=2 * ESTIMATE))
    assert model.limits.context_tokens == 1_500
    assert model.count("字" * 800) == pytest.approx(2_000, rel=0.01)


def test_a_limit_that_the_estimate_was_below_raises_the_estimates() -> None:
    """The prompt had at least as many tokens as the model takes."""
    model = budget(2 * ESTIMATE)
    model.note_refusal(PROMPT, refusal(limit_tokens=2 * ESTIMATE))
    assert model.limits.context_tokens == 2 * ESTIMATE
    assert model.count("字" * 800) == pytest.approx(2_000, rel=0.01)


def test_a_refusal_without_a_number_halves_the_prompt() -> None:
    """Prompts have half of what was refused from then on, less what estimates may be wrong by."""
    model = budget(100_000)
    long = tuple(ChatMessage(role="user", content="字" * 8_000) for _ in range(4))
    model.note_refusal(long, refusal())
    assert model.limits.prompt_tokens == pytest.approx(16_000, rel=0.01)


def test_a_refusal_within_the_limit_halves_the_prompt() -> None:
    """Where a server has less room than its limit says, the next prompt is shorter all the same."""
    model = budget(60_000)
    model.note_refusal(PROMPT * 40, refusal(limit_tokens=60_000, prompt_tokens=40 * ESTIMATE))
    assert model.limits.prompt_tokens < 20 * ESTIMATE


def test_a_limit_that_counts_the_reply_leaves_the_rest_to_the_prompt() -> None:
    """The sum was too much, not the prompt: no more is learned than the limit."""
    model = TokenBudget(
        model_limits("m", StatedLimits(context_tokens=32_768), parameters={"max_tokens": 10_000})
    )
    said = {"limit_tokens": 16_384, "prompt_tokens": 9_591, "completion_tokens": 10_000}
    model.note_refusal(PROMPT * 9, refusal(**said), asked=10_000)
    assert (model.limits.context_tokens, model.limits.prompt_tokens) == (16_384, 8_192)


def test_a_reply_that_was_asked_for_counts_where_the_server_does_not_name_it() -> None:
    """Nor are estimates raised to a limit that the prompt alone did not reach."""
    model = budget(32_768)
    before = model.count("字" * 800)
    model.note_refusal(PROMPT * 9, refusal(limit_tokens=16_384), asked=14_000)
    assert (model.limits.prompt_tokens, model.count("字" * 800)) == (8_192, before)


def test_a_reply_that_a_server_keeps_free_by_itself_is_learned() -> None:
    """Nothing we send makes it less: prompts have what is left."""
    model = budget(8_192)
    said = {"limit_tokens": 8_192, "prompt_tokens": 4_000, "completion_tokens": 6_000}
    model.note_refusal(PROMPT * 4, refusal(**said))
    assert model.limits.prompt_tokens == 2_192


def test_no_server_takes_a_prompt_its_words() -> None:
    """A limit below what any model has is not believed."""
    model = budget()
    model.note_refusal(PROMPT, refusal(limit_tokens=3))
    assert model.limits.context_tokens == 1_024


def test_a_share_of_the_budget() -> None:
    """A prompt can be fitted into fewer tokens than the model takes, and never into more."""
    old, new = (ChatMessage(role=r, content="字" * 2_600) for r in ("user", "assistant"))
    asked = ChatRequest(
        purpose=Purpose.TALK, messages=(*PROMPT, old, new), prompt_type="", template_hash=""
    )
    whole, half = budget().fit(asked), budget().fit(asked, most_tokens=3_500)
    assert 3_500 < whole.tokens <= 7_000
    assert half.tokens <= 3_500
    assert budget().fit(asked, most_tokens=90_000).tokens == whole.tokens


def test_each_model_has_its_own() -> None:
    """The models of a provider have budgets of their own, as the file states them."""
    provider = Provider(
        base_url="http://localhost/v1",
        models=ModelNames(talk="large", monitor="small"),
        context_tokens=32_000,
        limits={"small": StatedLimits(context_tokens=4_000)},
    )
    budgets = TokenBudgets(provider)
    assert budgets.of("large").limits.context_tokens == 32_000
    assert budgets.of("small").limits.context_tokens == 4_000
    assert budgets.of("small") is budgets.of("small")


def test_the_rehearsal_model_takes_any_prompt() -> None:
    """What answers by fixed rules has no context to be exceeded."""
    provider = Provider(
        base_url="http://localhost/v1",
        kind=ProviderKind.REHEARSAL,
        models=ModelNames(talk="heartrule-rehearsal"),
    )
    assert provider.limits_of("heartrule-rehearsal").prompt_tokens > 1_000_000
