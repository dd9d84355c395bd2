"""Request bodies and queries as pydantic models, from which FastAPI documents the API."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from google.protobuf.struct_pb2 import Struct
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainSerializer,
    StringConstraints,
    field_validator,
)
from pydantic.alias_generators import to_camel

from heartrule.domain.labels import MOST_LABELS
from heartrule.domain.notes import LONGEST_NOTE, MOST_NOTES
from heartrule.domain.request_limits import (
    LARGEST_INPUT,
    LARGEST_PAGE,
    LONGEST_NAME,
    MOST_PARTS,
)
from heartrule.wire.json_values import fill_struct

Name = Annotated[str, StringConstraints(max_length=LONGEST_NAME)]
Required = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NAME)]
Audience = Literal["client", "operator", "debug"]
Feature = Literal["form", "picture", "quick_replies"]


def struct_of(values: Mapping[str, JsonValue]) -> Struct:
    """Return free data as the contract has it."""
    struct = Struct()
    fill_struct(values, struct)
    return struct


# `model_dump` gives what the constructor of a message takes.
JsonObject = Annotated[dict[str, JsonValue], PlainSerializer(struct_of, return_type=Any)]

Labels = Annotated[dict[Required, Name], Field(max_length=MOST_LABELS)]
NoteText = Annotated[str, StringConstraints(max_length=LONGEST_NOTE)]
Notes = Annotated[dict[Required, NoteText], Field(max_length=MOST_NOTES)]


class Body(BaseModel):
    """Base of request bodies: lowerCamelCase, unknown fields are refused, frozen."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )


class QueryParameters(Body):
    """Base of queries; parameters that a route does not know are ignored."""

    model_config = ConfigDict(extra="ignore")


class PageQuery(QueryParameters):
    """Which page of a list."""

    page_size: Annotated[int, Field(ge=0, le=LARGEST_PAGE)] = 0
    """Most items to return: 50 where 0, 500 at most."""
    page_token: Name = ""
    """The nextPageToken of the page before."""


class CallsQuery(PageQuery):
    """Which model calls."""

    turn_id: Name = ""
    """Only those of this turn, and of the analyses that judged it."""


class VariablesQuery(PageQuery):
    """Which variables."""

    history_size: Annotated[int, Field(ge=0, le=20)] = 0
    """Most earlier values to return of each."""
    reveal: bool = False
    """True: with the values of sensitive variables, which are `•••` otherwise."""


class VersionQuery(QueryParameters):
    """Which version of a script."""

    version: Name = ""
    """The version; empty: the one published last."""


class ScriptQuery(VersionQuery):
    """Which version of a script, and whether with its files."""

    files: bool = False
    """True: with the text of its files."""


class WatchQuery(QueryParameters):
    """Options of a stream of a session's events."""

    after: Annotated[int, Field(ge=0, le=2**53)] | None = None
    """Events above this sequence first; 0: the whole history; absent: live only. A Last-Event-ID,
    which a browser sends when it connects again, counts instead."""
    audience: tuple[Audience, ...] = ()
    """Audiences besides `client`; may be given several times."""
    accepts: tuple[Feature, ...] = ()
    """What the reader can show; other parts are sent as text. May be given several times."""
    whole_messages_only: bool = False
    """True: no drafts."""


class StartSession(Body):
    """A session to create."""

    script_id: Required
    """The script."""
    script_version: Name = ""
    """The version; empty: the one published last."""
    user_id: Name = ""
    """Opaque name of the user; sessions of one user share global variables."""
    locale: Name = ""
    """BCP 47 language tag; empty: the server's setting."""
    time_zone: Name = ""
    """IANA time zone; empty: the server's setting."""
    request_id: Name = ""
    """Idempotency key: the same key gives the same session."""
    labels: Labels = {}
    """What the operator sorts it by; no model sees them."""
    strategy_engine: bool | None = None
    """Whether a model recommends a strategy for this client; null: as the script decides."""
    imported_state: JsonObject | None = None
    """Variables of another engine's session, as first values."""


class Chat(Body):
    """One message of a client."""

    session_id: Required
    """The session."""
    message: Annotated[str, StringConstraints(min_length=1, max_length=LARGEST_INPUT)]
    """The client's text."""
    client_message_id: Name = ""
    """Idempotency key in the session; empty: one is made. The same key with the same message
    replays the turn, so that a client can repeat a request whose answer was lost."""


