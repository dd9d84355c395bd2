"""Leaving in order."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from heartrule.chassis.lifecycle import Lifecycle, Step, run, warm_up
from heartrule.chassis.settings import SettingsError


def noted(notes: list[str], text: str) -> Step:
    async def step() -> None:
        notes.append(text)

    return step


async def test_announce_drain_close_in_that_order() -> None:
    """Others are told first, work ends next, resources close last opened first."""
    life, notes = Lifecycle(), list[str]()
    for name in ("store", "server"):
        life.close(name, noted(notes, f"close {name}"))
    life.drain("turns", noted(notes, "drain"))
    life.announce("health", noted(notes, "announce"))
    await life.leave()
    assert notes == ["announce", "drain", "close server", "close store"]


async def test_a_step_that_fails_or_hangs_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What comes after a broken step still runs."""

    async def fail() -> None:
        raise RuntimeError("boom")

    life, notes = Lifecycle(grace_s=0.01), list[str]()
    life.announce("broken", fail)
    life.drain("endless", asyncio.Event().wait)
    life.close("store", noted(notes, "closed"))
    await life.leave()
    assert notes == ["closed"]
    warned = [record for record in caplog.records if record.levelname != "INFO"]
    assert [vars(record)["step"] for record in warned] == ["broken", "endless"]


def test_a_process_that_is_stopped_leaves_with_code_0() -> None:
    """`stop` is a normal end, and what was opened is closed."""
    notes = list[str]()

    async def main(life: Lifecycle) -> None:
        life.close("store", noted(notes, "closed"))
        life.stop("test")

    assert (run(main), notes) == (0, ["closed"])


def test_wrong_settings_end_with_code_2_and_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """A person reads what to mend, without a stack trace."""

    async def main(life: Lifecycle) -> None:
        raise SettingsError(("HEARTRULE_PORT: too large",))

    assert run(main) == 2
    assert capsys.readouterr().err == "1 setting is wrong:\n  HEARTRULE_PORT: too large\n"


def test_a_failed_start_closes_what_was_opened() -> None:
    """Code 1, and no resource left behind."""
    notes = list[str]()

    async def main(life: Lifecycle) -> None:
        life.close("store", noted(notes, "closed"))
        raise RuntimeError("boom")

    assert (run(main), notes) == (1, ["closed"])


@pytest.fixture
def collector() -> Iterator[None]:
    """Restore the collector's settings."""
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.enable()
    gc.set_threshold(*threshold)


@pytest.mark.usefixtures("collector")
def test_objects_of_the_start_are_frozen() -> None:
    """Objects made before the call are no longer examined; new ones are collected as before."""
    kept: list[list[int]] = [[]]
    warm_up()
    assert gc.get_freeze_count() > 0
    assert not any(each is kept for each in gc.get_objects())
    new = [1]
    assert any(each is new for each in gc.get_objects())


@pytest.mark.usefixtures("collector")
def test_the_collector_runs_after_the_start() -> None:
    """A start that switched the collector off has it on again when it is over."""
    gc.disable()
    warm_up()
    assert gc.isenabled()
