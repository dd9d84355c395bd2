"""What happens in threads as lines for a person, while it goes on. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from executor_service.threads.thread_changes import (
    MessageAppended,
    MessageReplaced,
    SettingsChanged,
    ThreadChange,
    ThreadEnded,
    ThreadOpened,
)
from heartrule.domain.threads import ThreadMessage, ThreadSettings, ThreadState
from heartrule_cli.text import one_line

_INDENT = "  "
_ROLE_WIDTH = 6


@dataclass(slots=True)
class ThreadNarrator:
    """Remembers the phase and the unit of each thread, and how deep it is."""

    phases: dict[str, str] = field(default_factory=dict)
    _depths: dict[str, int] = field(default_factory=dict)
    _units: dict[str, int] = field(default_factory=dict)

    def lines(self, changes: Iterable[ThreadChange]) -> Iterator[str]:
        """Yield what changes tell."""
        for change in changes:
            match change:
                case ThreadOpened(sub_thread=opened):
                    self._depths[opened.thread_id] = opened.depth
                    self.phases[opened.thread_id] = opened.settings.phase
                    yield self._line(opened.thread_id, f"thread of {one_line(opened.agent)}")
                    yield self._line(opened.thread_id, f"phase {one_line(opened.settings.phase)}")
                case MessageAppended(thread_id=thread_id, message=message):
                    yield from self._said(thread_id, message)
                case MessageReplaced(thread_id=thread_id, message=message):
                    yield self._line(thread_id, _spoken("result", message.text))
                case SettingsChanged(thread_id=thread_id, settings=settings):
                    yield from self._moved(thread_id, settings)
                case ThreadEnded(thread_id=thread_id):
                    yield self._line(thread_id, _end(change))
                case _:
                    pass

    def _said(self, thread_id: str, message: ThreadMessage) -> Iterator[str]:
        if message.unit and message.unit != self._units.get(thread_id):
            self._units[thread_id] = message.unit
            yield self._line(thread_id, f"unit {message.unit}")
        role = "wait" if message.is_placeholder else message.role.value
        yield self._line(thread_id, _spoken(role, message.text))

    def _moved(self, thread_id: str, settings: ThreadSettings) -> Iterator[str]:
        if settings.phase != self.phases.get(thread_id):
            self.phases[thread_id] = settings.phase
            yield self._line(thread_id, f"phase {one_line(settings.phase)}")

    def _line(self, thread_id: str, text: str) -> str:
        return f"{_INDENT * self._depths.get(thread_id, 0)}{text}"


def _spoken(role: str, text: str) -> str:
    return f"{role:<{_ROLE_WIDTH}} {one_line(text)}"


def _end(ended: ThreadEnded) -> str:
    failed = ended.state is ThreadState.FAILED and ended.failure_code
    return f"{ended.state.value}: {one_line(ended.failure_code)}" if failed else ended.state.value
