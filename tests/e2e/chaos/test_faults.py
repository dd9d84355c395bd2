"""A little of every fault over real processes; `make chaos` runs all of them, and longer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from tests.chaos.faults import (
    abuse,
    clock,
    database,
    disk,
    kill,
    leave,
    model,
    outage,
    planted,
    runs,
    stop,
    threads,
    workers,
)
from tests.chaos.fork_reports import NotStarted
from tests.chaos.options import SHORT
from tests.chaos.patches.planted import PLANTS
from tests.chaos.processes import MissingTool
from tests.chaos.result import Result
from tests.chaos.services import Shape
from tests.chaos.world import WITH_AGENT, World, open_world
from tests.support.require import lacking

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(400),
    pytest.mark.slow,
    pytest.mark.xdist_group("chaos"),
]
A_LITTLE = replace(SHORT, kills=1, stops=1, streams=8, outage_s=1.5, timed=False)
KILLED = "tests/e2e/chaos/test_faults.py::test_a_process_killed_in_a_commit_loses_nothing"
KILLED_IN_NODE = (
    "tests/e2e/chaos/test_faults.py::test_a_process_killed_within_a_node_runs_nothing_again"
)
KILLED_IN_THREAD = (
    "tests/e2e/chaos/test_faults.py::test_a_process_killed_at_a_checkpoint_goes_on_in_its_phase"
)
PLACES_OF_THREADS = (
    "thread_opened",
    "phase_moved",
    "nested_ended",
    "in_checkpoint",
    "result_committed",
)
PLACES_OF_RUNS = (
    "inside_llm",
    "inside_database",
    "inside_condition",
    "inside_python",
    "inside_loop",
    "after_decision",
    "node_ended",
    "sweep_listed",
    "handing_over",
)
PLACES = ("after_accept", "mid_stream", "after_commit", "stopped", "after_leave", "alert_claimed")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def world() -> AsyncIterator[World]:
    """Share the processes and what an undisturbed run gives."""
    async with open_world(seed=11) as opened:
        yield opened


async def with_postgres(world: World) -> World:
    """Return the world where PostgreSQL is installed; the test is skipped elsewhere."""
    try:
        await world.database("postgresql", world.folder)
    except MissingTool as reason:
        lacking(str(reason))
    return world


def verdict(result: Result) -> list[str]:
    """Return what is wrong, or skip where this machine lacks something."""
    if result.skipped:
        lacking(result.skipped)
    assert result.kills > 0, "nothing was done to it"
    return result.violations


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_process_killed_in_a_commit_loses_nothing(world: World, kind: str) -> None:
    """What clients were told is kept, and sessions stand as if nothing had happened."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await kill.kill_at(world, kind, "in_commit", A_LITTLE)) == []


@pytest.mark.long(short=KILLED)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("place", PLACES)
async def test_a_process_killed_anywhere_loses_and_doubles_nothing(
    world: World, kind: str, place: str
) -> None:
    """The same at every other place of a turn."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await kill.kill_at(world, kind, place, A_LITTLE)) == []


@pytest.mark.long(short="tests/unit/chaos/test_deciding.py::test_a_planted_fault_is_named")
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_process_killed_while_an_agent_decides_doubles_nothing(
    world: World, kind: str
) -> None:
    """No decision is lost, doubled, or executed without its verdict."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await kill.kill_at(world, kind, "in_commit", A_LITTLE, WITH_AGENT)) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_process_killed_within_a_node_runs_nothing_again(world: World, kind: str) -> None:
    """Finished nodes are not called again, each call has one key, the run ends as undisturbed."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await runs.kill_in_runs(world, kind, "inside_http", 1)) == []


@pytest.mark.long(short=KILLED_IN_NODE)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("place", PLACES_OF_RUNS)
async def test_a_process_killed_anywhere_in_a_run_runs_nothing_again(
    world: World, kind: str, place: str
) -> None:
    """The same inside each type of node, and at places of its own that real processes come by."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await runs.kill_in_runs(world, kind, place, 1)) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_process_killed_at_a_checkpoint_goes_on_in_its_phase(
    world: World, kind: str
) -> None:
    """Three threads deep no message is lost or doubled, and no placeholder is left."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await threads.kill_in_threads(world, kind, "message_written", 1)) == []


@pytest.mark.long(short=KILLED_IN_THREAD)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("place", PLACES_OF_THREADS)
async def test_a_process_killed_anywhere_in_a_thread_goes_on_in_its_phase(
    world: World, kind: str, place: str
) -> None:
    """The same at the other checkpoints, and within the transaction of one."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await threads.kill_in_threads(world, kind, place, 1)) == []


@pytest.mark.long(short=KILLED_IN_THREAD)
async def test_the_sweep_of_another_process_goes_on_with_a_thread(world: World) -> None:
    """Who died stays away until the runs have ended."""
    await with_postgres(world)
    what = f"phase_moved{threads.SWEPT}"
    assert verdict(await threads.kill_in_threads(world, "postgresql", what, 1)) == []


