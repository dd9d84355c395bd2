"""Going back in a conversation: forks, and turns taken back."""

from __future__ import annotations

from dataclasses import dataclass

from heartrule.domain.conversation import Message
from heartrule.domain.events import HistoryRewound, SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.replacement import ActionReplacement
from session_store.records.sessions import SessionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork:
    """A session to be made of another one's past."""

    source: SessionKey
    session_id: str
    """The new session's."""
    from_turn_id: str = ""
    """The last turn it begins with. Empty: the newest that ended; with a replacement, the one
    before the turn in which that action opened last."""
    request_id: str = ""
    """The same request_id gives the session made before."""
    replacement: ActionReplacement | None = None
    """Checked by the caller; it joins those of the source."""

    @property
    def key(self) -> SessionKey:
        """The new session's."""
        return SessionKey(self.source.tenant, self.session_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """The session that was made."""

    session: SessionRecord
    kept_globals: tuple[str, ...] = ()
    """Globals written since its last turn; they are not rolled back (RESOLUTIONS C32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retry:
    """The last turn is to be taken back and its message said again."""

    key: SessionKey
    request_id: str = ""
    """The same request_id gives what was done before."""
    text: str = ""
    """Empty: the words of the turn's inputs, in order."""
    client_message_id: str = ""
    """New to the session; empty: the store makes one."""
    traceparent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """What was taken back, and the input that waits in its place."""

    rewound: HistoryRewound
    rewound_sequence: int
    message: Message
    events: tuple[SessionEvent, ...] = ()
    """What was just committed; empty for a repeat."""
