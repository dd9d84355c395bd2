"""The process of one job: it confines itself, runs the code, and writes what became of it.

It is started by `executor_service.workflows.sandbox.process_sandbox` as a Python without site
packages, reads a request from its input, and knows the standard library and this package alone.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from executor_service.workflows.sandbox.confinement import ProcessLimits, confine, end_with_parent
from executor_service.workflows.sandbox.landlock import LandlockMissing
from executor_service.workflows.sandbox.node_function import node_function
from executor_service.workflows.sandbox.sandbox_port import (
    MEBIBYTE,
    MOST_FILE_BYTES,
    MOST_RESULT_BYTES,
)
from heartrule.domain.runs import LONGEST_FAILURE, RunErrorCode

MEMORY = 1024 * MEBIBYTE
"""Of addresses: pandas and matplotlib take a third of them."""
OPEN_FILES = 64

_SOURCE = "<node>"


def main() -> None:
    """Carry out the request; the process is over then, whatever the code left behind."""
    request = json.loads(sys.stdin.buffer.read())
    end_with_parent(request["parent"])
    # What the code prints goes nowhere; the answer goes where nobody else's words go.
    answers = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    # Only what the confinement lets it read is left to import from.
    sys.path[:] = [*request["libraries"], request["packages"]]
    _write(answers, _answer(request))
    os._exit(0)


def _answer(request: Mapping[str, Any]) -> bytes:
    try:
        confine(
            reads=(*request["libraries"], request["packages"], *request["reads"]),
            folder=request["folder"],
            limits=ProcessLimits(
                memory=MEMORY,
                file_bytes=MOST_FILE_BYTES,
                open_files=OPEN_FILES,
                cpu_s=request["cpu_s"],
            ),
        )
    except (LandlockMissing, KeyError, OSError) as error:
        text = f"The process could not be confined ({type(error).__name__})."
        return _failure(RunErrorCode.SANDBOX_GONE, text)
    try:
        value = _function(request["code"], request["values"])(**request["values"])
    except BaseException as error:  # noqa: BLE001  code may raise whatever it likes
        return _failure(_code_of(error), _told(error, request["code"]))
    return _value(value)


def _function(code: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    function = node_function(code, names, "node")
    module = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    made: dict[str, Any] = {}
    exec(compile(module, _SOURCE, "exec", dont_inherit=True), {"__name__": "node"}, made)  # noqa: S102  what this process is for
    found: Callable[..., Any] = made["node"]
    return found


def _code_of(error: BaseException) -> RunErrorCode:
    if isinstance(error, MemoryError | RecursionError):
        return RunErrorCode.LIMIT
    # The limit of a file's size; a disk without room.
    full = isinstance(error, OSError) and error.errno in {27, 28}
    return RunErrorCode.LIMIT if full else RunErrorCode.CODE_ERROR


def _told(error: BaseException, code: str) -> str:
    """Return the error in words, with the line of the code that it came from."""
    place = error.lineno if isinstance(error, SyntaxError) else None
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == _SOURCE:
            place = frame.tb_lineno
        frame = frame.tb_next
    try:
        said = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  its own words fail
        said = type(error).__name__
    lines = code.splitlines()
    if place is None or not 0 < place <= len(lines):
        return said[:LONGEST_FAILURE]
    return f"line {place}, `{lines[place - 1].strip()[:80]}`: {said}"[:LONGEST_FAILURE]


def _value(value: object) -> bytes:
    try:
        text = json.dumps(value, allow_nan=False, default=_plain, ensure_ascii=False)
        encoded = text.encode()
    except MemoryError:
        return _failure(RunErrorCode.LIMIT, "The result takes too much memory.")
    except (TypeError, ValueError, RecursionError) as error:
        return _failure(
            RunErrorCode.UNREADABLE, f"The result is no JSON: {error}"[:LONGEST_FAILURE]
        )
    answer = b'{"value":' + encoded + b"}"
    if len(answer) > MOST_RESULT_BYTES:
        return _failure(RunErrorCode.LIMIT, f"The result has more than {MOST_RESULT_BYTES} bytes.")
    return answer


def _plain(value: Any) -> Any:
    """Return a number or an array of numpy's, or a Series, as JSON has it."""
    try:
        return value.tolist()
    except AttributeError:
        raise TypeError(f"{type(value).__name__} is not JSON") from None


def _failure(code: RunErrorCode, message: str) -> bytes:
    return json.dumps({"failure": {"code": code, "message": message}}).encode()


def _write(answers: int, answer: bytes) -> None:
    left = memoryview(answer)
    while left:
        left = left[os.write(answers, left) :]
