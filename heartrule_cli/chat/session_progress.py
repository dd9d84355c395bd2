"""The progress of a session as a client sees it, from its events: pure, and the same on resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrule.domain.events import (
    ActionResultRecorded,
    AnalysisEnded,
    DraftDelta,
    DraftPosition,
    DraftVoided,
    HistoryRewound,
    InputRejected,
    MessageCommitted,
    Opened,
    Outcome,
    StateChanged,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.position import ExecutionState, ExecutionStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from heartrule.domain.events import SessionEvent
    from heartrule.domain.problem import Problem

_SENTENCE_ENDS = frozenset("。！？!?…\n")


class SessionProgress:
    """Follows one session: its state, the running turn, and what the client waits for."""

    def __init__(self) -> None:
        """Begin before the stream is opened: busy."""
        self.state: ExecutionState | None = None
        self.max_input_bytes = 0
        self.problem: Problem | None = None
        """Why the last turn failed; None where it did not, and once it is tried again."""
        self.refused: dict[str, Problem] = {}
        """Why inputs were refused, by their ids, until somebody takes note."""
        self.turn_id = ""
        """The turn that runs; empty while none does."""
        self._draft_id = self._draft = ""
        self._awaited: set[str] = set()
        self._any_turn = True
        self._asked: set[tuple[str, int]] = set()
        self._analysed: set[tuple[str, int]] = set()

    @property
    def busy(self) -> bool:
        """True while a turn is still to end before the client writes."""
        return self._any_turn or bool(self._awaited)

    @property
    def completed(self) -> bool:
        """True when the script is at its end."""
        return self.state is not None and self.state.status is ExecutionStatus.COMPLETED

    @property
    def analysing(self) -> bool:
        """True while an analysis that a turn requested has not ended."""
        return bool(self._asked - self._analysed)

    @property
    def kept_draft(self) -> DraftPosition | None:
        """What an interruption keeps of the draft: all of it, once it holds a whole sentence."""
        if not _SENTENCE_ENDS & set(self._draft):
            return None
        return DraftPosition(message_id=self._draft_id, offset=len(self._draft))

    def sent(self, message_ids: Iterable[str] = ()) -> None:
        """Wait for these inputs; for any turn where none is named."""
        ids = set(message_ids)
        self._awaited |= ids
        self._any_turn = self._any_turn or not ids
        self.problem = None

    def forget_analyses(self) -> None:
        """Wait no longer for the analyses requested so far."""
        self._analysed |= self._asked

    def note(self, event: SessionEvent) -> None:
        """Take an event into account."""
        match event.body:
            case Opened() as opened:
                self._opened(opened)
            case TurnEnded() as ended:
                self._turn_ended(ended)
            case StateChanged(state=state):
                self.state = state
            case HistoryRewound(state=state):
                self.state, self.problem = state, None
            case InputRejected(client_message_id=message_id, problem=problem):
                self._awaited.discard(message_id)
                self.refused[message_id] = problem
            case ActionResultRecorded(action_result=result):
                if result.metadata.get("analysis") == "requested":
                    self._asked.add((result.action_instance_id, result.round))
            case AnalysisEnded(action_instance_id=instance, about_round=about):
                self._analysed.add((instance, about))
            case _:
                self._note_draft(event)

    def _note_draft(self, event: SessionEvent) -> None:
        match event.body:
            case TurnStarted():
                self.turn_id, self._draft = event.turn_id, ""
            case DraftDelta(at=at, text=text):
                kept = self._draft[: at.offset] if at.message_id == self._draft_id else ""
                self._draft_id, self._draft = at.message_id, kept + text
            case MessageCommitted() | DraftVoided():
                self._draft = ""
            case _:
                pass

    def _opened(self, body: Opened) -> None:
        again, self.state = self.state is not None, body.state
        self.max_input_bytes = body.max_input_bytes
        if again:  # a reconnection: what was waited for is still to come
            return
        status = body.state.status
        self._any_turn = False
        if status is ExecutionStatus.ERROR:
            self.problem = body.state.error
        elif status is not ExecutionStatus.COMPLETED:
            self._awaited.update(body.state.pending_client_message_ids)
            self._any_turn = status is ExecutionStatus.RUNNING and not self._awaited

    def _turn_ended(self, body: TurnEnded) -> None:
        self.turn_id = ""
        self._awaited.difference_update(body.client_message_ids)
        self._any_turn = False
        self.problem = body.problem if body.outcome is Outcome.FAILED else None
        self.state = body.state or self.state
