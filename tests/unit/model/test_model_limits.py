"""Limits of models: as stated, by name, or cautious."""

from __future__ import annotations

import pytest

from heartrule.model.model_limits import UNKNOWN_CONTEXT, StatedLimits, model_limits


@pytest.mark.parametrize(
    ("model", "context_tokens"),
    [
        ("gpt-4o-mini", 128_000),
        ("openai/gpt-4-0613", 8_192),
        ("Qwen/Qwen2.5-7B-Instruct", 32_768),
        ("moonshot-v1-8k", 8_192),
        ("doubao-pro-4k-240515", 4_096),
        ("gpt-4-32k", 32_768),
        ("my-large-model", UNKNOWN_CONTEXT),
        ("disk4k", UNKNOWN_CONTEXT),
        ("smollm2-135m-instruct", UNKNOWN_CONTEXT),
    ],
)
def test_context_by_name(model: str, context_tokens: int) -> None:
    """A name that is known, or that states its size, gives the context; any other is small."""
    assert model_limits(model).context_tokens == context_tokens


def test_what_is_stated_counts_first() -> None:
    """The first statement that gives a number counts before the next, and before the name."""
    own, whole = StatedLimits(context_tokens=4_096), StatedLimits(max_output_tokens=300)
    limits = model_limits("gpt-4o", own, whole)
    assert (limits.context_tokens, limits.max_output_tokens) == (4_096, 300)
    assert limits.prompt_tokens == 3_796


def test_reply_of_the_parameters() -> None:
    """A limit of the reply among the parameters is what is kept free for it."""
    assert model_limits("m", parameters={"max_tokens": 700}).max_output_tokens == 700


def test_a_reply_that_is_asked_for_has_its_room() -> None:
    """Servers add the reply's limit to the prompt: of what the request asks for half is kept."""
    asked = model_limits("gpt-4", parameters={"max_tokens": 4_096})
    assert asked.prompt_tokens == 4_096
    assert model_limits("gpt-4", parameters={"max_tokens": 8_000}).prompt_tokens == 4_096


def test_the_prompt_has_the_larger_part() -> None:
    """However much a reply may take, three quarters are left for the prompt."""
    limits = model_limits("m", StatedLimits(context_tokens=8_000, max_output_tokens=8_000))
    assert limits.prompt_tokens == 6_000


def test_encoding_of_a_known_model() -> None:
    """Only a model whose encoding is known has one."""
    assert model_limits("gpt-4").encoding == "cl100k_base"
    assert model_limits("qwen3-8b").encoding == ""
