"""What a client may send, and how it is told what is wrong."""

from __future__ import annotations

from datetime import timedelta

import pytest
from google.protobuf.json_format import ParseDict

from heartrule.domain.conversation import FormAnswer, IfBusy, Media, Part, UserInput
from heartrule.domain.errors import InvalidRequest
from heartrule.v1 import conversation_pb2
from heartrule.wire.form_limit import LARGEST_FORM
from heartrule.wire.request_parsing import parse_user_input

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
PICTURE = {"mime_type": "image/png", "uri": "https://example.org/a.png"}
FORM = {"form": {"values": {"phq_1": 3}}, "fallback_text": "3"}
MIB = 1_048_576


def sent(**fields: object) -> conversation_pb2.UserInput:
    whole = {"client_message_id": "c-1", "parts": [{"text": "你好"}], **fields}
    return ParseDict(whole, conversation_pb2.UserInput())


def violations(message: conversation_pb2.UserInput) -> dict[str, str]:
    with pytest.raises(InvalidRequest) as refused:
        parse_user_input(message)
    return {violation.field: violation.description for violation in refused.value.violations}


def test_an_input_is_understood_whole() -> None:
    """Each field arrives where the domain keeps it."""
    message = sent(if_busy="IF_BUSY_QUEUE", turn_timeout="2.5s", traceparent=PARENT)
    assert parse_user_input(message) == UserInput(
        client_message_id="c-1",
        parts=(Part(text="你好"),),
        if_busy=IfBusy.QUEUE,
        turn_timeout=timedelta(seconds=2.5),
        traceparent=PARENT,
    )


def test_a_form_and_a_picture_are_understood() -> None:
    """Parts that are no text come with the text that stands for them."""
    parts = [
        FORM,
        {"media": PICTURE, "fallback_text": "树"},
    ]
    understood = parse_user_input(sent(parts=parts, input_request_id="req_1"))
    assert understood.input_request_id == "req_1"
    assert understood.parts == (
        Part(form=FormAnswer(values={"phq_1": 3}), fallback_text="3"),
        Part(
            media=Media(mime_type="image/png", uri="https://example.org/a.png"), fallback_text="树"
        ),
    )


@pytest.mark.parametrize(
    ("fields", "path", "told"),
    [
        ({"client_message_id": ""}, "client_message_id", "is required"),
        ({"client_message_id": "你" * 86}, "client_message_id", "at most 256 bytes"),
        ({"client_message_id": "a\0"}, "client_message_id", "U+0000"),
        ({"input_request_id": "r"}, "input_request_id", "is for a form"),
        ({"parts": [FORM]}, "input_request_id", "is required beside a form"),
        ({"parts": [FORM, FORM], "input_request_id": "r"}, "parts", "one form at most"),
        ({"turn_timeout": "-1s"}, "turn_timeout", "above 0"),
        ({"turn_timeout": "0s"}, "turn_timeout", "above 0"),
        ({"if_busy": 9}, "if_busy", "unknown value 9"),
        ({"parts": []}, "parts", "1 to 16 parts, has 0"),
        ({"parts": [{"text": "a"}] * 17}, "parts", "1 to 16 parts, has 17"),
        ({"parts": [{"text": "a"}, {}]}, "parts[1]", "has no content"),
        ({"parts": [{"fallback_text": "a"}]}, "parts[0]", "has no content"),
        ({"parts": [{"text": ""}]}, "parts[0].text", "must not be blank"),
        ({"parts": [{"text": " \n\u3000\u200b\t"}]}, "parts[0].text", "must not be blank"),
        ({"parts": [{"text": "\u3164\u2800\ufe0f"}]}, "parts[0].text", "must not be blank"),
        ({"parts": [{"text": "好"}, {"text": " "}]}, "parts[1].text", "must not be blank"),
        ({"parts": [{"text": "a\0b"}]}, "parts[0].text", "U+0000"),
        ({"parts": [{"media": PICTURE}]}, "parts[0].fallback_text", "required beside media"),
        (
            {"parts": [{"form": {"values": {}}}], "input_request_id": "r"},
            "parts[0].fallback_text",
            "required beside form",
        ),
    ],
)
def test_what_is_wrong_is_named(fields: dict[str, object], path: str, told: str) -> None:
    """Each rule of the contract names its field."""
    found = violations(sent(**fields))
    assert list(found) == [f"input.{path}"]
    assert told in found[f"input.{path}"]


@pytest.mark.parametrize(
    ("media", "path", "told"),
    [
        ({**PICTURE, "mime_type": ""}, ".mime_type", "is required"),
        ({**PICTURE, "uri": "http://example.org"}, ".uri", "https"),
        ({**PICTURE, "uri": "https://a\0"}, ".uri", "U+0000"),
        ({"mime_type": "image/png"}, "", "no source"),
        ({"mime_type": "image/png", "data": ""}, ".data", "1 to 262144 bytes"),
    ],
)
def test_what_is_wrong_with_a_picture_is_named(
    media: dict[str, object], path: str, told: str
) -> None:
    """A picture needs a type and exactly one source that can be shown."""
    found = violations(sent(parts=[{"media": media, "fallback_text": "树"}]))
    assert told in found[f"input.parts[0].media{path}"]


def test_a_picture_has_its_own_limit() -> None:
    """262,144 bytes are taken, one more is not."""
    message = sent(parts=[{"media": {"mime_type": "image/png"}, "fallback_text": "树"}])
    message.parts[0].media.data = b"x" * 262_144
    parse_user_input(message)
    message.parts[0].media.data += b"x"
    assert list(violations(message)) == ["input.parts[0].media.data"]


def test_the_whole_input_has_a_limit_in_bytes() -> None:
    """Characters of Chinese count as the three bytes they are."""
    fits = sent(parts=[{"text": "你" * (MIB // 3)}, {"text": "a"}])
    parse_user_input(fits)
    over = sent(parts=[{"text": "你" * (MIB // 3)}, {"text": "ab"}])
    assert violations(over) == {"input.parts": f"must have at most {MIB} bytes, has {MIB + 1}"}


def test_a_form_counts_and_is_searched() -> None:
    """What hides in a form's values is held to the same rules."""
    form = {"form": {"values": {"a": ["b\0", "x" * LARGEST_FORM]}}, "fallback_text": "f"}
    large = sent(parts=[form], input_request_id="r")
    assert violations(large) == {
        "input.parts[0].form.values": f"must have at most {LARGEST_FORM} bytes"
    }
    form = {"form": {"values": {"a": [{"b": "c\0"}]}}, "fallback_text": "f"}
    hidden = sent(parts=[form], input_request_id="r")
    assert list(violations(hidden)) == ["input.parts[0].form.values"]


def test_everything_wrong_is_named_at_once() -> None:
    """A client mends its input in one go."""
    assert set(violations(sent(client_message_id="", parts=[{}], if_busy=9))) == {
        "input.client_message_id",
        "input.parts[0]",
        "input.if_busy",
    }


@pytest.mark.parametrize("parent", ["", "nonsense", PARENT + "-x", PARENT.upper(), "x" * 100_000])
def test_a_traceparent_that_is_none_is_dropped(parent: str) -> None:
    """A trace never stops a turn (W3C)."""
    assert not parse_user_input(sent(traceparent=parent)).traceparent


def test_what_looks_like_a_template_is_text() -> None:
    """Placeholders in a client's words arrive untouched."""
    text = "{{task}} ${x} {%chat%}"
    assert parse_user_input(sent(parts=[{"text": text}])).plain_text() == text
