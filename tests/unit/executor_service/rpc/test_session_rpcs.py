"""The rpcs about sessions, called without a server."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, cast

import pytest

from executor_service.rpc.history_rpcs import HistoryRpcs
from executor_service.rpc.session_rpcs import SessionRpcs
from executor_service.scripts.model.settings import Declaration, InputSettings
from executor_service.settings import TurnSettings
from heartrule.domain.conversation import IfBusy
from heartrule.domain.errors import InvalidRequest, NotFound, NotReady
from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableScope
from heartrule.v1 import erasure_pb2, session_pb2
from session_store.records import NewSession, ScriptRecord, SessionRecord, TurnSnapshot
from session_store.sql.database.engine_sqlite import MemoryEngine
from session_store.sql.store import SqlStore
from tests.support.engine_builders import PLACE, ask, script
from tests.support.store_builders import user_input
from tests.support.turn_builders import House, OneScript, house, idle

NOWHERE = cast("Any", None)
DECLARED = Declaration(var="语气", value="温和", scope=VariableScope.SESSION, place=PLACE)
SCRIPT = script(ask(), session_name="初谈", declarations=(DECLARED,))


class Noting(SqlStore):
    """A store that notes what was created."""

    def __init__(self) -> None:
        super().__init__(MemoryEngine())
        self.created: list[NewSession] = []

    async def create_session(self, new: NewSession) -> SessionRecord:
        """Create it, and note it where it was not made before."""
        record = await super().create_session(new)
        self.created += [new] if record.key == new.key else []
        return record


@dataclass
class Desk:
    """The rpcs over one process."""

    home: House
    store: Noting
    shelf: OneScript
    rpcs: SessionRpcs

    async def start(self, **fields: Any) -> session_pb2.Session:
        """Start a session."""
        request = session_pb2.StartSessionRequest(script_id="s", **fields)
        return (await self.rpcs.StartSession(request, NOWHERE)).session


async def desk(**defaults: Any) -> Desk:
    """Return the rpcs with one published script."""
    store = Noting()
    home, shelf = house(store=store), OneScript(SCRIPT)
    record = ScriptRecord(tenant="default", script_id="s", version="v1", main="s.yaml", files={})
    await home.store.save_script(record)
    deps = replace(home.streams, scripts=shelf, settings=TurnSettings(**defaults))
    return Desk(home, store, shelf, SessionRpcs(deps))


async def test_a_session_is_created_and_nothing_runs() -> None:
    """Opening it is InitializeSession's, Converse's or the first message's (C28)."""
    one = await desk()
    session = await one.start(user_id="u1")
    assert (session.script_id, session.script_version, session.title) == ("s", "v1", "初谈")
    assert session.status == session_pb2.Session(status="EXECUTION_STATUS_RUNNING").status
    assert one.home.attempts.run == []


async def test_a_session_takes_the_servers_defaults_where_nobody_says() -> None:
    """Locale, time zone, merge window and the length of a message."""
    limits = {"merge_window_ms": 1_000, "max_input_chars": 300}
    one = await desk(locale="en-US", time_zone="Asia/Tokyo", **limits)
    session = await one.start()
    assert (session.locale, session.time_zone) == ("en-US", "Asia/Tokyo")
    (new,) = one.store.created
    assert (new.locale, new.language) == ("en-US", "")
    assert (new.merge_window, new.max_input_chars) == (timedelta(seconds=1), 300)


async def test_the_script_decides_before_the_server() -> None:
    """Its own window, its way with inputs during a turn, and its limit of their length."""
    one = await desk(merge_window_ms=1_000)
    settings = InputSettings(if_busy=IfBusy.QUEUE, merge_window_ms=250, max_input_chars=50_000)
    one.shelf.script = replace(SCRIPT, input=settings)
    await one.start()
    (new,) = one.store.created
    assert (new.if_busy, new.merge_window) == (IfBusy.QUEUE, timedelta(milliseconds=250))
    assert new.max_input_chars == 50_000


async def test_declared_values_are_there_from_the_start() -> None:
    """Session variables the author declared are visible before the first turn."""
    one = await desk()
    session = await one.start()
    request = session_pb2.GetExecutionStateRequest(session_id=session.session_id)
    state = (await one.rpcs.GetExecutionState(request, NOWHERE)).state
    assert state.variables["语气"].string_value == "温和"


async def test_the_same_request_id_gives_the_same_session() -> None:
    """Starting is safe to repeat."""
    one = await desk()
    first, again = await one.start(request_id="r1"), await one.start(request_id="r1")
    assert first.session_id == again.session_id
    assert len(one.store.created) == 1


async def test_an_unknown_script_starts_nothing() -> None:
    """NOT_FOUND names the script."""
    one = await desk()
    request = session_pb2.StartSessionRequest(script_id="other")
    with pytest.raises(NotFound):
        await one.rpcs.StartSession(request, NOWHERE)


async def test_reading_a_session_takes_up_what_nobody_runs() -> None:
    """Any request for a session looks after it."""
    one = await desk()
    session = await one.start()
    key = SessionKey("default", session.session_id)
    await one.home.store.accept_input(key, user_input("m1"))
    request = session_pb2.GetSessionRequest(session_id=session.session_id)
    await one.rpcs.GetSession(request, NOWHERE)
    await idle(one.home)
    assert one.home.attempts.merged() == [[], ["m1"]]


