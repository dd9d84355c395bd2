"""Checks requests and converts them to domain values.

Each function names every field that is wrong in one InvalidRequest, by its path in the contract.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias
from unicodedata import category

from heartrule.domain.conversation import Audience, Feature, UserInput
from heartrule.domain.events import DraftPosition
from heartrule.domain.json_value import JsonValue
from heartrule.domain.request_limits import LARGEST_INPUT, LARGEST_MEDIA, LARGEST_PAGE, MOST_PARTS
from heartrule.v1 import conversation_pb2, event_pb2, feature_pb2, message_pb2, session_pb2
from heartrule.wire.enums import known, members
from heartrule.wire.form_limit import check_forms
from heartrule.wire.inbound import Reading, check_name, check_text
from heartrule.wire.json_values import read_struct
from heartrule.wire.message_mapping import read_message, refuse

DEFAULT_PAGE = 50
TRACEPARENT = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")

# The requests that begin a stream; the fields they share have the same names and numbers.
StreamRequest: TypeAlias = (
    conversation_pb2.OpenConversation
    | conversation_pb2.SendMessageRequest
    | conversation_pb2.WatchSessionRequest
    | session_pb2.InitializeSessionRequest
)

# Unicode's categories of controls, invisible marks and white space, marks that need a letter, and
# letters that show nothing (fillers of Hangul, the empty Braille pattern): a text of these alone is
# blank.
_BLANK = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs", "Mn", "Me"})
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchOptions:
    """Options of one stream of a session (CONTRACT: OpenConversation)."""

    session_id: str
    after_sequence: int | None = None
    """Durable events above this first; None = live only."""
    accepts: frozenset[Feature] = frozenset()
    """What the client can show; values this server does not know are dropped."""
    whole_messages_only: bool = False
    """True: no drafts."""
    audiences: frozenset[Audience] = frozenset({Audience.CLIENT})
    """CLIENT and what was asked for."""


def parse_stream_options(message: StreamRequest, *, at: str = "") -> WatchOptions:
    """Return the options; `at` is the path of the message, such as `open`.

    Raises:
        InvalidRequest: no session is named, `after_sequence` is below 0, an audience is unknown.
    """
    reading = Reading()
    prefix = f"{at}." if at else ""
    check_name(message.session_id, f"{prefix}session_id", reading)
    after = _after_sequence(message)
    if after is not None and after < 0:
        reading.wrong(f"{prefix}after_sequence", "must be 0 or more")
    audiences = _audiences(message.audiences, f"{prefix}audiences", reading)
    refuse(reading)
    return WatchOptions(
        session_id=message.session_id,
        after_sequence=after,
        accepts=known(message.accepts, Feature, feature_pb2.Feature.DESCRIPTOR),
        whole_messages_only=message.whole_messages_only,
        audiences=audiences,
    )


def parse_user_input(message: conversation_pb2.UserInput) -> UserInput:
    """Return the input; everything wrong with it is named at once.

    A traceparent that is none is dropped, as W3C asks: a trace never stops a turn.

    Raises:
        InvalidRequest: a limit of the contract is passed, something required is absent, or an
            enum value is unknown.
    """
    reading = Reading()
    check_forms(message, "input", reading)
    refuse(reading)
    user_input = read_message(message, UserInput, "input.", reading)
    check_input(message, "input.", reading)
    refuse(reading)
    if not user_input.traceparent or TRACEPARENT.fullmatch(user_input.traceparent):
        return user_input
    return replace(user_input, traceparent="")


def unchecked_input(message: conversation_pb2.UserInput) -> UserInput:
    """Return what an input says, whether it may be accepted or not: to be read, never stored."""
    return read_message(message, UserInput, "", Reading(lenient=True))


def parse_interrupt(
    message: conversation_pb2.InterruptTurn | conversation_pb2.InterruptTurnRequest, *, at: str = ""
) -> tuple[str, DraftPosition | None]:
    """Return the turn to stop, and the position in its draft up to which the client received it.

    Raises:
        InvalidRequest: no turn is named, or the place in the draft is none.
    """
    reading, prefix = Reading(), f"{at}." if at else ""
    check_name(message.turn_id, f"{prefix}turn_id", reading)
    heard = None
    if message.HasField("heard"):
        heard = read_message(message.heard, DraftPosition, f"{prefix}heard.", reading)
        check_name(heard.message_id, f"{prefix}heard.message_id", reading)
        if heard.offset < 0:
            reading.wrong(f"{prefix}heard.offset", "must be 0 or more")
    refuse(reading)
    return message.turn_id, heard


def page_size(requested: int, *, at: str = "page_size") -> int:
    """Return how many items a page holds: 50 where 0 was asked for, 500 at most.

    Raises:
        InvalidRequest: it is below 0.
    """
    reading = Reading()
    if requested < 0:
        reading.wrong(at, "must be 0 or more")
    refuse(reading)
    return min(requested or DEFAULT_PAGE, LARGEST_PAGE)


def require(**names: str) -> None:
    """Check names that must be given: `require(session_id=request.session_id)`.

    Raises:
        InvalidRequest: one is empty, longer than 256 bytes or has U+0000 in it.
    """
    reading = Reading()
    for path, value in names.items():
        check_name(value, path, reading)
    refuse(reading)


def allow(**names: str) -> None:
    """Check names that may be empty, such as `request_id`.

    Raises:
        InvalidRequest: one is longer than 256 bytes or has U+0000 in it.
    """
    require(**{path: value for path, value in names.items() if value})


def allow_text(**texts: str) -> None:
    """Check texts that may be empty: `allow_text(text=request.text)`.

    Raises:
        InvalidRequest: one is longer than an input may be, is blank or has U+0000 in it.
    """
    reading = Reading()
    for path, value in texts.items():
        if len(value.encode()) > LARGEST_INPUT:
            reading.wrong(path, f"must have at most {LARGEST_INPUT} bytes")
        elif value and _is_blank(value):
            reading.wrong(path, "must not be blank")
        check_text(value, path, reading)
    refuse(reading)


def _after_sequence(message: StreamRequest) -> int | None:
    """Return the place to resume from, where the request has such a field and it is set."""
    resumable = (conversation_pb2.OpenConversation, conversation_pb2.WatchSessionRequest)
    if isinstance(message, resumable) and message.HasField("after_sequence"):
        return message.after_sequence
    return None


def _audiences(values: Iterable[int], at: str, reading: Reading) -> frozenset[Audience]:
    """Return the audiences asked for, CLIENT always among them."""
    table = members(Audience, event_pb2.Audience.DESCRIPTOR)
    wanted = {Audience.CLIENT}
    for index, value in enumerate(values):
        if value in table:
            wanted.add(table[value])
        else:
            reading.wrong(f"{at}[{index}]", f"unknown value {value}")
    return frozenset(wanted)


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
    if kind in {None, "quick_replies"}:
        reading.wrong(path, "has no content: set one of text, media, form")
    elif kind == "text":
        if _is_blank(part.text):
            reading.wrong(f"{path}.text", "must not be blank")
        check_text(part.text, f"{path}.text", reading)
    elif not part.fallback_text:
        reading.wrong(f"{path}.fallback_text", f"is required beside {kind}")
    if kind == "media":
        _check_media(part.media, f"{path}.media", reading)
    if kind == "form":
        for text in _texts(read_struct(part.form.values)):
            check_text(text, f"{path}.form.values", reading)


def _is_blank(text: str) -> bool:
    """Return whether a person sees nothing in a text."""
    return all(category(char) in _BLANK or char in _BLANK_LETTERS for char in set(text))


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
