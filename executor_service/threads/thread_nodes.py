"""One thread in memory, without those nested in it; used by the aggregate alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from executor_service.threads.thread_errors import ThreadFault
from heartrule.domain.errors import InvalidRequest, NotFound
from heartrule.domain.threads import ENDED_THREADS, SubThread, ThreadMessage, ThreadSettings

LONGEST_MESSAGE = 200_000
"""Characters of a message of a thread."""


@dataclass(slots=True)
class ThreadNode:
    """The messages that stand in a thread, and which of them have a thread nested in them."""

    settings: ThreadSettings
    header: SubThread | None = None
    """None: the main thread."""
    messages: list[ThreadMessage] = field(default_factory=list)
    """A placeholder with its result is one: with the placeholder's id and the result's text."""
    nested: dict[str, str] = field(default_factory=dict)
    """The id of the thread nested in a message, by the message's id."""
    _places: dict[str, int] = field(default_factory=dict)

    @property
    def thread_id(self) -> str:
        """The sub-thread's id; empty: the main thread."""
        return self.header.thread_id if self.header else ""

    @property
    def is_ended(self) -> bool:
        """Whether it never changes again; the main thread always may."""
        return self.header is not None and self.header.state in ENDED_THREADS

    def place(self, message_id: str) -> int:
        """Return a message's number; NotFound where it does not stand in this thread."""
        if message_id not in self._places:
            raise NotFound("message", message_id)
        return self._places[message_id]

    def holds(self, message_id: str) -> bool:
        """Return whether a message of that id stands here."""
        return message_id in self._places

    def append(self, message: ThreadMessage) -> ThreadMessage:
        """Add a message at the end; return it with its number."""
        if self.holds(message.message_id):
            raise InvalidRequest(
                "two messages of a thread have one id",
                reason="THREAD_MESSAGE_ID_REUSED",
                metadata={"message_id": message.message_id},
            )
        check_length(message.text)
        numbered = replace(message, number=len(self.messages))
        self._places[message.message_id] = numbered.number
        self.messages.append(numbered)
        return numbered

    def put_in_place(self, result: ThreadMessage, replaced_id: str) -> None:
        """Show a result under the id of its placeholder."""
        check_length(result.text)
        place = self.place(replaced_id)
        standing = self.messages[place]
        self.messages[place] = replace(
            standing,
            text=result.text,
            meta={**standing.meta, **result.meta},
            is_placeholder=False,
            replaced_by=result.message_id,
        )

    def drop(self, message_ids: Iterable[str]) -> tuple[str, ...]:
        """Take messages out; return the threads nested in them. Those behind move up."""
        gone = set(message_ids)
        kept = [each for each in self.messages if each.message_id not in gone]
        self.messages = [replace(each, number=number) for number, each in enumerate(kept)]
        self._places = {each.message_id: each.number for each in self.messages}
        return tuple(self.nested.pop(each) for each in gone if each in self.nested)


def check_length(text: str) -> None:
    """Refuse a text that is too long for a message; ThreadFault MESSAGE_TOO_LONG."""
    if len(text) > LONGEST_MESSAGE:
        length, most = str(len(text)), str(LONGEST_MESSAGE)
        problem = f"a message of a thread has at most {most} characters"
        raise ThreadFault("MESSAGE_TOO_LONG", problem, characters=length, max_characters=most)


def folded(messages: Iterable[ThreadMessage]) -> list[ThreadMessage]:
    """Return the messages that stand, of rows that hold placeholders and results apart."""
    rows = list(messages)
    by_id = {row.message_id: row for row in rows}
    results = {row.replaced_by for row in rows if row.replaced_by in by_id}
    return [_shown(row, by_id) for row in rows if row.message_id not in results]


def _shown(row: ThreadMessage, by_id: dict[str, ThreadMessage]) -> ThreadMessage:
    result = by_id.get(row.replaced_by)
    if result is None:
        return row
    meta = {**row.meta, **result.meta}
    return replace(row, text=result.text, meta=meta, is_placeholder=False)