async def test_a_session_of_a_script_that_no_longer_loads_is_still_listed() -> None:
    """It has no title, and hides no other session."""
    one = await desk()
    await one.start()
    one.shelf.script = NotReady("old", reason="SCRIPT_NO_LONGER_LOADS")
    listed = await one.rpcs.ListSessions(session_pb2.ListSessionsRequest(), NOWHERE)
    assert [session.title for session in listed.sessions] == [""]


async def test_sessions_are_listed_for_one_user() -> None:
    """Newest first; another user's are not among them."""
    one = await desk()
    wanted = [(await one.start(user_id=name)).session_id for name in ("u1", "u2", "u1")]
    request = session_pb2.ListSessionsRequest(user_id="u1")
    listed = (await one.rpcs.ListSessions(request, NOWHERE)).sessions
    assert [session.session_id for session in listed] == [wanted[2], wanted[0]]


async def test_variables_are_paged() -> None:
    """By scope and name; the token leads to the rest."""
    one = await desk()
    names = ("甲", "乙", "丙")
    made = tuple(replace(DECLARED, var=name) for name in names)
    one.shelf.script = replace(SCRIPT, declarations=made)
    session = await one.start()
    seen, token = [], ""
    while True:
        request = session_pb2.ListVariablesRequest(
            session_id=session.session_id, page_size=2, page_token=token
        )
        page = await HistoryRpcs(one.home.store, one.shelf).ListVariables(request, NOWHERE)
        seen += [variable.name for variable in page.variables]
        token = page.next_page_token
        if not token:
            break
    assert seen == sorted(names)


async def test_deleting_a_session_wakes_its_watchers() -> None:
    """Every stream of it looks into the store, and ends with NOT_FOUND."""
    one = await desk()
    session = await one.start()
    watcher = one.home.hub.subscribe(SessionKey("default", session.session_id))
    request = erasure_pb2.DeleteSessionRequest(session_id=session.session_id)
    await one.rpcs.DeleteSession(request, NOWHERE)
    assert watcher.take_behind()


async def test_deleting_a_users_data_wakes_the_watchers_of_each_session() -> None:
    """Every session of the user is gone, and the answer says how many."""
    one = await desk()
    session = await one.start(user_id="u1")
    watcher = one.home.hub.subscribe(SessionKey("default", session.session_id))
    request = erasure_pb2.DeleteUserDataRequest(user_id="u1")
    erased = await one.rpcs.DeleteUserData(request, NOWHERE)
    assert (erased.deleted_session_count, watcher.take_behind()) == (1, True)


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("StartSession", session_pb2.StartSessionRequest()),
        ("GetSession", session_pb2.GetSessionRequest()),
        ("DeleteSession", erasure_pb2.DeleteSessionRequest()),
        ("DeleteUserData", erasure_pb2.DeleteUserDataRequest()),
    ],
)
async def test_an_empty_id_is_refused_with_its_field(method: str, request_: Any) -> None:
    """INVALID_ARGUMENT names what is missing."""
    one = await desk()
    with pytest.raises(InvalidRequest) as caught:
        await getattr(one.rpcs, method)(request_, NOWHERE)
    assert caught.value.violations[0].field.endswith("_id")


async def test_a_history_without_a_session_is_refused() -> None:
    """Every list of a session names the empty field."""
    one = await desk()
    with pytest.raises(InvalidRequest) as caught:
        await HistoryRpcs(one.home.store, one.shelf).ListMessages(
            session_pb2.ListMessagesRequest(), NOWHERE
        )
    assert caught.value.violations[0].field == "session_id"


async def test_labels_are_told_and_changed() -> None:
    """A session has those it was started with until the mask names them."""
    one = await desk()
    session = await one.start(labels={"study": "autumn", "seen": "no"})
    assert dict(session.labels) == {"study": "autumn", "seen": "no"}
    request = session_pb2.UpdateSessionRequest(
        session_id=session.session_id, labels={"seen": "yes"}
    )
    request.update_mask.paths.extend(["labels.seen", "labels.study"])
    changed = (await one.rpcs.UpdateSession(request, NOWHERE)).session
    assert (dict(changed.labels), changed.title) == ({"seen": "yes"}, "初谈")


async def test_notes_are_told_to_those_who_ask_for_them() -> None:
    """Neither a plain read nor a list has them; a change of labels does not either."""
    one = await desk()
    session = await one.start()
    key = SessionKey("default", session.session_id)
    opened = await one.store.begin_opening(key, owner="me", ttl=timedelta(minutes=1))
    assert isinstance(opened, TurnSnapshot)
    request = session_pb2.UpdateSessionRequest(
        session_id=session.session_id, notes={opened.turn_id: "停得好"}
    )
    request.update_mask.paths.append(f"notes.{opened.turn_id}")
    changed = (await one.rpcs.UpdateSession(request, NOWHERE)).session
    asked = session_pb2.GetSessionRequest(session_id=session.session_id, with_notes=True)
    told = (await one.rpcs.GetSession(asked, NOWHERE)).session
    assert dict(changed.notes) == dict(told.notes) == {opened.turn_id: "停得好"}
    plain = session_pb2.GetSessionRequest(session_id=session.session_id)
    listed = await one.rpcs.ListSessions(session_pb2.ListSessionsRequest(), NOWHERE)
    relabel = session_pb2.UpdateSessionRequest(session_id=session.session_id)
    relabel.update_mask.paths.append("labels.a")
    others = [
        (await one.rpcs.GetSession(plain, NOWHERE)).session,
        (await one.rpcs.UpdateSession(relabel, NOWHERE)).session,
        *listed.sessions,
    ]
    assert [dict(each.notes) for each in others] == [{}, {}, {}]