class MediaSent(Body):
    """A picture a client sends."""

    mime_type: Required
    """Such as `image/png`."""
    caption: str = ""
    """Its caption."""
    uri: str | None = None
    """Where it is, or"""
    data: str | None = None
    """its bytes in base64, at most 262,144 of them."""

    @field_validator("data")
    @classmethod
    def _base64(cls, value: str | None) -> str | None:
        try:
            base64.b64decode(value or "", validate=True)
        except (binascii.Error, ValueError):
            raise ValueError("must be base64") from None
        return value


class PartSent(Body):
    """One part of an input: exactly one of text, media and form."""

    fallback_text: str = ""
    """Text in place of a part that cannot be shown; required but for text."""
    text: str | None = None
    """Plain text."""
    media: MediaSent | None = None
    """A picture."""
    form: JsonObject | None = None
    """Values of a form by field."""


class SendInput(Body):
    """An input to store; the events of its turn are sent on the session's streams."""

    client_message_id: Name = ""
    """Idempotency key in the session; empty: one is made."""
    text: str = ""
    """The client's text; beside a form, text of its own."""
    form: JsonObject | None = None
    """Values of the form that `inputRequestId` asked for, by field."""
    fallback_text: str = ""
    """The form as text; empty: its values, one a line."""
    input_request_id: Name = ""
    """The request that this answers."""
    parts: Annotated[tuple[PartSent, ...], Field(max_length=MOST_PARTS)] = ()
    """Instead of text and form: the parts of the input."""
    if_busy: Literal["merge", "queue", "interrupt", "restart", "reject"] | None = None
    """How it is handled while a turn runs; null: as the script decides."""


class Replacement(Body):
    """Another config for one action."""

    phase_id: Required
    """The phase."""
    topic_id: Required
    """The topic in it."""
    action_id: Required
    """The action in it."""
    config: JsonObject
    """All of its config."""


class ForkBody(Body, title="Fork"):
    """The state a new session begins with."""

    from_turn_id: Name = ""
    """The turn whose end it begins at; empty: the newest, or the one before the replaced action."""
    replacement: Replacement | None = None
    """Another config for one action, in the new session alone."""
    request_id: Name = ""
    """Idempotency key: the same key gives the same session."""


class RetryBody(Body, title="Retry"):
    """How the last message is sent again."""

    text: Annotated[str, StringConstraints(max_length=LARGEST_INPUT)] = ""
    """Text in place of the client's; empty: the same."""
    request_id: Name = ""
    """Idempotency key: the same key removes one turn."""
    client_message_id: Name = ""
    """Idempotency key of the new input; empty: one is made."""


class Heard(Body):
    """A position in a draft."""

    message_id: Required
    """The message of the draft."""
    offset: Annotated[int, Field(ge=0, le=2**31 - 1)]
    """Unicode code points from its start."""


class InterruptBody(Body, title="Interrupt"):
    """A turn to stop."""

    turn_id: Required
    """The turn, as turnStarted named it."""
    heard: Heard | None = None
    """The position up to which the draft is kept; null: it is dropped."""
    request_id: Name = ""
    """Idempotency key: a repeat is answered as the first was."""


class RequestKey(Body):
    """A request that is safe to repeat."""

    request_id: Name = ""
    """Idempotency key: the same key counts once."""


class ScriptFiles(Body):
    """A script with its files."""

    files: Annotated[dict[Required, str], Field(min_length=1, max_length=256)]
    """Relative path to text: the script, its global.yaml, its techniques."""
    main_path: Name = ""
    """Which of them is the script; empty: the only one that can be."""
    assets: dict[Required, Required] = {}
    """Path under `assets/` to the SHA-256 of a picture uploaded before."""


class PublishScript(ScriptFiles):
    """A script to publish."""

    request_id: Name = ""
    """Idempotency key; the same files give the same version in any case."""
    trial: bool = False
    """True: sessions can be started with the version, but it is on no list and not the newest."""


class Login(Body):
    """The credentials of the console."""

    token: Annotated[str, StringConstraints(min_length=1, max_length=4_096)]
    """The gateway's token."""
