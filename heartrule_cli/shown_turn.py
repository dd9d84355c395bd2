"""The turn a chat listens to: its id, and how much of its answer was shown."""

from __future__ import annotations

from heartrule.domain.events import (
    DraftDelta,
    DraftPosition,
    DraftVoided,
    MessageCommitted,
    SessionEvent,
    TurnEnded,
    TurnStarted,
)

_SENTENCE_ENDS = frozenset("。！？!?…\n")


class ShownTurn:
    """What Ctrl-C stops, and what it leaves on the screen."""

    def __init__(self) -> None:
        """Begin with no turn."""
        self.turn_id = ""
        """Empty while none runs."""
        self._message_id = ""
        self._shown = ""

    def note(self, event: SessionEvent) -> None:
        """Take an event into account."""
        match event.body:
            case TurnStarted():
                self.turn_id = event.turn_id
                self._forget()
            case DraftDelta(at=at, text=text):
                if at.message_id != self._message_id:
                    self._message_id, self._shown = at.message_id, ""
                self._shown = self._shown[: at.offset] + text
            case MessageCommitted() | DraftVoided():
                self._forget()
            case TurnEnded():
                self.turn_id = ""
            case _:
                pass

    @property
    def heard(self) -> DraftPosition | None:
        """What of the draft is worth keeping: all of it, once it holds a whole sentence."""
        if not _SENTENCE_ENDS & set(self._shown):
            return None
        return DraftPosition(message_id=self._message_id, offset=len(self._shown))

    def _forget(self) -> None:
        self._message_id = self._shown = ""
