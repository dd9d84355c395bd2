"""The ports of sessions: made, read, listed, labelled, ended, erased; and of retention."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Protocol

from heartrule.domain.conversation import Message
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.labels import LabelChange
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.domain.variables import VariableValue
from session_store.records import ErasedSessions, NewSession, Page, SessionRecord
from session_store.records.exports import ExportPage, ExportPlace


class SessionStore(Protocol):
    """Sessions and what is read of them."""

    async def create_session(self, new: NewSession) -> SessionRecord:
        """Create it; the same request_id returns the first, a taken session_id AlreadyExists."""

    async def get_session(self, key: SessionKey) -> SessionRecord:
        """Return it; NotFound where there is none or it was deleted."""

    async def update_labels(self, key: SessionKey, change: LabelChange) -> SessionRecord:
        """Change its labels and return it; repeated, it changes nothing more.

        NotFound for a deleted session; InvalidRequest, reason TOO_MANY_LABELS, for more than 64.
        """

    async def write_notes(self, key: SessionKey, notes: Mapping[str, str]) -> None:
        """Note the texts at the turns, an empty one removes; repeated, it changes nothing more.

        NotFound for a deleted session or a turn that it does not have; InvalidRequest, reason
        TOO_MANY_NOTES, where it would have notes at more than 200 turns.
        """

    async def list_notes(self, key: SessionKey) -> dict[str, str]:
        """Return the notes by turn; none for a deleted session."""

    async def list_sessions(
        self, tenant: str, page: Page, *, user_id: str = ""
    ) -> tuple[list[SessionRecord], str]:
        """Return sessions, newest first by default, and the next page's token."""

    async def list_messages(self, key: SessionKey, page: Page) -> tuple[list[Message], str]:
        """Return messages by sequence, a result in its placeholder's place, and the next token."""

    async def list_variables(self, key: SessionKey) -> tuple[VariableValue, ...]:
        """Return live and archived variables and the user's globals."""

    async def find_idle(self, idle: timedelta, limit: int) -> tuple[SessionKey, ...]:
        """Return opened sessions that wait for a client since longer than `idle`."""

    async def end_idle(self, key: SessionKey, idle: timedelta) -> tuple[SessionEvent, ...]:
        """End the session where it is idle still, with a snapshot of each scope (C31).

        Globals survive; further input is SessionFinished. Not idle any more: nothing.
        """

    async def delete_session(self, key: SessionKey) -> None:
        """Erase all content, leave a tombstone; a repeat changes nothing; NotFound if unknown."""

    async def delete_user_data(self, tenant: str, user_id: str) -> ErasedSessions:
        """Erase every session and global of the user; repeated, it erases nothing more."""

    async def sessions_of_user(self, tenant: str, user_id: str) -> tuple[str, ...]:
        """Return the ids of the sessions that `delete_user_data` would erase, the oldest first."""

    async def export_session(
        self, key: SessionKey, hidden: SensitiveVariables, place: ExportPlace
    ) -> ExportPage:
        """Return the next rows that `delete_session` would empty, masked; none once it is gone."""

    async def export_globals(
        self, tenant: str, user_id: str, hidden: SensitiveVariables, place: ExportPlace
    ) -> ExportPage:
        """Return the next globals that `delete_user_data` would erase, masked by their names."""


class RetentionStore(Protocol):
    """What may be deleted by age; each call does one batch and returns how many sessions it found.

    None touches a session whose position is frozen: an operator closes it first.
    """

    async def delete_observations(self, older_than: timedelta) -> int:
        """Delete what was observed in the rounds of ended sessions: metrics, exits, analyses."""

    async def delete_events(self, older_than: timedelta) -> int:
        """Delete all events of ended sessions, and what they name; messages and variables stay.

        Decisions, workflows, runs and threads are what they name. An agent that works on still is
        cancelled, and a message takes the place of its placeholder.

        Afterwards a fork and a retry are NotReady, reason EVENTS_DELETED.
        """

    async def delete_untouched(self, older_than: timedelta) -> int:
        """Erase sessions that nothing changed for so long, as `delete_session` does."""
