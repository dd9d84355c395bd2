"""The tier PROCESS does what analysts write."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from executor_service.workflows.sandbox.sandbox_port import Sandbox
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import SandboxTier
from tests.support.require import lacking
from tests.support.sandboxes import UNHURRIED_S, failed, opened_sandbox, ran
from tests.support.source_tree import ROOT

ENDLESS = """
import asyncio, os
from pathlib import Path
from executor_service.workflows.sandbox.process_sandbox import ProcessSandbox
from executor_service.workflows.sandbox.sandbox_port import SandboxJob

async def main():
    job = SandboxJob(code="while True:\\n    pass", timeout_s=600)
    running = asyncio.create_task(ProcessSandbox().run(job))
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    while not (found := children.read_text().split()):
        await asyncio.sleep(0)
    print(found[0], flush=True)
    await running

asyncio.run(main())
"""

TREND = (
    "import pandas as pd\ndf = pd.DataFrame(rows)\n"
    "trend = df.groupby('month')['amount'].sum()\nreturn {'trend': trend.to_dict()}"
)
CHART = (
    "import matplotlib.pyplot as plt\nplt.plot(list(trend.keys()), list(trend.values()))\n"
    "plt.title('销售')\nplt.savefig('trend.png')\nreturn {'chart_path': 'trend.png'}"
)


def fonts_here() -> list[str]:
    """Return the names of the files of fonts that a sandbox may read."""
    places = map(Path, ("/usr/share/fonts", "/usr/local/share/fonts"))
    return [each.name for place in places for each in place.rglob("*.tt[cf]")]


def begun(folder: Path) -> bool:
    return any(folder.glob("*/begun"))


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with opened_sandbox(SandboxTier.PROCESS) as opened:
        yield opened


async def test_pandas_groups_rows(sandbox: Sandbox) -> None:
    """The example of document 002, with its inputs."""
    rows: JsonValue = [
        {"month": "01", "amount": 3},
        {"month": "02", "amount": 4},
        {"month": "01", "amount": 5},
    ]
    assert (await ran(sandbox, TREND, rows=rows)).value == {"trend": {"01": 8, "02": 4}}


async def test_a_chart_becomes_a_file(sandbox: Sandbox) -> None:
    """Its name stays the value; its bytes are a picture."""
    result = await ran(sandbox, CHART, trend={"01": 8, "02": 4})
    assert result.value == {"chart_path": "trend.png"}
    assert result.files["trend.png"].startswith(b"\x89PNG")
    assert result.files.keys() == {"trend.png"}


async def test_a_chart_has_chinese_letters(sandbox: Sandbox) -> None:
    """Without a word about fonts, where the machine has one with them."""
    if not any(name in each for each in fonts_here() for name in ("wqy", "NotoSansCJK")):
        lacking("no font with Chinese letters is installed")
    strict = "import warnings\nwarnings.simplefilter('error')\n"
    assert (await ran(sandbox, strict + CHART, trend={"01": 8, "02": 4})).files


async def test_a_file_of_an_earlier_node_is_read(sandbox: Sandbox) -> None:
    """It lies in the folder under its name, and does not become a file of this node."""
    code = "import pandas as pd\nreturn [int(pd.read_csv('given.csv')['n'].sum()), 'given.csv']"
    result = await ran(sandbox, code, files={"given.csv": b"n\n1\n2\n"})
    assert (result.value, result.files) == ([3, "given.csv"], {})


async def test_numbers_of_numpy_are_numbers(sandbox: Sandbox) -> None:
    """Sums and columns need no conversion by the author."""
    code = "import numpy as np\nreturn [np.int64(3), np.array([1.5, 2]), np.bool_(True)]"
    assert (await ran(sandbox, code)).value == [3, [1.5, 2.0], True]


async def test_inputs_are_variables(sandbox: Sandbox) -> None:
    """They may be assigned anew, and an input goes before the `env` of the run."""
    code = "import numpy\nrows = rows + [3]\nreturn [rows, env]"
    assert (await ran(sandbox, code, rows=[1])).value == [[1, 3], {}]
    assert (await ran(sandbox, "import numpy\nreturn env", env="mine")).value == "mine"


async def test_an_error_names_its_line(sandbox: Sandbox) -> None:
    """So that who wrote the code can correct it."""
    code, message = await failed(sandbox, "import numpy\nx = 0\nreturn 1 / x")
    assert code is RunErrorCode.CODE_ERROR
    assert message == "line 3, `return 1 / x`: ZeroDivisionError: division by zero"


async def test_jobs_run_side_by_side(sandbox: Sandbox) -> None:
    """Each in a folder of its own."""
    code = "open('x', 'a').write(n)\nreturn open('x').read()"
    results = await asyncio.gather(*(ran(sandbox, code, n=f"{n}") for n in range(6)))
    assert [each.value for each in results] == [f"{n}" for n in range(6)]


async def test_a_cancelled_job_is_over(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its process is killed and its folder removed before the cancellation is told."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = "open('begun', 'w')\nwhile True:\n    pass"
    job = asyncio.create_task(ran(sandbox, code))
    while not await asyncio.to_thread(begun, tmp_path):
        pass
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert not await asyncio.to_thread(begun, tmp_path)


def test_a_job_ends_with_its_executor(tmp_path: Path) -> None:
    """However the executor dies, no code of strangers goes on without it."""
    executor = subprocess.Popen(
        [sys.executable, "-c", ENDLESS], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert executor.stdout is not None
    with executor, executor.stdout as told:
        child = os.pidfd_open(int(told.readline()))
        executor.send_signal(signal.SIGKILL)
    ended, _, _ = select.select([child], [], [], UNHURRIED_S)
    os.close(child)
    assert ended == [child]
