"""What passed through this gateway of a session: what a card needs while no executor answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from google.protobuf.message import Message

from gateway_service.turn_text import is_reply, text_of
from heartrule.v1 import erasure_pb2, event_pb2, session_pb2

# The sessions of some hours; of others nothing is known.
_REMEMBERED = 10_000
# Characters of a question: it stands at the end of what was said.
_END = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSession:
    """One session; what did not pass is empty."""

    locale: str = ""
    """BCP 47 tag; decides the region."""
    question: str = ""
    """The end of what the assistant said last."""


UNSEEN = SeenSession()


class SeenSessions:
    """The sessions that passed last; the oldest, and those that were erased here, are forgotten."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[str, SeenSession] = {}

    def of(self, session_id: str) -> SeenSession:
        """Return what is known of a session."""
        return self._seen.get(session_id, UNSEEN)

    def note_answer(self, request: Message, answer: Message) -> None:
        """Take what the answer of a call says of a session, or that it was erased."""
        if isinstance(request, erasure_pb2.DeleteSessionRequest):
            self._seen.pop(request.session_id, None)
        elif isinstance(request, erasure_pb2.DeleteUserDataRequest):
            self._seen.clear()  # which sessions were the user's is not known here
        session = getattr(answer, "session", None)
        if isinstance(session, session_pb2.Session) and session.session_id:
            seen = self.of(session.session_id)
            self._keep(session.session_id, replace(seen, locale=session.locale))

    def note_event(self, event: event_pb2.SessionEvent) -> None:
        """Take what an event says of the assistant's last words."""
        if event.HasField("opened"):
            said = event.opened.state.last_ai_message
        elif event.HasField("message_committed") and is_reply(event.message_committed):
            said = text_of(event.message_committed)
        else:
            return
        self._keep(event.session_id, replace(self.of(event.session_id), question=said[-_END:]))

    def _keep(self, session_id: str, seen: SeenSession) -> None:
        self._seen.pop(session_id, None)
        self._seen[session_id] = seen
        if len(self._seen) > _REMEMBERED:
            del self._seen[next(iter(self._seen))]
