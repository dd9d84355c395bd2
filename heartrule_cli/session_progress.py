"""What a conversation still waits for, read off its events: pure, and the same after a resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from heartrule.domain.events import (
    ActionResultRecorded,
    AnalysisEnded,
    HistoryRewound,
    InputRejected,
    Opened,
    Outcome,
    StateChanged,
    TurnEnded,
)
from heartrule.domain.position import ExecutionState, ExecutionStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from heartrule.domain.action_result import ActionResult
    from heartrule.domain.events import EventBody
    from heartrule.domain.problem import Problem

_REQUESTED = "requested"
"""What a result's metadata says under `analysis` where the monitor was asked."""


class SessionProgress:
    """Follows one session as a client sees it."""

    def __init__(self) -> None:
        """Begin before the stream is opened: busy."""
        self.state: ExecutionState | None = None
        self.max_input_bytes = 0
        self.problem: Problem | None = None
        """Why the last turn failed; None where it did not, and once it is tried again."""
        self.rejected: InputRejected | None = None
        """The last refusal of an input, until the next one is sent."""
        self._awaited: set[str] = set()
        self._any_turn = True
        self._asked: set[tuple[str, int]] = set()
        self._analysed: set[tuple[str, int]] = set()

    @property
    def busy(self) -> bool:
        """True while a turn is still to end before the client speaks."""
        return self._any_turn or bool(self._awaited)

    @property
    def completed(self) -> bool:
        """True when the script is at its end."""
        return self.state is not None and self.state.status is ExecutionStatus.COMPLETED

    @property
    def analysing(self) -> bool:
        """True while an analysis that a turn asked for has not ended."""
        return bool(self._asked - self._analysed)

    def sent(self, message_ids: Iterable[str] = ()) -> None:
        """Wait for these inputs; for any turn where none is named."""
        ids = set(message_ids)
        self._awaited |= ids
        self._any_turn = self._any_turn or not ids
        self.problem = self.rejected = None

    def forget_analyses(self) -> None:
        """Wait no longer for the analyses asked for so far."""
        self._analysed |= self._asked

    def note(self, body: EventBody) -> None:
        """Take an event into account."""
        match body:
            case Opened():
                self._opened(body)
            case TurnEnded():
                self._turn_ended(body)
            case StateChanged(state=state):
                self.state = state
            case HistoryRewound(state=state):
                self.state, self.problem = state, None
            case InputRejected(client_message_id=message_id):
                self._awaited.discard(message_id)
                self.rejected = body
            case ActionResultRecorded(action_result=result):
                self._judged(result)
            case AnalysisEnded(action_instance_id=instance, about_round=about):
                self._analysed.add((instance, about))
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
        self._awaited.difference_update(body.client_message_ids)
        self._any_turn = False
        self.problem = body.problem if body.outcome is Outcome.FAILED else None
        self.state = body.state or self.state

    def _judged(self, result: ActionResult) -> None:
        if result.metadata.get("analysis") == _REQUESTED:
            self._asked.add((result.action_instance_id, result.round))
