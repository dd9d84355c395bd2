"""The line that the log has of each turn that ended: ids and figures, and nobody's words."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from heartrule.domain.events import Outcome
from heartrule.domain.model_call import LLMDebugInfo
from session_store.records import StepCommit

LOG = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class TurnLog:
    """The figures of one attempt; session and turn are ids of the task."""

    action: str
    """Id of the action the turn is at."""
    began: float = field(default_factory=time.monotonic)
    rounds: int = 0
    first_text_ms: int | None = None
    """From the attempt's beginning to the first text a client could see; None: there was none."""
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def saw_text(self) -> None:
        """Note that a client can see something of the reply by now."""
        if self.first_text_ms is None:
            self.first_text_ms = self._ms()

    def saw_step(self, step: StepCommit) -> None:
        """Count a committed step."""
        if step.messages:
            self.saw_text()
        self.rounds += step.result is not None
        self.action = step.position.action_id or self.action
        self.saw_calls(step.calls)

    def saw_calls(self, calls: Sequence[LLMDebugInfo]) -> None:
        """Count calls of models."""
        self.model_calls += len(calls)
        self.prompt_tokens += sum(call.prompt_tokens for call in calls)
        self.completion_tokens += sum(call.completion_tokens for call in calls)

    def tell(self, outcome: Outcome) -> None:
        """Write the line."""
        facts = {
            "outcome": outcome.value,
            "action": self.action,
            "rounds": self.rounds,
            "model_calls": self.model_calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "first_text_ms": self.first_text_ms,
            "took_ms": self._ms(),
        }
        LOG.info("turn ended", extra=facts)

    def _ms(self) -> int:
        return round((time.monotonic() - self.began) * 1_000)
