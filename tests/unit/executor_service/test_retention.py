"""Which classes a sweep deletes (docs/operations/database.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.settings import StoreSettings
from executor_service.sweeps import RetentionSweep
from heartrule.domain.errors import NotFound
from heartrule.domain.events import Outcome
from session_store.records import Page
from tests.support.store_builders import accept, begun, call, last_step, opened, said
from tests.support.store_runs import WELL, ran, working
from tests.support.stores import sqlite_store

AT_ONCE = 1e-9


@pytest.mark.parametrize(
    ("settings", "left"),
    [
        (StoreSettings(), "whole"),
        (StoreSettings(metric_days=AT_ONCE), "whole"),
        (StoreSettings(event_days=AT_ONCE), "no events"),
        (StoreSettings(session_days=AT_ONCE), "nothing"),
        (StoreSettings(session_days=1, event_days=1, metric_days=1), "whole"),
    ],
)
async def test_a_sweep_deletes_the_classes_that_are_set(
    tmp_path: Path, settings: StoreSettings, left: str
) -> None:
    """0 days keep a class for ever; others go when they are older."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await accept(store, key)
        snapshot = await begun(store, key)
        bye = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED)
        await store.commit_step(snapshot.lease, bye)
        await RetentionSweep(store, settings).sweep()
        try:
            assert (await store.list_messages(key, Page()))[0]
            found = "whole" if await store.read_events(key, 0) else "no events"
        except NotFound:
            found = "nothing"
    assert found == left


async def test_the_ledger_loses_its_texts_by_its_own_setting(tmp_path: Path) -> None:
    """Texts go after 30 days unless another number is set."""
    async with sqlite_store(tmp_path) as store:
        key = await opened(store)
        await accept(store, key)
        snapshot = await begun(store, key)
        step = last_step(snapshot, calls=(call(input="prompt"),))
        await store.commit_step(snapshot.lease, step)
        prompts = []
        for days in (30.0, AT_ONCE):
            await RetentionSweep(store, StoreSettings(ledger_text_days=days)).sweep()
            prompts += [each.input for each in (await store.list_calls(key, Page()))[0]]
    assert prompts == ["prompt", ""]


async def test_runs_lose_their_outputs_by_their_own_setting(tmp_path: Path) -> None:
    """They go after 30 days unless another number is set; states stay."""
    async with sqlite_store(tmp_path) as store:
        key, lease = await working(store)
        await ran(store, lease, "n0", "output")
        await store.finish_run(lease, WELL)
        outputs = []
        for days in (30.0, AT_ONCE):
            await RetentionSweep(store, StoreSettings(run_output_days=days)).sweep()
            outputs += [each.record.output for each in (await store.get_run(key, "run_1")).nodes]
    assert outputs == ["output", None]
