"""Threads nested in messages as text for a person. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from heartrule.domain.conversation import Message
from heartrule.domain.events import EventBody
from heartrule.domain.run_events import Activity
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import ThreadRole
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say
from heartrule_cli.text import clean, one_line, padded

_INDENT = "  "
_LONGEST = 200
_ROLE_WIDTH = max(map(len, ThreadRole)) + 2


def thread_lines(
    body: EventBody, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> tuple[str, ...]:
    """Return the line of `--debug` for an event of a thread; none for other kinds."""
    match body:
        case ThreadChanged():
            facts = {"thread": one_line(body.thread_id), "agent": one_line(body.agent)}
            return (say("cli.debug.thread", **facts, state=_state(body)).told(language),)
        case ThreadMessageAdded():
            text = one_line(body.text)[:_LONGEST]
            role = say(f"cli.thread_role.{body.role}")
            thread = one_line(body.thread_id)
            said = say("cli.debug.thread_said", thread=thread, role=role, text=text)
            return (said.told(language),)
        case _:
            return ()


@dataclass(slots=True)
class Announced:
    """The placeholders whose results are to come, each as one line."""

    texts: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)

    def announce(self, placeholder: Message) -> str:
        """Note a placeholder, and return its line."""
        self.texts[placeholder.message_id] = one_line(placeholder.plain_text())
        return self._line(placeholder.message_id)

    def go_on(self, activity: Activity) -> str:
        """Note what a thread does now, and return its line; empty where none is shown."""
        self.labels[activity.message_id] = one_line(activity.label)
        return self._line(activity.message_id) if activity.message_id in self.texts else ""

    def settle(self, message_id: str) -> None:
        """Forget a placeholder: its result is there, or will never come."""
        self.texts.pop(message_id, None)
        self.labels.pop(message_id, None)

    def _line(self, message_id: str) -> str:
        label = self.labels.get(message_id)
        return self.texts[message_id] + (f" ({label})" if label else "")


@dataclass(slots=True)
class ToldThreads:
    """What events told of a session's threads, each found by the message that it is nested in."""

    language: ReaderLanguage = ReaderLanguage.ENGLISH
    _threads: dict[str, ThreadChanged] = field(default_factory=dict)
    """The last event of each, in the order in which they were opened."""
    _messages: dict[str, dict[int, ThreadMessageAdded]] = field(default_factory=dict)
    """By thread and number, so that a result takes its placeholder's place."""

    def add(self, body: EventBody) -> None:
        """Apply the next event; what tells of no thread changes nothing."""
        if isinstance(body, ThreadChanged):
            self._threads[body.thread_id] = body
        elif isinstance(body, ThreadMessageAdded):
            self._messages.setdefault(body.thread_id, {})[body.number] = body

    def lines(self, message_id: str, *, replaces: str = "") -> Iterator[str]:
        """Yield the threads nested in a message, or in the one it replaces, indented by depth."""
        anchor = replaces or message_id
        for thread in self._threads.values():
            if thread.anchor_message_id != anchor:
                continue
            told = say("cli.thread.thread", agent=one_line(thread.agent), state=_state(thread))
            yield told.told(self.language)
            for message in self._messages.get(thread.thread_id, {}).values():
                yield from (_INDENT + line for line in self._message_lines(message))

    def _message_lines(self, message: ThreadMessageAdded) -> Iterator[str]:
        first, *more = clean(message.text).split("\n")
        role = say(f"cli.thread_role.{message.role}").told(self.language)
        yield f"{padded(role, _ROLE_WIDTH)}{first}"
        yield from (" " * _ROLE_WIDTH + line for line in more)
        nested = self.lines(message.message_id, replaces=message.replaces_message_id)
        yield from (_INDENT + line for line in nested)


def _state(thread: ThreadChanged) -> Words:
    phase, suggested = one_line(thread.phase), one_line(thread.suggested_phase)
    return say(
        "cli.thread.state",
        state=say(f"cli.state.{thread.state}"),
        why=say("cli.exit.kind", kind=one_line(thread.failure_code)) if thread.failure_code else "",
        phase=say("cli.thread.phase", phase=phase) if phase else "",
        next=say("cli.thread.next", phase=suggested) if suggested else "",
    )
