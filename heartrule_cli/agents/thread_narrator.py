"""What happens in threads as lines for a person, while it goes on. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from heartrule.domain.thread_changes import (
    MessageWritten,
    NewThread,
    SettingsWritten,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.threads import ThreadMessage, ThreadSettings, ThreadState
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say
from heartrule_cli.text import one_line, padded

_INDENT = "  "
_ROLE_WIDTH = 6


@dataclass(slots=True)
class ThreadNarrator:
    """Remembers the phase and the unit of each thread, and how deep it is."""

    language: ReaderLanguage = ReaderLanguage.ENGLISH
    phases: dict[str, str] = field(default_factory=dict)
    _depths: dict[str, int] = field(default_factory=dict)
    _units: dict[str, int] = field(default_factory=dict)

    def lines(self, changes: Iterable[ThreadWrite]) -> Iterator[str]:
        """Yield what changes tell."""
        for change in changes:
            match change:
                case NewThread(thread=opened):
                    self._depths[opened.thread_id] = opened.depth
                    self.phases[opened.thread_id] = opened.settings.phase
                    agent = say("cli.agent.thread", agent=one_line(opened.agent))
                    yield self._line(opened.thread_id, agent)
                    yield self._line(opened.thread_id, _phase(opened.settings))
                case MessageWritten(thread_id=thread_id, message=message, replaces=""):
                    yield from self._said(thread_id, message)
                case MessageWritten(thread_id=thread_id, message=message):
                    yield self._spoken(thread_id, "result", message.text)
                case SettingsWritten(thread_id=thread_id, settings=settings):
                    yield from self._moved(thread_id, settings)
                case ThreadEnd(thread_id=thread_id):
                    yield self._line(thread_id, _end(change))
                case _:
                    pass

    def _said(self, thread_id: str, message: ThreadMessage) -> Iterator[str]:
        if message.unit and message.unit != self._units.get(thread_id):
            self._units[thread_id] = message.unit
            yield self._line(thread_id, say("cli.agent.unit", number=message.unit))
        role = "wait" if message.is_placeholder else message.role.value
        yield self._spoken(thread_id, role, message.text)

    def _moved(self, thread_id: str, settings: ThreadSettings) -> Iterator[str]:
        if settings.phase != self.phases.get(thread_id):
            self.phases[thread_id] = settings.phase
            yield self._line(thread_id, _phase(settings))

    def _line(self, thread_id: str, words: Words) -> str:
        return f"{_INDENT * self._depths.get(thread_id, 0)}{words.told(self.language)}"

    def _spoken(self, thread_id: str, role: str, text: str) -> str:
        speaker = padded(say(f"cli.thread_role.{role}").told(self.language), _ROLE_WIDTH)
        return f"{_INDENT * self._depths.get(thread_id, 0)}{speaker} {one_line(text)}"


def _phase(settings: ThreadSettings) -> Words:
    return say("cli.agent.phase", phase=one_line(settings.phase))


def _end(ended: ThreadEnd) -> Words:
    state = say(f"cli.state.{ended.state}")
    if ended.state is not ThreadState.FAILED or not ended.failure_code:
        return state
    return say("cli.agent.failed", state=state, code=one_line(ended.failure_code))
