"""What is asked when a node's own retries are spent (document 002, section 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from heartrule.domain.events import SessionEvent
from heartrule.domain.runs import RunProgress
from session_store.records.runs import EndedNode, RunEffect, RunLease


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What was decided about a failed node, and is written."""

    effect: RunEffect | None = None
    """None: the run waits for somebody to decide. With an `end` the run is over."""
    events: Sequence[SessionEvent] = ()
    """What the transaction emitted; the caller publishes them."""


class Recoverer(Protocol):
    """Decides about failed nodes; it stands in front of the coordinator, which runs do not know."""

    async def recover(self, lease: RunLease, progress: RunProgress, failed: EndedNode) -> Recovered:
        """Judge a recovery, and write the failed attempt with it in one transaction.

        Args:
            lease: The right to write the run.
            progress: The run, in which the failed node is WAITING_DECISION.
            failed: Its last attempt, which is not written yet; where it is not `is_spent`, it was
                written and told before.

        Raises:
            LeaseLost: Another worker has the run; nothing was written.
        """
        ...
