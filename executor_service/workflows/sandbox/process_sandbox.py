"""The tier PROCESS: a confined child process with pandas, numpy and matplotlib."""

from __future__ import annotations

import asyncio
import math
import os
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.sandbox.answers import read_answer
from executor_service.workflows.sandbox.job_folder import JobFolder, remove_left
from executor_service.workflows.sandbox.sandbox_port import (
    MOST_RESULT_BYTES,
    SandboxJob,
    SandboxResult,
)
from heartrule.domain.runs import RunErrorCode

AT_ONCE = 4
"""Processes at once, each of up to a gibibyte of memory; further jobs wait."""
LOOK_S = 0.05
"""Seconds between two looks at how much the code has written."""

_FONTS_S = 60.0
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from executor_service.workflows.sandbox.child import main; main()"
)
# matplotlib takes a letter from the first family of the list that has it.
_WITH_CHINESE = (
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Source Han Sans SC",
)
_FONTS = f"""\
import sys; sys.path.append(sys.argv[1])
from matplotlib.font_manager import fontManager
there = {{each.name for each in fontManager.ttflist}}
wanted = ["DejaVu Sans", *(each for each in {_WITH_CHINESE!r} if each in there)]
with open("matplotlibrc", "w") as file:
    file.write("font.family: " + ", ".join(wanted[:2]))
"""
_ROOT = str(Path(__file__).resolve().parents[3])
_LIBRARIES = str(Path(os.__file__).parent)