@pytest.mark.long(short=KILLED_IN_NODE)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_run_outlives_the_tables_of_dbos(world: World, kind: str) -> None:
    """Dropped between a kill and the restart, all runs end, and nothing that ended runs again."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await workers.tried(world, kind, "dropped", workers.forgotten)) == []


@pytest.mark.long(
    short="tests/integration/workflows/test_durable_engine.py::test_runs_whose_workers_died_are_driven_one_at_a_time"
)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_a_node_that_kills_its_worker_harms_no_other_run(world: World, kind: str) -> None:
    """It is failed after its sixth worker died; runs that died with it end as undisturbed ones."""
    if kind == "postgresql":
        await with_postgres(world)
    assert verdict(await workers.tried(world, kind, "poison", workers.poisoned)) == []


@pytest.mark.long(short=KILLED_IN_NODE)
async def test_a_worker_that_slept_is_fenced_off(world: World) -> None:
    """It wakes after its run was taken over, or cancelled, and writes and calls nothing."""
    await with_postgres(world)
    assert verdict(await workers.tried(world, "postgresql", "sleep", workers.stopped)) == []


@pytest.mark.long(short=KILLED_IN_NODE)
async def test_fewer_workers_lose_no_run(world: World) -> None:
    """From three to one, each asked to leave."""
    await with_postgres(world)
    assert verdict(await workers.tried(world, "postgresql", "fewer", workers.fewer)) == []


@pytest.mark.long(short="tests/contract/store/test_leases.py::test_a_fenced_holder_writes_nothing")
async def test_a_stopped_holder_is_fenced_off(world: World) -> None:
    """It wakes after its lease was taken over, and writes nothing."""
    await with_postgres(world)
    assert verdict(await stop.stopped(world, "postgresql", A_LITTLE)) == []


@pytest.mark.long(short="tests/contract/store/test_leases.py::test_a_lease_ends_with_its_time")
async def test_a_wrong_clock_takes_no_lease_before_its_time(world: World) -> None:
    """A replica a day ahead takes over when the lease has run out, and dies when it is killed."""
    assert verdict(await clock.skewed(await with_postgres(world), "+1d", A_LITTLE)) == []


async def test_a_command_that_would_outlive_its_service_is_refused(world: World) -> None:
    """Killing it would leave the service behind it running, which once happened to `faketime`."""
    shape = Shape(monitor=False, prefixes={"executor1": ("sh", "-c", '"$@"; :', "sh")})
    database = await world.database("sqlite", world.new_folder("wrapped"))
    with pytest.raises(NotStarted, match="sh comes before the service"):
        async with world.scene("wrapped", database, world.new_folder("wrapped"), shape):
            pass


@pytest.mark.long(
    short="tests/integration/executor/test_leaving.py::test_a_running_turn_ends_before_the_server_stops"
)
async def test_a_server_that_leaves_loses_no_turn(world: World) -> None:
    """Every live stream hears GoingAway, and every client is answered."""
    assert verdict(await leave.leaving(world, "sqlite", A_LITTLE)) == []


@pytest.mark.long(
    short="tests/integration/executor/test_leaving.py::test_an_input_accepted_while_leaving_is_answered_by_the_next_process"
)
async def test_a_rolling_restart_is_not_noticed(world: World) -> None:
    """Clients who retry see no error."""
    assert verdict(await leave.rolling(await with_postgres(world), A_LITTLE)) == []


@pytest.mark.long(
    short="tests/integration/store/test_lost_connection.py::test_a_step_is_committed_once"
)
async def test_a_database_that_crashes_loses_nothing(world: World) -> None:
    """Two immediate restarts of PostgreSQL."""
    server = (await with_postgres(world)).postgres
    assert server is not None
    assert verdict(await database.crashing(world, server, A_LITTLE)) == []


@pytest.mark.long(
    short="tests/integration/store/test_full_disk.py::test_work_goes_on_when_there_is_room_again"
)
async def test_a_full_disk_acknowledges_nothing(world: World) -> None:
    """Not ready, alive, reading on, and well again by itself."""
    options = replace(A_LITTLE, databases=("sqlite",))
    assert [verdict(result) async for result in disk.run(world, options)] == [[]]


@pytest.mark.long(
    short="tests/integration/executor/test_monitor_outage.py::test_an_outage_delays_no_reply_and_loses_no_report"
)
async def test_a_monitor_that_is_away_keeps_nobody_waiting(world: World) -> None:
    """Its reports are delivered afterwards, or on record as dropped."""
    assert verdict(await outage.away(world, "sqlite", A_LITTLE)) == []


@pytest.mark.long(short="tests/unit/chaos/test_checker.py::test_a_broken_database_is_named")
@pytest.mark.parametrize("plant", PLANTS)
async def test_the_checker_sees_a_planted_fault(world: World, plant: str) -> None:
    """A checker that finds nothing in a broken product proves nothing of a sound one."""
    if plant == "fence_skipped":
        await with_postgres(world)
    assert verdict(await planted.planted(world, plant, A_LITTLE)) == []


@pytest.mark.long(
    short="tests/integration/executor/test_model_failures.py::test_a_stream_cut_within_a_sentence_is_voided_and_fails_retryable"
)
async def test_whatever_a_models_server_does_no_text_is_doubled(world: World) -> None:
    """Turns end with the right status, a retry ends them well; a failing model is left alone."""
    results = [result async for result in model.run(world, A_LITTLE)]
    assert [each for result in results for each in result.violations] == []
    assert results[-2].kills == 5


@pytest.mark.long(
    short="tests/integration/chassis/test_server.py::test_a_megabyte_and_a_bit_is_taken_and_more_is_refused"
)
async def test_who_misuses_the_port_harms_nobody_else(world: World) -> None:
    """Others' turns go on beside floods, resets and frames that are none; the executor stays."""
    results = [result async for result in abuse.run(world, A_LITTLE)]
    assert [each for result in results for each in result.violations] == []
    assert sum(result.kills for result in results) > 100
