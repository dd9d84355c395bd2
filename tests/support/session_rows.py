"""How many rows each session has in each table, and a session that has some in all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import sqlalchemy as sa

from heartrule.domain.keys import SessionKey
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from session_store.records import (
    ForkOrder,
    ProposedEdit,
    RetryOrder,
    Spending,
    SummaryRecord,
    TurnSnapshot,
)
from session_store.records.runs import NewArtifact
from session_store.sql.database.schema import metadata
from tests.support.store_back import TRIED
from tests.support.store_builders import (
    accept,
    advised,
    begun,
    call,
    judged_turn,
    last_step,
    opened,
    said,
    variable,
)
from tests.support.store_decisions import made, revision
from tests.support.store_edits import PLAN
from tests.support.store_runs import WELL, new_run, ran, taken
from tests.support.store_safety import raised
from tests.support.store_threads import opening, placeholder, says, well, wrote
from tests.support.store_variables import defining

NAMING_A_SESSION = ("session_id", "writer")
"""Columns whose row goes with the session they name; a fork outlives the one it was made of."""


def rows_by_session(db: sa.Connection) -> dict[str, Counter[str]]:
    """Return for each table that has such a column how many rows each session has in it."""
    return {
        table.name: Counter(db.execute(sa.select(column)).scalars())
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in NAMING_A_SESSION
    }


async def whole_life(store: Store) -> tuple[SessionKey, SessionKey]:
    """Lead a session through all that leaves a row, and return it with a fork of it."""
    mood = variable("mood", 1)
    key = await opened(
        store,
        user_id="u",
        variables=(mood,),
        definitions=(defining(mood),),
        labels={"study": "autumn"},
    )
    written = (variable("x", 1), variable("g", 1, VariableScope.GLOBAL))
    judged = await judged_turn(store, key, variables=written, calls=(call(input='["a"]'),))
    await advised(store)
    await propose(store, judged)
    await store.write_notes(key, {judged.turn_id: "well asked"})
    for number in range(2, 10):
        await _turn(store, key, f"m{number}")
    work = await store.summary_work(key, most=6_000)
    assert work is not None
    await store.write_summary(SummaryRecord(work=work, text="so far"))
    await _thread(store, key)
    await accept(store, key, "danger")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, safety=raised()))
    await store.record_refused(key, "refused", raised())
    await store.retry_turn(RetryOrder(key=key, text="never mind", client_message_id="again"))
    last = await begun(store, key)
    drafted = last_step(
        last, said("here"), decisions=(made(),), workflows=(revision(),), runs=(new_run(),)
    )
    await store.commit_step(last.lease, drafted)
    lease = (await taken(store)).lease
    chart = NewArtifact(name="chart", mime_type="image/png", content=b"chart")
    await ran(store, lease, "n0", "large" * 4_000, artifacts=(chart,))
    await store.finish_run(lease, WELL)
    await _turn(store, key, "after the run")
    await store.spend(Spending(key=key, llm_tokens=9, api_calls=1))
    fork = ForkOrder(source=key, session_id="f1", replacement=replace(TRIED, action_id="a9"))
    return key, (await store.fork_session(fork)).session.key


async def _thread(store: Store, key: SessionKey) -> None:
    """Have a sub-agent work in a thread to its end."""
    await accept(store, key, "look it up")
    snapshot, announced = await begun(store, key), placeholder()
    begins = last_step(snapshot, announced, **opening(announced, 2))
    await store.commit_step(snapshot.lease, begins)
    lease = (await taken(store, "run_2")).lease
    await wrote(store, lease, says(0, "thr_2"))
    await store.finish_thread(lease, well(thread_id="thr_2"))


async def _turn(store: Store, key: SessionKey, name: str) -> None:
    await accept(store, key, name)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said(f"re {name}")))


async def propose(store: Store, judged: TurnSnapshot) -> None:
    """Propose an edit because of a turn."""
    edit = PlanEdit(
        edit_id="e1", session_id="s1", cause_id="c1", phase_id="p1", topic_id="t1", plan=PLAN
    )
    await store.propose_edit(
        ProposedEdit(key=judged.lease.key, edit=edit, judged_turn_id=judged.turn_id)
    )
