"""What the executor is given: its store, its model, and what tests and rehearsals replace."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import datetime

from executor_service.decisions.policy_access import TenantAccess
from executor_service.engine.clock import now_utc
from executor_service.installation import Installation
from executor_service.ports import Monitor, WorkPool
from executor_service.workflows.sandbox.probing import SandboxesAtHand
from heartrule.domain.ids import new_id
from heartrule.domain.workflows import SandboxTier
from heartrule.model.ports import ChatModel
from session_store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """Which helpers of the dialogue model may run; the script decides which of them do."""

    analyses: bool = True
    """Rounds are analysed beside the conversation."""
    strategies: bool = True
    """The strategy engine is asked."""
    orchestration: bool = True
    """An analysis may lead to an edit of the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """What the executor does not create itself; tests and rehearsals give their own."""

    store: Store
    model: ChatModel
    monitor: Monitor | None = None
    """None: over gRPC at the address of the settings."""
    pool: WorkPool | None = None
    """Where scripts are checked, and decisions judged; None: worker processes, spawned when they
    are needed."""
    installation: Installation | None = None
    """None: read from the folder of the settings."""
    clock: Callable[[], datetime] = now_utc
    """The present, with a time zone, as scripts see it."""
    new_id: Callable[[str], str] = new_id
    """Creates the ids of messages, actions and model calls."""
    switches: Switches = Switches()
    run_address: str = ""
    """The store's, beside which the engine of runs keeps its tables; empty: runs are tasks of this
    process, and nothing outlives it."""
    access: TenantAccess | None = None
    """What the nodes of runs may use; None: what the policies open."""
    sandboxes: Container[SandboxTier] = field(default_factory=SandboxesAtHand)
    """Where code of a workflow's PYTHON nodes can run; by default what works on this machine, tried
    when a plan first needs it."""
