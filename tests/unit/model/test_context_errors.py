"""What providers say of a prompt that is too long, as they say it."""

from __future__ import annotations

import json

import pytest

from heartrule.model.context_errors import ContextExceeded, context_exceeded, is_about_content


def told(message: str, **fields: object) -> bytes:
    """Return the body of OpenAI's form."""
    return json.dumps({"error": {"message": message, **fields}}).encode()


OPENAI = (
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 "
    "tokens. Please reduce the length of the messages."
)
VLLM = (
    "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens "
    "(9591 in the messages, 10000 in the completion). Please reduce the length of the messages."
)
ANTHROPIC = "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease"
GOOGLE = "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."
TOGETHER = "The input (210000 tokens) is longer than the model's context length (200000 tokens)."
NEWER_VLLM = (
    "This model's maximum context length is 8192 tokens. However, your request has 9,427 input "
    "tokens. Please reduce the length of the input messages."
)
BY_THE_MINUTE = (
    "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, "
    "Requested 43215. The input or output tokens must be reduced in order to run successfully."
)
SILICONFLOW = b'{"message":"prompt_tokens (40000) must be less than max_seq_len (32768)"}'
TGI = (
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 "
    "`max_new_tokens`"
)
XAI = "maximum prompt length is 131072 but the request contains 537812 tokens"
CASES = {
    "openai": (told(OPENAI, code="context_length_exceeded"), 4097, 6988),
    "openai's code alone": (told("no", code="context_length_exceeded"), 0, 0),
    "openai's long string": (told("string too long", code="string_above_max_length"), 0, 0),
    "gpt-5": (told("Your input exceeds the context window of this model."), 0, 0),
    "vllm": (json.dumps({"object": "error", "message": VLLM, "code": 400}).encode(), 16384, 9591),
    "vllm, newer": (
        told(NEWER_VLLM),
        8192,
        9427,
    ),
    "anthropic": (told("prompt is too long: 209353 tokens > 199999 maximum"), 199999, 209353),
    "anthropic, with the reply": (told(ANTHROPIC), 200000, 178959),
    "llama.cpp": (
        told("the request exceeds the available context size", n_prompt_tokens=14429, n_ctx=8192),
        8192,
        14429,
    ),
    "llama.cpp, newer": (
        told("request (9412 tokens) exceeds the available context size (8192 tokens)"), 8192, 9412,
    ),
    "llama-cpp-python": (told("Requested tokens (2285) exceed context window of 2048"), 2048, 0),
    "ollama": (told("prompt too long; exceeded max context length by 4 tokens"), 0, 0),
    "ollama, embedding": (b'{"error":"the input length exceeds the context length"}', 0, 0),
    "lm studio": (told("initial prompt is greater than the context length"), 0, 0),
    "deepseek": (told(VLLM, code="invalid_request_error", param=None), 16384, 9591),
    "qwen": (told("InvalidParameter: Range of input length should be [1, 129024]"), 129024, 0),
    "glm": (told("Prompt exceeds max length", code="1261"), 0, 0),
    "glm, in Chinese": (told("Prompt 超长", code="1261"), 0, 0),
    "kimi": (told("Your request exceeded model token limit: 8192 (requested: 9000)"), 8192, 9000),
    "minimax": (told("invalid params, context window exceeds limit (2013)"), 0, 0),
    "doubao": (told("Total tokens of image and text exceed max message tokens."), 0, 0),
    "siliconflow": (SILICONFLOW, 32768, 0),
    "google": (told(GOOGLE), 1048575, 1196265),
    "together": (told(TOGETHER), 200000, 0),
    "mistral": (told("Prompt too large for model with 32768 maximum context length"), 32768, 0),
    "xai": (told(XAI), 131072, 537812),
    "openai, by the minute": (told(BY_THE_MINUTE, code="rate_limit_exceeded"), 30000, 0),
    "no JSON": (b"Input is too long for requested model.", 0, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_prompt_that_is_too_long_is_recognised(name: str) -> None:
    """By its code or its words; with the limit and the prompt's tokens where they are named."""
    body, limit, prompt_tokens = CASES[name]
    found = context_exceeded(body)
    assert found is not None
    assert (found.limit, found.prompt_tokens) == (limit, prompt_tokens)


@pytest.mark.parametrize(
    ("message", "completion_tokens"),
    [
        (VLLM, 10_000),
        (VLLM.replace("messages, 10000 in", "prompt; 2,000 for"), 2_000),
        (ANTHROPIC, 64_000),
        (TGI, 2_000),
        (OPENAI, 0),
    ],
)
def test_the_tokens_asked_for_the_reply(message: str, completion_tokens: int) -> None:
    """Where they are named, they count against the limit too."""
    found = context_exceeded(told(message))
    assert found is not None
    assert found.completion_tokens == completion_tokens


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[" * 5_000,
        told("Invalid value for 'response_format'", code="invalid_value"),
        told("The model `x` does not exist", code="model_not_found"),
        told("Range of max_tokens should be [1, 8192]"),
        told("Rate limit reached: too many tokens per minute", code="rate_limit_exceeded"),
    ],
)
def test_other_errors_are_none(body: bytes) -> None:
    """Nothing that has another remedy is taken for a long prompt."""
    assert context_exceeded(body) is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (told("The response was filtered", code="content_filter"), True),
        (told("Content Exists Risk", code="invalid_request_error"), True),
        (
            told("Input may be inappropriate content.", code="data_inspection_failed"),
            True,
        ),
        (told("系统检测到输入内容可能包含不安全或敏感内容", code="1301"), True),
        (told(OPENAI, code="context_length_exceeded"), False),
        (told("Invalid value for 'response_format'", code="invalid_value"), False),
        (b"", False),
    ],
)
def test_a_refusal_of_what_a_prompt_says(body: bytes, *, expected: bool) -> None:
    """A provider's own rules about content are told from its limits."""
    assert is_about_content(body) is expected


def test_a_server_that_repeats_the_request_is_not_read_to_the_end() -> None:
    """What a client typed may stand in an error, and says nothing about the model."""
    assert context_exceeded(b'{"error":"no' + b" " * 5_000 + b'context_length_exceeded"}') is None


def test_a_limit_no_model_has_counts_as_not_said() -> None:
    """The error is recognised all the same."""
    body = told(f"maximum context length is {10**30} tokens")
    assert context_exceeded(body) == ContextExceeded()
