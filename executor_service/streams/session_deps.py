"""What the streams and the rpcs of sessions need."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.assets.pictures import Pictures
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.turn_reading import SessionReader
from executor_service.hub import SessionHub
from executor_service.ports import RunStarter, ScriptLibrary, WorkPool
from executor_service.safety.opt_out import OptOutPolicy
from executor_service.settings import TurnSettings
from executor_service.streams.client_inputs import ClientInputs
from executor_service.turns.session_workers import SessionWorkers
from session_store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDeps:
    """Shared by all streams and session rpcs of a process."""

    store: Store
    hub: SessionHub
    turns: SessionWorkers
    inputs: ClientInputs
    scripts: ScriptLibrary
    check_pool: WorkPool
    """Where scripts are checked."""
    judging: JudgingBeside
    """Judges the decisions of operators."""
    read_session: SessionReader
    """Reads what the gate may know before an operator's decision is judged."""
    runs: RunStarter
    """Told of runs that decisions began, changed or cancelled."""
    pictures: Pictures
    settings: TurnSettings
    """Among them what counts for sessions whose script and caller name nothing."""
    opt_outs: OptOutPolicy
    """Whether a session may begin on a script that turns the crisis path off."""
