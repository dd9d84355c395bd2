"""What StartSession creates: its request checked, and the values that nobody named filled in."""

from __future__ import annotations

from datetime import timedelta

from executor_service.engine.clock import now_utc
from executor_service.scripts.model.script import Script
from executor_service.scripts.script_language import language_of_script
from executor_service.settings import TurnSettings
from executor_service.variables.declared import definitions_of, session_values
from executor_service.variables.migration import migrate_state
from heartrule.domain.conversation import IfBusy
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.v1 import session_pb2
from heartrule.wire.json_values import read_struct
from heartrule.wire.label_parsing import check_labels
from heartrule.wire.request_parsing import allow, require
from session_store.records import NewSession


def check_start(request: session_pb2.StartSessionRequest) -> None:
    """Check the names and labels of a request.

    Raises:
        InvalidRequest: One is absent, too long or malformed.
    """
    require(script_id=request.script_id)
    allow(user_id=request.user_id, request_id=request.request_id, locale=request.locale)
    check_labels(request.labels)


def new_session(
    request: session_pb2.StartSessionRequest,
    script: Script,
    version: str,
    settings: TurnSettings,
) -> NewSession:
    """Return the session that a checked request creates; its id is new."""
    now = now_utc()
    # A session of another engine goes on here with the variables it had.
    moved = request.HasField("imported_state")
    imported = migrate_state(read_struct(request.imported_state), now) if moved else ()
    merge_window_ms = script.input.merge_window_ms or settings.merge_window_ms
    return NewSession(
        key=SessionKey(DEFAULT_TENANT, new_id("ses")),
        script_id=script.session_id,
        script_version=version,
        user_id=request.user_id,
        locale=request.locale or settings.locale,
        language=request.locale or _of_script(script, settings),
        time_zone=request.time_zone or settings.time_zone,
        request_id=request.request_id,
        if_busy=IfBusy(script.input.if_busy),
        merge_window=timedelta(milliseconds=merge_window_ms),
        max_input_chars=script.input.max_input_chars or settings.max_input_chars,
        strategy_engine=request.strategy_engine if request.HasField("strategy_engine") else None,
        variables=(*session_values(script.declarations, now), *imported),
        definitions=definitions_of(script),
        labels=dict(request.labels),
    )


def _of_script(script: Script, settings: TurnSettings) -> str:
    """Return the language of a script that is not the server's; else the client's words decide."""
    language = language_of_script(script)
    return "" if settings.locale.lower().startswith(language) else language
