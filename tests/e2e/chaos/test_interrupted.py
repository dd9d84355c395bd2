"""Whoever ends a run of chaos ends all of it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.chaos.processes import ROOT
from tests.chaos.watching import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120), pytest.mark.xdist_group("chaos")]
LONG = pytest.mark.long(
    short="tests/e2e/chaos/test_interrupted.py::test_an_interrupted_run_leaves_no_process_and_no_file"
)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=LONG)])
async def test_an_interrupted_run_leaves_no_process_and_no_file(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Services, model and folders are gone when the command is, which says that it was ended."""
    run = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.chaos", "--faults", "kill,stop", "--database", "sqlite",
        cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert await until(partial(a_service_runs, tmp_path), within_s=60), "nothing was begun"
    run.send_signal(number)
    assert await run.wait() == 130
    assert those_in(tmp_path) == []
    assert os.listdir(tmp_path) == []  # noqa: PTH208  nothing else runs that could be blocked


async def a_service_runs(folder: Path) -> bool:
    """Whether the first kill has its processes."""
    return any("kill-" in each for each in those_in(folder))


def those_in(folder: Path) -> list[str]:
    """Return the working folders of all processes that work in a folder or below it."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):  # it ended meanwhile, or is not ours
            found.append(str(each.readlink()))
    return [each for each in found if each.startswith(str(folder))]
