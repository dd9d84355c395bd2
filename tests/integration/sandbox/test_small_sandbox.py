"""The tier SMALL runs code without libraries, in an interpreter that has nothing to reach."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from executor_service.workflows.python_code import SMALL_MODULES
from executor_service.workflows.sandbox.launcher import write_launcher
from executor_service.workflows.sandbox.sandbox_port import Sandbox
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import SandboxTier
from tests.support.sandboxes import failed, opened_sandbox, ran

GOOD = {
    "words": ("return {'total': sum(x['amount'] for x in rows)}", {"total": 5}),
    "a helper": ("def half(x):\n    return x / 2\nreturn [half(x['amount']) for x in rows]",
                 [1, 1.5]),
    "several lines of text": ("return '''a\n  b'''", "a\n  b"),
    "a try": ("try:\n    return 1 / 0\nexcept ZeroDivisionError as error:\n    return str(error)",
              "division by zero"),
    "json": ("import json\nreturn json.loads('[1, null]')", [1, None]),
    "a date": ("from datetime import date as d\nreturn str(d(2026, 2, 1))", "2026-02-01"),
    "a pattern": ("import re\nreturn re.findall(r'a+', 'aa b a')", ["aa", "a"]),
    "nothing": ("", None),
    "a number as a key": ("return {1: 2}", {"1": 2}),
    "Chinese": ("return '销售' + env['city']", "销售北京"),
}  # fmt: skip


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with opened_sandbox(SandboxTier.SMALL) as opened:
        yield opened


@pytest.mark.parametrize(("code", "value"), GOOD.values(), ids=GOOD.keys())
async def test_code_returns_a_value(sandbox: Sandbox, code: str, value: object) -> None:
    """What a node is written for."""
    rows = [{"amount": 2}, {"amount": 3}]
    assert (await ran(sandbox, code, rows=rows, env={"city": "北京"})).value == value


@pytest.mark.parametrize("module", sorted(SMALL_MODULES))
async def test_its_modules_are_there(sandbox: Sandbox, module: str) -> None:
    """The gate takes no code for this tier that it could not run."""
    assert (await ran(sandbox, f"import {module}\nreturn 1")).value == 1


async def test_the_clock_is_read(sandbox: Sandbox) -> None:
    """Today is the only thing that code learns of its machine."""
    code = "from datetime import date, datetime\nreturn [date.today().year, datetime.now().year]"
    years = (await ran(sandbox, code)).value
    assert isinstance(years, list)
    assert min(map(int, map(str, years))) >= 2026


async def test_an_error_names_its_line(sandbox: Sandbox) -> None:
    """So that who wrote the code can correct it."""
    code, message = await failed(sandbox, "x = 0\nreturn 1 / x")
    assert code is RunErrorCode.CODE_ERROR
    assert message == "`return 1 / x`: ZeroDivisionError: division by zero"


async def test_a_job_leaves_nothing_to_the_next(sandbox: Sandbox) -> None:
    """Workers are used again, sessions are not."""
    await ran(sandbox, "global left\nleft = 1\nreturn 1")
    code, _ = await failed(sandbox, "return left")
    assert code is RunErrorCode.CODE_ERROR


async def test_jobs_run_side_by_side(sandbox: Sandbox) -> None:
    """More of them than workers."""
    results = await asyncio.gather(*(ran(sandbox, "return n * n", n=n) for n in range(12)))
    assert [each.value for each in results] == [n * n for n in range(12)]


async def test_what_code_prints_is_not_heard(
    sandbox: Sandbox, capfd: pytest.CaptureFixture[str]
) -> None:
    """A stranger's text is no line of the executor's output."""
    await ran(sandbox, "print('secret' * 10_000)\nreturn 1")
    assert "secret" not in "".join(capfd.readouterr())


def test_a_worker_reads_its_own_program_alone(tmp_path: Path) -> None:
    """The launcher confines whatever it becomes; here it becomes a program that reads files."""
    (tmp_path / "canary").write_text("alive")
    script = write_launcher(tmp_path, "/bin/cat")
    for path in ("/etc/passwd", "/proc/self/environ", str(tmp_path / "canary")):
        done = subprocess.run([script, path], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (1, ""), path
        assert "Permission denied" in done.stderr
