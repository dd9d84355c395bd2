"""Splits the text of one turn into chunks; joined, they are the reply.

A message's chunks come from its drafts; the committed message supplies what the drafts left out.
A blank line, a chunk of its own, separates messages. Received text is not sent again: a position
is the last durable sequence, and how many code points of which message were sent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heartrule.v1 import message_pb2, turn_pb2

BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class ReadPosition:
    """The position up to which a reader has received the turn."""

    sequence: int = 0
    message_id: str = ""
    offset: int = 0

    def __str__(self) -> str:
        """Return it as the id of a frame."""
        if not self.message_id:
            return str(self.sequence)
        return f"{self.sequence}:{self.message_id}:{self.offset}"


def place_of(event_id: str) -> ReadPosition | None:
    """Return the position a Last-Event-ID names; None for an id of another form."""
    sequence, more, rest = event_id.partition(":")
    message_id, _, offset = rest.rpartition(":")
    if not _is_number(sequence) or (more and not (message_id and _is_number(offset))):
        return None
    return ReadPosition(int(sequence), message_id, int(offset or 0))


def _is_number(text: str) -> bool:
    # Below 2**53, and short: any client may write this header.
    return text.isascii() and text.isdecimal() and len(text) < 16


def text_of(message: message_pb2.Message) -> str:
    """Return the text of a message, with the fallback text of its other parts."""
    parts = (part.text or part.fallback_text for part in message.parts)
    return "\n".join(part for part in parts if part)


def is_reply(message: message_pb2.Message) -> bool:
    """Return whether the message is part of an answer."""
    return message.role != message_pb2.ROLE_CLIENT


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of text, and the position of a reader that has received it."""

    text: str
    place: ReadPosition


@dataclass(slots=True)
class TurnText:
    """Follows the events of one turn and gives the chunks that a reader at `place` lacks."""

    place: ReadPosition = field(default_factory=ReadPosition)
    """The reader's position; moves on with every chunk."""
    messages: list[message_pb2.Message] = field(default_factory=list)
    """What was committed, in order."""
    begun: bool = False
    """Set by a draft or message that is new to the reader; see `begins`."""

    between: bool = False
    """Set while a message has begun of which nothing was sent yet."""

    def draft(self, delta: turn_pb2.DraftDelta) -> list[Chunk]:
        """Return the chunks of a piece of a draft; none where it leaves a gap or is known."""
        self._begin(delta.at.message_id)
        behind = self.place.offset - delta.at.offset
        if not 0 <= behind < len(delta.text):
            return []
        return self._chunks_of(delta.text[behind:] if behind else delta.text)

    def commit(self, message: message_pb2.Message, sequence: int) -> list[Chunk]:
        """Return what the drafts left out of a message."""
        chunks: list[Chunk] = []
        if is_reply(message):
            if sequence > self.place.sequence:
                self._begin(message.message_id)
                rest = text_of(message)[self.place.offset :]
                chunks = self._chunks_of(rest) if rest else []
            self.messages.append(message)
        self._pass(sequence)
        return chunks

    def void(self, sequence: int) -> None:
        """Forget the drafts: the next attempt begins its message anew."""
        self._pass(sequence)

    def passed(self, sequence: int) -> bool:
        """Note a durable event; return whether the reader knew it."""
        known = sequence <= self.place.sequence
        if not known:
            self.place = ReadPosition(sequence, self.place.message_id, self.place.offset)
        return known

    def begins(self) -> bool:
        """Return, once, whether the last chunks began a message."""
        began, self.begun = self.begun, False
        return began

    def reply(self) -> str:
        """Return the whole answer so far; a placeholder gives way to its result."""
        replaced = {each.replaces_message_id for each in self.messages}
        kept = (each for each in self.messages if each.message_id not in replaced)
        return BETWEEN.join(filter(None, map(text_of, kept)))

    def _begin(self, message_id: str) -> None:
        if message_id != self.place.message_id:
            self.place = ReadPosition(self.place.sequence, message_id, 0)
            self.begun = self.between = True

    def _chunks_of(self, text: str) -> list[Chunk]:
        """Return the text as a chunk, after a blank line where it begins a further message."""
        here = self.place
        apart = self.between and any(map(text_of, self.messages))
        self.between = False
        self.place = ReadPosition(here.sequence, here.message_id, here.offset + len(text))
        chunk = Chunk(text, self.place)
        return [Chunk(BETWEEN, here), chunk] if apart else [chunk]

    def _pass(self, sequence: int) -> None:
        if sequence > self.place.sequence:
            self.place = ReadPosition(sequence)
