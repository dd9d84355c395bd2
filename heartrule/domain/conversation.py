"""Messages, their parts, and what a client sends (CONTRACT: Message, UserInput)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from heartrule.domain.json_value import JsonValue


class Role(StrEnum):
    """The author of a message."""

    CLIENT = "client"
    ASSISTANT = "assistant"
    COUNSELLOR = "counsellor"
    SYSTEM = "system"


class Completeness(StrEnum):
    """Whether a message is whole."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    TRUNCATED = "truncated"
    """The model's stream broke off after at least one whole sentence."""
    PLACEHOLDER = "placeholder"
    """It announces a result, which comes as a message that replaces it."""


class Audience(StrEnum):
    """The receivers of an event."""

    CLIENT = "client"
    OPERATOR = "operator"
    DEBUG = "debug"


class Feature(StrEnum):
    """A kind of part or request that a client can show or answer."""

    FORM = "form"
    PICTURE = "picture"
    AUDIO = "audio"
    APPROVAL = "approval"
    HANDOVER = "handover"
    QUICK_REPLIES = "quick_replies"


class IfBusy(StrEnum):
    """The handling of an input while a turn runs."""

    MERGE = "merge"
    QUEUE = "queue"
    INTERRUPT = "interrupt"
    RESTART = "restart"
    REJECT = "reject"


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A picture or sound, by address or by bytes."""

    mime_type: str
    caption: str = ""
    uri: str | None = None
    data: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAnswer:
    """The values a client filled in."""

    values: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickReplies:
    """Answers a client may choose from; the one chosen is sent as text."""

    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a message; exactly one of the attributes before `fallback_text` is set."""

    text: str | None = None
    media: Media | None = None
    form: FormAnswer | None = None
    quick_replies: QuickReplies | None = None
    fallback_text: str = ""
    """Text for a client that cannot show the part."""

    def plain_text(self) -> str:
        """Return the text of the part, or its fallback with a picture's caption below it."""
        if self.text is not None:
            return self.text
        caption = self.media.caption if self.media else ""
        texts = (self.fallback_text, "" if caption == self.fallback_text else caption)
        return "\n".join(filter(None, texts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One committed message; the only authoritative text."""

    message_id: str
    role: Role
    parts: tuple[Part, ...]
    action_instance_id: str = ""
    completeness: Completeness = Completeness.COMPLETE
    action_id: str = ""
    turn_id: str = ""
    sequence: int = 0
    """Sequence of its event; 0 before the commit."""
    create_time: datetime | None = None
    client_message_id: str = ""
    input_request_id: str = ""
    """The request it answers, on an input that holds a form."""
    replaces_message_id: str = ""
    """The placeholder whose place it takes; empty: none."""

    def plain_text(self) -> str:
        """Return the whole message as plain text; see `joined_text`."""
        return joined_text(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInput:
    """One idempotent input of a client in a session."""

    client_message_id: str
    """Idempotency key in the session."""
    parts: tuple[Part, ...]
    input_request_id: str = ""
    """The request a form answers; empty without a form."""
    if_busy: IfBusy | None = None
    """None = the script's setting."""
    turn_timeout: timedelta | None = None
    traceparent: str = ""
    """W3C trace context; the turn's parent where it is the first input."""

    def plain_text(self) -> str:
        """Return the input as plain text."""
        return "\n".join(part.plain_text() for part in self.parts)


def text_part(text: str) -> Part:
    """Return a part that holds `text`."""
    return Part(text=text)


def joined_text(parts: Iterable[Part]) -> str:
    """Return the parts of a message as text, each on lines of its own.

    Quick replies are left out: they stand beside what was said.
    """
    return "\n".join(part.plain_text() for part in parts if part.quick_replies is None)
