"""What the streams and the rpcs of sessions need."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from executor_service.assets.pictures import Pictures
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.turn_reading import SessionReader
from executor_service.hub import SessionHub
from executor_service.ports import RunStarter, ScriptLibrary, WorkPool
from executor_service.safety.opt_out import ANY, OptOutPolicy
from executor_service.settings import TurnSettings
from executor_service.streams.client_inputs import ClientInputs
from executor_service.turns.session_workers import SessionWorkers
from heartrule.domain.input_limit import DEFAULT_MAX_INPUT_CHARS
from session_store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDefaults:
    """Values for sessions whose script and caller name none."""

    locale: str = "zh-CN"
    time_zone: str = ""
    merge_window: timedelta = timedelta(0)
    max_input_chars: int = DEFAULT_MAX_INPUT_CHARS


def session_defaults(settings: TurnSettings) -> SessionDefaults:
    """Return the defaults that the settings of a process name."""
    return SessionDefaults(
        locale=settings.locale,
        time_zone=settings.time_zone,
        merge_window=timedelta(milliseconds=settings.merge_window_ms),
        max_input_chars=settings.max_input_chars,
    )


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
    pictures: Pictures | None = None
    """None: every picture is sent by its address."""
    heartbeat: timedelta = timedelta(seconds=15)
    defaults: SessionDefaults = SessionDefaults()
    opt_outs: OptOutPolicy = ANY
    """Whether a session may begin on a script that turns the crisis path off."""
