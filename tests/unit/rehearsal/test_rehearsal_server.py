"""The OpenAI protocol of the rehearsal model, without a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.rehearsal_server import (
    PACE_VARIABLE,
    RehearsalCompletion,
    complete,
    error_body,
    frames,
    models_body,
    pace_from_environment,
    pieces,
    whole_body,
)
from heartrule.model.rehearsal.task import Refusal
from heartrule.model.task_card import task_card

CARD = task_card({"kind": "ai_ask", "stage": "opening", "task": "你好吗？😀"})


def body(content: object = CARD, **more: JsonValue) -> bytes:
    """Return the body of a request with one user message."""
    return json.dumps({"messages": [{"role": "user", "content": content}], **more}).encode()


def completed(request: bytes) -> RehearsalCompletion:
    """Return the answer, which must be there."""
    result = complete(request)
    assert isinstance(result, RehearsalCompletion)
    return result


def events(completion: RehearsalCompletion) -> list[dict[str, Any]]:
    """Return the streamed events before `[DONE]`."""
    lines = [frame.decode().removeprefix("data: ").rstrip("\n") for frame in frames(completion)]
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines]


def test_whole_answer() -> None:
    """Without streaming the reply is one message that stopped by itself."""
    answer = json.loads(whole_body(completed(body(model="m", temperature=0.3))))
    choice = answer["choices"][0]
    assert (answer["model"], choice["finish_reason"]) == ("m", "stop")
    assert json.loads(choice["message"]["content"])["content"] == "你好吗？😀"


def test_stream_equals_the_whole() -> None:
    """The streamed pieces join to the same text, and the last one says stop."""
    completion = completed(body(stream=True))
    choices = [event["choices"][0] for event in events(completion)]
    assert "".join(c["delta"].get("content", "") for c in choices) == completion.text
    assert [c["finish_reason"] for c in choices if c["finish_reason"]] == ["stop"]


def test_usage_is_streamed_when_asked_for() -> None:
    """Usage comes last in a stream, with no choices, only if wanted."""
    wanted: JsonValue = {"include_usage": True}
    last = events(completed(body(stream=True, stream_options=wanted)))[-1]
    assert (last["choices"], last["usage"]["completion_tokens"] > 0) == ([], True)
    assert "usage" not in events(completed(body(stream=True)))[-1]


def test_content_parts_are_joined() -> None:
    """A message made of parts is read like plain text."""
    parts = [{"type": "text", "text": CARD[:20]}, {"type": "text", "text": CARD[20:]}]
    assert completed(body(parts)).text == completed(body()).text


@pytest.mark.parametrize("request_body", [b"", b"[]", b"{", b'{"messages": 1}', body(7)])
def test_bad_request(request_body: bytes) -> None:
    """What is no chat request is refused by name of the field."""
    refused = complete(request_body)
    assert isinstance(refused, Refusal)
    assert refused.code == "invalid_request"


def test_refusal_in_the_form_clients_read() -> None:
    """A prompt without a card gives OpenAI's error object."""
    refused = complete(body("你好"))
    assert isinstance(refused, Refusal)
    error = json.loads(error_body(refused))["error"]
    assert (error["type"], error["code"]) == ("invalid_request_error", "no_task_card")


def test_pieces_are_few_and_whole() -> None:
    """A text is cut the same way each time, and a long one not into too many pieces."""
    assert pieces("一二三四五") == ["一二三四", "五"]
    assert len(pieces("字" * 1_000_000)) <= 8192


def test_models() -> None:
    """The server names its one model."""
    assert [m["id"] for m in json.loads(models_body())["data"]] == ["heartrule-rehearsal"]


@pytest.mark.parametrize(("text", "seconds"), [("", 0.0), ("0", 0.0), (" 20 ", 0.02)])
def test_pace(text: str, seconds: float) -> None:
    """The pace is read in milliseconds; nothing set means instant."""
    assert pace_from_environment({PACE_VARIABLE: text}) == seconds
    assert pace_from_environment({}) == 0.0


@pytest.mark.parametrize("text", ["-1", "fast", "1.5", "60001"])
def test_bad_pace(text: str) -> None:
    """A pace that is no number of milliseconds is an error that names the variable."""
    with pytest.raises(InvalidRequest, match=PACE_VARIABLE):
        pace_from_environment({PACE_VARIABLE: text})
