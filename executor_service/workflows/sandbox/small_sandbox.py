"""The tier SMALL: an interpreter of its own with a short list of modules, in a pool of workers."""

from __future__ import annotations

import ast
import asyncio
import shutil
import sysconfig
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.sandbox.answers import read_value
from executor_service.workflows.sandbox.launcher import write_launcher
from executor_service.workflows.sandbox.node_function import node_function
from executor_service.workflows.sandbox.sandbox_port import (
    MEBIBYTE,
    SandboxJob,
    SandboxResult,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode

if TYPE_CHECKING:
    from pydantic_monty import AsyncMonty, MontyError

MEMORY = 128 * MEBIBYTE
"""Of the values of one job."""
DEPTH = 200
"""Calls in one another; the stack of the worker itself holds more."""
AT_ONCE = 4
"""Workers at once, of some megabytes each."""

_PROGRAM = "monty"
_NAME = "__node__"
# The value crosses as one text: nothing of it is built here before its size is known.
_SHELL = f"import json as __json__\n__json__.dumps({_NAME}(**__json__.loads(__given__)))"
# The worker ends what takes too long itself; this is for one that does not.
_GRACE_S = 0.5


class SmallSandbox:
    """Runs each job in a session of its own; files of earlier nodes cannot be opened there."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._starting = asyncio.Lock()
        self._pool: AsyncMonty | None = None
        self._folder: str | None = None

    async def run(self, job: SandboxJob) -> SandboxResult:
        """Return what the code returned; it has no files."""
        from pydantic_monty import MontyError

        pool = await self._started()
        source, given = await asyncio.to_thread(_prepared, job)
        try:
            async with asyncio.timeout(job.timeout_s + _GRACE_S):
                text = await _fed(pool, source, given, job.timeout_s)
        except TimeoutError:
            raise _too_long(job) from None
        except MontyError as error:
            raise _failure(error, job) from error
        if not isinstance(text, str):
            raise failed(RunErrorCode.UNREADABLE, "The result is no JSON.")
        value = await asyncio.to_thread(_read, text)
        return SandboxResult(value=value)

    async def aclose(self) -> None:
        """End the workers."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.__aexit__(None, None, None)
        if self._folder:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
            self._folder = None

    async def _started(self) -> AsyncMonty:
        from pydantic_monty import AsyncMonty

        async with self._starting:
            if self._pool is None:
                launcher = await asyncio.to_thread(self._launcher)
                pool = AsyncMonty(binary_path=launcher, max_processes=AT_ONCE)
                try:
                    await pool.__aenter__()
                except (OSError, RuntimeError) as error:
                    text = f"The interpreter's worker did not start ({type(error).__name__})."
                    raise failed(RunErrorCode.SANDBOX_GONE, text) from error
                self._pool = pool
            return self._pool

    def _launcher(self) -> Path:
        program = shutil.which(_PROGRAM, path=sysconfig.get_path("scripts"))
        if program is None:
            text = "The interpreter's worker is not installed."
            raise failed(RunErrorCode.SANDBOX_GONE, text)
        self._folder = self._folder or tempfile.mkdtemp(prefix="heartrule-monty-")
        return write_launcher(Path(self._folder), program)


async def _fed(pool: AsyncMonty, source: str, given: str, timeout_s: float) -> object:
    async with pool.checkout(
        script_name="node",
        limits={
            "max_feed_duration_secs": timeout_s,
            "max_total_sleep_secs": timeout_s,
            "max_memory": MEMORY,
            "max_recursion_depth": DEPTH,
        },
    ) as session:
        inputs = {"__given__": given}
        answer: object = await session.feed_run(source, inputs=inputs, print_callback=_unheard)
        return answer


def _prepared(job: SandboxJob) -> tuple[str, str]:
    """Return a program whose last line is the JSON of what the code returns, and its values."""
    values: Mapping[str, JsonValue] = {"env": job.env, **job.inputs}
    try:
        made = ast.parse(_SHELL)
        made.body.insert(1, node_function(job.code, values, _NAME))
        source = ast.unparse(ast.fix_missing_locations(made))
    except (SyntaxError, ValueError, RecursionError) as error:
        text = f"The code cannot be read as Python ({type(error).__name__})."
        raise failed(RunErrorCode.CODE_ERROR, text) from error
    return source, orjson.dumps(values).decode()


def _read(text: str) -> JsonValue:
    try:
        return read_value(text.encode())
    except UnicodeEncodeError:
        raise failed(RunErrorCode.UNREADABLE, "The result is no JSON.") from None


def _failure(error: MontyError, job: SandboxJob) -> NodeFailed:
    """Return what an error of the interpreter means for the node."""
    from pydantic_monty import MontyCrashedError, MontyRuntimeError

    if isinstance(error, MontyCrashedError):
        if error.timed_out:
            return _too_long(job)
        return failed(RunErrorCode.SANDBOX_GONE, "The interpreter's worker ended.")
    raised = error.exception()
    if isinstance(raised, MemoryError | RecursionError):
        return failed(RunErrorCode.LIMIT, f"{type(raised).__name__}: {raised}")
    if isinstance(raised, TimeoutError):
        return _too_long(job)
    said = f"{type(raised).__name__}: {raised}"
    if not isinstance(error, MontyRuntimeError):
        return failed(RunErrorCode.CODE_ERROR, said)
    inside = [frame for frame in error.traceback() if frame.function_name not in {None, "<module>"}]
    if not inside:
        return failed(RunErrorCode.UNREADABLE, f"The result is no JSON: {raised}")
    line = (inside[-1].source_line or "").strip()[:80]
    return failed(RunErrorCode.CODE_ERROR, f"`{line}`: {said}")


def _too_long(job: SandboxJob) -> NodeFailed:
    return failed(RunErrorCode.TIMEOUT, f"The code took longer than {job.timeout_s:g} s.")


def _unheard(_stream: str, _text: str) -> None:
    """Keep nothing of what the code prints."""
