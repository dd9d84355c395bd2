"""A process wakes for runs when there are some."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from executor_service.decision_gate import decision_gate
from executor_service.decisions.ground import no_subagents
from executor_service.dependencies import Dependencies
from executor_service.failpoints import Failpoints
from executor_service.hub import SessionHub
from executor_service.process_runs import ProcessRuns, RunParts, run_parts
from executor_service.settings import ExecutorSettings
from executor_service.workflows.nodes.node_access import NO_ACCESS
from heartrule.chassis.config_files import InvalidConfigFile
from heartrule.chassis.settings import read
from heartrule.domain.keys import SessionKey
from session_store.records.kept_runs import QueuedRun
from tests.support.fake_model import FakeModel

KEY = SessionKey("t", "s")


@dataclass
class WrittenRuns:
    """What runs workflows, as far as it is told."""

    refusals: int = 0
    """How often it cannot begin."""
    done: list[str] = field(default_factory=list)
    stirred: asyncio.Event = field(default_factory=asyncio.Event)

    async def begin(self) -> None:
        """Begin, or fail."""
        self._note("begin")
        if self.refusals:
            self.refusals -= 1
            raise ConnectionError("the database is away")

    async def admit(self, key: SessionKey) -> None:
        """Note it."""
        self._note(f"admit {key.session_id}")

    async def resume(self, run_ids: Collection[str]) -> None:
        """Note it."""
        self._note(f"resume {(*run_ids,)}")

    async def cancel(self, run_id: str) -> None:
        """Note it."""
        self._note(f"cancel {run_id}")

    async def aclose(self, grace_s: float) -> None:
        """Note it."""
        self._note(f"close {grace_s:g}")

    def _note(self, what: str) -> None:
        self.done.append(what)
        self.stirred.set()


@dataclass
class StandingRuns:
    """A store with runs that somebody left."""

    left: tuple[QueuedRun, ...] = ()

    async def standing_runs(self, limit: int, after: str = "") -> tuple[QueuedRun, ...]:
        """Return them."""
        return self.left[:limit]

    async def find_admissible(self, _silent: object, _limit: int) -> tuple[SessionKey, ...]:
        """Return none."""
        return ()


@dataclass
class Process:
    """A process and what was composed in it."""

    runs: ProcessRuns
    composed: WrittenRuns
    names: list[str]


def process(
    *, slots: int = 2, is_shared: bool = False, left: int = 0, refusals: int = 0
) -> Process:
    """Return a process that sleeps."""
    queued = QueuedRun(key=KEY, run_id="r1", priority=5, create_time=datetime.now(UTC))
    store = cast("Any", StandingRuns((queued,) * left))
    parts = RunParts(
        slots=slots,
        pod_name="",
        is_shared=is_shared,
        given=Dependencies(store=store, model=FakeModel([])),
        gate=cast("Any", None),
        access=cast("Any", NO_ACCESS),
        hub=SessionHub(),
        failpoints=Failpoints(),
        threads=cast("Any", None),
    )
    composed, names = WrittenRuns(refusals=refusals), list[str]()

    def compose(_parts: RunParts, name: str) -> WrittenRuns:
        names.append(name)
        return composed

    return Process(ProcessRuns(parts, compose), composed, names)


@pytest.mark.parametrize(("slots", "reads"), [("0", False), ("1", True)])
def test_what_takes_runs_reads_their_secrets(tmp_path: Path, slots: str, *, reads: bool) -> None:
    """Executors beside workers know the policy, and need not have the file that it names."""
    policy = tmp_path / "policy.yaml"
    policy.write_text(f"default: {{secrets_file: {tmp_path / 'nowhere'}}}")
    environ = {"HEARTRULE_DECISION_POLICY": str(policy), "HEARTRULE_RUN_CONCURRENCY": slots}
    settings = read(ExecutorSettings, environ)
    given = Dependencies(store=cast("Any", StandingRuns()), model=FakeModel([]))
    gate = decision_gate(settings.decisions, given, no_subagents)
    with pytest.raises(InvalidConfigFile) if reads else nullcontext():
        run_parts(settings, given, gate, SessionHub(), threads=cast("Any", None))


async def test_a_process_sleeps_until_it_is_signalled() -> None:
    """A signal is acted on later; the first one composes what acts, once."""
    one = process()
    one.runs.begin(1)
    await one.runs.admit(KEY)
    assert one.names == []
    await one.runs.resume(["r1"])
    await one.runs.cancel("r2")
    await one.runs.drain(9)
    assert one.composed.done == ["begin", "admit s", "resume ('r1',)", "cancel r2", "close 4"]
    assert one.names == ["local"]


async def test_runs_that_were_left_wake_it() -> None:
    """Nobody signals what a dead process left."""
    one = process(left=1)
    one.runs.begin(1)
    await one.composed.stirred.wait()
    await one.runs.drain(0)
    assert one.composed.done == ["begin", "close 0"]


async def test_an_engine_that_cannot_begin_is_tried_again() -> None:
    """What one signal asked for is left to a sweep; it is composed but once."""
    one = process(refusals=1)
    await one.runs.admit(KEY)
    await one.runs.resume(["r1"])
    await one.runs.drain(9)
    assert one.composed.done == ["begin", "begin", "resume ('r1',)", "close 4"]
    assert len(one.names) == 1


async def test_on_a_file_a_process_without_slots_never_wakes() -> None:
    """Nobody could take the runs; the next process finds them."""
    one = process(slots=0, left=1)
    one.runs.begin(1)
    await one.runs.admit(KEY)
    await one.runs.drain(9)
    assert one.composed.done == []


async def test_a_process_among_others_is_named_by_where_it_is() -> None:
    """No two of them have one name."""
    one = process(slots=0, is_shared=True)
    one.runs.begin(5051)
    await one.runs.admit(KEY)
    await one.runs.drain(9)
    assert [each.rpartition(":")[2] for each in one.names] == ["5051"]