class ProcessSandbox:
    """Runs each job in a new process, which is killed with its group when its time is over."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._free = asyncio.Semaphore(AT_ONCE)
        self._preparing = asyncio.Lock()
        self._fonts: str | None = None
        self._is_tidy = False

    async def run(self, job: SandboxJob) -> SandboxResult:
        """Return what the code returned, with the files that it wrote and named."""
        async with self._free:
            if not self._is_tidy:
                self._is_tidy = True
                await asyncio.to_thread(remove_left)
            packages = _packages()
            fonts = await self._font_list(packages) if "matplotlib" in job.code else ""
            try:
                folder = await asyncio.to_thread(JobFolder, job.files)
            except OSError as error:
                text = f"The code's folder could not be made ({type(error).__name__})."
                raise failed(RunErrorCode.SANDBOX_GONE, text) from error
            try:
                request = await asyncio.to_thread(_request, job, packages, fonts, folder)
                answer = await _answer(request, folder, fonts, job.timeout_s)
                value = await asyncio.to_thread(read_answer, answer)
                files = await asyncio.to_thread(folder.named_in, value)
                return SandboxResult(value=value, files=files)
            finally:
                await asyncio.to_thread(folder.remove)

    async def aclose(self) -> None:
        """Remove what matplotlib is told of fonts."""
        if self._fonts:
            await asyncio.to_thread(shutil.rmtree, self._fonts, ignore_errors=True)
            self._fonts = None

    async def _font_list(self, packages: str) -> str:
        """Return a folder with matplotlib's list of fonts, which takes seconds, and its settings.

        No code of strangers runs here, and none can write there.
        """
        async with self._preparing:
            if self._fonts is None:
                made = await asyncio.to_thread(tempfile.mkdtemp, prefix="heartrule-fonts-")
                process = await _started(_FONTS, packages, folder=made, fonts=made)
                try:
                    async with asyncio.timeout(_FONTS_S):
                        await process.communicate()
                except TimeoutError:
                    pass
                finally:
                    await _ended(process)
                if process.returncode:
                    await asyncio.to_thread(shutil.rmtree, made, ignore_errors=True)
                    text = "matplotlib could not list the fonts of this machine."
                    raise failed(RunErrorCode.SANDBOX_GONE, text)
                self._fonts = made
            return self._fonts


async def _answer(request: bytes, folder: JobFolder, fonts: str, timeout_s: float) -> bytes:
    """Return what the process wrote; it has ended then.

    Raises:
        NodeFailed: It wrote nothing, took too long or wrote too much.
    """
    process = await _started(_START, _ROOT, folder=str(folder.path), fonts=fonts)
    watching = asyncio.create_task(_stop_overfull(process, folder))
    try:
        async with asyncio.timeout(timeout_s):
            answer = await _exchanged(process, request)
            status = await process.wait()
    except TimeoutError:
        text = f"The code took longer than {timeout_s:g} s."
        raise failed(RunErrorCode.TIMEOUT, text) from None
    finally:
        watching.cancel()
        await _ended(process)
        (overfull,) = await asyncio.gather(watching, return_exceptions=True)
    if overfull is True:
        raise failed(RunErrorCode.LIMIT, "The code wrote too many or too large files.")
    if not answer:
        raise _without_answer(status)
    return answer


def _packages() -> str:
    found = find_spec("pandas")
    if found is None or found.origin is None or find_spec("matplotlib") is None:
        text = "pandas and matplotlib are not installed: pip install 'heartrule[analysis]'."
        raise failed(RunErrorCode.REFUSED, text)
    return str(Path(found.origin).parents[1])


def _request(job: SandboxJob, packages: str, fonts: str, folder: JobFolder) -> bytes:
    return orjson.dumps(
        {
            "code": job.code,
            "values": {"env": job.env, **job.inputs},
            "folder": str(folder.path),
            "libraries": [_LIBRARIES, f"{_LIBRARIES}/lib-dynload"],
            "packages": packages,
            "reads": [fonts] if fonts else [],
            "parent": os.getpid(),
            # The clock is looked at here; the kernel's limit holds where this process is gone.
            "cpu_s": math.ceil(job.timeout_s) + 1,
        }
    )


def _environment(fonts: str) -> Mapping[str, str]:
    """Return all that the process has of an environment."""
    # A thread would be refused: one for the numbers is enough.
    alone = dict.fromkeys((f"{name}_NUM_THREADS" for name in ("OPENBLAS", "OMP")), "1")
    return {"MPLBACKEND": "Agg", **alone, **({"MPLCONFIGDIR": fonts} if fonts else {})}


async def _started(program: str, argument: str, *, folder: str, fonts: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", program, argument,
        stdin=PIPE, stdout=PIPE, stderr=DEVNULL, cwd=folder, env=_environment(fonts),
        start_new_session=True,
    )  # fmt: skip


async def _exchanged(process: Process, request: bytes) -> bytes:
    """Send the request, and return the answer up to the first byte too many."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(ConnectionError):  # it has ended, and its status says why
        process.stdin.write(request)
        await process.stdin.drain()
        process.stdin.close()
    answer = bytearray()
    while len(answer) <= MOST_RESULT_BYTES and (more := await process.stdout.read(65_536)):
        answer += more
    if len(answer) > MOST_RESULT_BYTES:
        _kill(process)
    return bytes(answer)


async def _stop_overfull(process: Process, folder: JobFolder) -> bool:
    """Return True when the process is killed for what it wrote."""
    # Nothing tells what another process wrote.
    while not await asyncio.to_thread(folder.is_overfull):  # noqa: ASYNC110
        await asyncio.sleep(LOOK_S)
    _kill(process)
    return True


def _kill(process: Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


async def _ended(process: Process) -> None:
    _kill(process)
    await process.wait()


def _without_answer(status: int) -> NodeFailed:
    """Return why a process ended without an answer."""
    if status == -signal.SIGXCPU:
        return failed(RunErrorCode.TIMEOUT, "The code took too much processor time.")
    if status in {-signal.SIGKILL, -signal.SIGTERM}:
        return failed(RunErrorCode.SANDBOX_GONE, "The code's process was killed.")
    return failed(RunErrorCode.CODE_ERROR, f"The code ended its process (status {status}).")
