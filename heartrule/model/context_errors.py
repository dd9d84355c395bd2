"""What a provider says of a prompt too long or refused, of an account, or of a model's name.

There is no common form: each server has its code and its words, and most name the limit in them.
The tables below have those of OpenAI and Azure, and of the servers that speak OpenAI's protocol.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from heartrule.domain.json_value import JsonValue

# Of an error only this much is read: some servers repeat the whole request in it.
MOST_READ = 4_000
_NUMBER = r"(?P<limit>\d[\d,]*)"
# One pattern for each wording; `limit` is what the model takes, where the wording names it.
_WORDINGS = (
    # OpenAI, Azure, DeepSeek, vLLM, OpenRouter; the codes of OpenAI, Groq, llama-cpp-python
    rf"maximum context length (?:is|of) {_NUMBER}",
    r"context[_ ]length[_ ]exceeded",
    r"string_above_max_length",
    r"exceeds the context window",
    r"reduce the length of the (?:input )?(?:messages|prompt)",
    # Anthropic, and gateways to it
    rf"prompt is too long: [\d,]+ tokens > {_NUMBER}",
    rf"exceed context limit: [\d,]+ \+ [\d,]+ > {_NUMBER}",
    r"prompt is too long|input is too long",
    # llama.cpp, llama-cpp-python
    rf"\"n_ctx\": ?{_NUMBER}",
    rf"exceeds the available context size \({_NUMBER}",
    r"exceed_context_size|exceeds the available context size",
    rf"exceed context window of {_NUMBER}",
    # Ollama, LM Studio
    r"exceed(?:s|ed) (?:the |max |maximum )?context length",
    r"greater than the context length",
    # Qwen by DashScope
    rf"range of input length should be \[\d+, ?{_NUMBER}",
    r"token length exceed model limit",
    # GLM by Zhipu
    r"\"code\": ?\"?1261\b|prompt exceeds max length|prompt ?超长",
    # Kimi, MiniMax, Doubao, SiliconFlow, Qianfan
    rf"exceeded model token limit: {_NUMBER}",
    r"exceeded model token limit|context window exceeds limit|exceed max message tokens",
    rf"must be less than max_seq_len \({_NUMBER}",
    r"prompt tokens too long|tokens_too_long",
    # SGLang, Together; Mistral; xAI; Google; TGI
    rf"longer than the model's context length \({_NUMBER}",
    rf"too large for model with {_NUMBER} maximum context length",
    rf"maximum prompt length is {_NUMBER}",
    rf"exceeds the maximum number of tokens allowed \({_NUMBER}",
    rf"`inputs` tokens \+ `max_new_tokens` must be <= {_NUMBER}",
    # OpenAI, Groq: one request has more tokens than an account may send in a minute
    rf"request too large for .{{1,200}}?: limit {_NUMBER}, requested",
)
# A refusal for what a prompt says, not for its length.
_CONTENT = re.compile(
    # OpenAI, Azure, Kimi; DeepSeek; Qwen; GLM; Doubao; MiniMax
    r"content[_ ]?filter|content management policy|content[_ ]policy|usage policy"
    r"|content exists risk|data_?inspection_?failed|inappropriate content"
    r"|\"code\": ?\"?1301\b|敏感内容|sensitive_?content|new_sensitive",
    re.IGNORECASE,
)
# An account is used up; a pause would not help.
_ACCOUNT = re.compile(
    r"insufficient[_ ]?(?:quota|balance|funds)|exceeded your current quota|billing"
    r"|arrear|overdue|余额|欠费|额度",
    re.IGNORECASE,
)
# The provider does not have the model, or not for this key.
_MODEL = re.compile(
    r"model_?not_?(?:found|exist)|InvalidEndpointOrModel"
    r"|model\b.{0,100}(?:does not exist|not found|not exist|is not supported)|模型不存在",
    re.IGNORECASE,
)
_PATTERNS = tuple(re.compile(each, re.IGNORECASE) for each in _WORDINGS)
# How many tokens the prompt had, as the provider counted them.
_COUNTED = re.compile(
    r"resulted in (\d[\d,]*) tokens|\((\d[\d,]*) in the messages|has (\d[\d,]*) input tokens"
    r"|too long: (\d[\d,]*) tokens|\"n_prompt_tokens\": ?(\d+)|request \((\d[\d,]*) tokens\)"
    r"|contains (\d[\d,]*) tokens|requested: (\d[\d,]*)|token count \((\d[\d,]*)\)"
    r"|exceed context limit: (\d[\d,]*) \+",
    re.IGNORECASE,
)
# How many it was to keep free for the reply, which counts against the limit.
_ASKED = re.compile(
    r"(\d[\d,]*) (?:in|for) the completion|exceed context limit: [\d,]+ \+ (\d[\d,]*)"
    r"|tokens and (\d[\d,]*) `max_new_tokens`",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextExceeded:
    """A prompt was longer than its model takes; numbers of 0 were not said."""

    limit: int = 0
    """Tokens the model takes."""
    prompt_tokens: int = 0
    """Tokens the prompt had."""
    completion_tokens: int = 0
    """Tokens that the request asked for the reply."""


def context_exceeded(error: bytes | JsonValue) -> ContextExceeded | None:
    """Return what an error says of the model's limit; None where it speaks of something else.

    Args:
        error: The body of a response, or the error in an event.
    """
    text = _text(error)
    found = [match for pattern in _PATTERNS if (match := pattern.search(text))]
    if not found:
        return None
    named = (match.groupdict().get("limit") for match in found)
    return ContextExceeded(
        limit=next((_whole(each) for each in named if each), 0),
        prompt_tokens=_first(_COUNTED, text),
        completion_tokens=_first(_ASKED, text),
    )


def is_about_content(error: bytes | JsonValue) -> bool:
    """Return whether an error refuses a prompt for what it says."""
    return _CONTENT.search(_text(error)) is not None


def is_about_account(error: bytes | JsonValue) -> bool:
    """Return whether an error says that the account is used up."""
    return _ACCOUNT.search(_text(error)) is not None


def is_about_model(error: bytes | JsonValue) -> bool:
    """Return whether an error says that there is no such model."""
    return _MODEL.search(_text(error)) is not None


def _text(error: bytes | JsonValue) -> str:
    """Return an error as text, characters that JSON escapes as themselves."""
    value = parsed_body(error[:MOST_READ]) if isinstance(error, bytes) else error
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:MOST_READ]


def parsed_body(body: bytes) -> JsonValue:
    """Return what a body says: JSON where it is that, else its text."""
    try:
        value: JsonValue = json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
    return value


def _first(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return _whole(next(filter(None, found.groups()))) if found else 0


def _whole(digits: str) -> int:
    """Return a number as servers write it; one that no model has counts as not said."""
    number = int(digits.replace(",", "")[:12])
    return number if number < 2**31 else 0
