"""The limits of one client input (CONTRACT: UserInput, Part, Media)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import category

from heartrule.domain.json_value import JsonValue
from heartrule.v1 import conversation_pb2, message_pb2
from heartrule.wire.inbound import Reading
from heartrule.wire.json_values import read_struct
from heartrule.wire.names import check_name, check_text

LARGEST_INPUT = 1_048_576
"""Bytes of all parts together: texts as UTF-8, forms as compact JSON, media as they are."""
LARGEST_MEDIA = 262_144
"""Bytes of one picture or sound."""
MOST_PARTS = 16
"""A limit of the contract; more parts are sent as a further input."""
_BLANK = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})
"""Unicode's categories of controls, invisible marks and white space."""


def check_input(message: conversation_pb2.UserInput, at: str, reading: Reading) -> None:
    """Note every rule of the contract that the input breaks; `at` ends with a dot."""
    check_name(message.client_message_id, f"{at}client_message_id", reading)
    _check_request(message, f"{at}input_request_id", reading)
    timeout = message.turn_timeout
    if message.HasField("turn_timeout") and (timeout.seconds, timeout.nanos) <= (0, 0):
        reading.wrong(f"{at}turn_timeout", "must be above 0")
    if not 1 <= len(message.parts) <= MOST_PARTS:
        reading.wrong(f"{at}parts", f"must have 1 to {MOST_PARTS} parts, has {len(message.parts)}")
    size = sum(map(_size, message.parts))
    if size > LARGEST_INPUT:
        reading.wrong(f"{at}parts", f"must have at most {LARGEST_INPUT} bytes, has {size}")
        return
    for index, part in enumerate(message.parts[:MOST_PARTS]):
        _check_part(part, f"{at}parts[{index}]", reading)


def _check_request(message: conversation_pb2.UserInput, path: str, reading: Reading) -> None:
    """Note a form that names no request, or a request that no form answers."""
    forms = sum(part.HasField("form") for part in message.parts)
    if forms > 1:
        reading.wrong(f"{path.rpartition('.')[0]}.parts", "must have one form at most")
    if message.input_request_id:
        check_name(message.input_request_id, path, reading)
        if not forms:
            reading.wrong(path, "is for a form; leave it empty where no part is one")
    elif forms:
        reading.wrong(path, "is required beside a form: the request it answers")


def _check_part(part: message_pb2.Part, path: str, reading: Reading) -> None:
    """Note what is wrong with one part."""
    kind = part.WhichOneof("content")
    check_text(part.fallback_text, f"{path}.fallback_text", reading)
    if kind is None:
        reading.wrong(path, "has no content: set one of text, media, form")
    elif kind == "text":
        if all(category(char) in _BLANK for char in part.text):
            reading.wrong(f"{path}.text", "must not be blank")
        check_text(part.text, f"{path}.text", reading)
    elif not part.fallback_text:
        reading.wrong(f"{path}.fallback_text", f"is required beside {kind}")
    if kind == "media":
        _check_media(part.media, f"{path}.media", reading)
    if kind == "form":
        for text in _texts(read_struct(part.form.values)):
            check_text(text, f"{path}.form.values", reading)


def _check_media(media: message_pb2.Media, path: str, reading: Reading) -> None:
    """Note what is wrong with a picture or sound."""
    check_name(media.mime_type, f"{path}.mime_type", reading)
    check_text(media.caption, f"{path}.caption", reading)
    source = media.WhichOneof("source")
    if source is None:
        reading.wrong(path, "has no source: set one of uri, data")
    elif source == "data":
        if not 1 <= len(media.data) <= LARGEST_MEDIA:
            reading.wrong(f"{path}.data", f"must have 1 to {LARGEST_MEDIA} bytes")
    elif not media.uri.startswith("https://"):
        reading.wrong(f"{path}.uri", "must be an https address")
    else:
        check_text(media.uri, f"{path}.uri", reading)


def _size(part: message_pb2.Part) -> int:
    """Return the bytes of a part."""
    size = len(part.fallback_text.encode()) + len(part.text.encode())
    if part.HasField("media"):
        media = part.media
        texts = media.mime_type, media.caption, media.uri
        size += sum(len(text.encode()) for text in texts) + len(media.data)
    if part.HasField("form"):
        compact = json.dumps(
            read_struct(part.form.values), ensure_ascii=False, separators=(",", ":")
        )
        size += len(compact.encode())
    return size


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield every text in a JSON value, the names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield key
            yield from _texts(entry)
    elif isinstance(value, Sequence):
        for entry in value:
            yield from _texts(entry)
