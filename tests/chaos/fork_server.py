"""Forks services out of a process that has imported all of them: a start costs tenths of a second.

A request is one packet on the socket, a JSON object, with the ends of two files: where the service
prints, and where it logs. Answers are packets as well: `started` with the pid, `ended` with the
code. When the other side goes away, every service is killed: nothing stays behind.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import random
import select
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import TypedDict

LARGEST = 65_536
MODULES = {
    "executor_service": "executor_service.executor_process",
    "monitor_service": "monitor_service.__main__",
}
"""Where the `main` of each service is."""
_LAZY = (
    "openai",
    "aiohttp",
    "psycopg",
    "uvloop",
    "alembic.command",
    "alembic.runtime.migration",
    "dbos",
    "executor_service.run_composition",
    "heartrule.model.openai_chat",
    "heartrule.model.openai_client",
    "session_store.sql.database.engine_postgres",
    "session_store.sql.database.engine_sqlite",
)
"""What services import when they need it."""
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Request(TypedDict):
    """What to start."""

    number: int
    module: str
    folder: str
    environ: dict[str, str]
    patches: list[str]


def main(socket_number: int) -> None:
    """Serve requests until the other side is gone."""
    for name in (*MODULES.values(), *_LAZY):
        importlib.import_module(name)
    line = socket.socket(fileno=socket_number)
    wake, woken = os.pipe()
    for end in (wake, woken):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    alive: set[int] = set()
    _tell(line, {"ready": os.getpid()})
    while True:
        ready, _, _ = select.select([line.fileno(), wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
            _bury(line, alive)
        if line.fileno() in ready and not _serve(line, alive, (wake, woken)):
            break
    for pid in alive:
        os.kill(pid, signal.SIGKILL)


def _serve(line: socket.socket, alive: set[int], ours: tuple[int, int]) -> bool:
    """Start what the next packet asks for; False where there is none any more."""
    try:
        data, files, _, _ = socket.recv_fds(line, LARGEST, 2)
    except ConnectionResetError:  # it went away before it had read our last answer
        return False
    if not data:
        return False
    request: Request = json.loads(data)
    pid = os.fork()
    if pid == 0:
        line.close()
        for end in ours:
            os.close(end)
        _become(request, files[0], files[1])
    for file in files:
        os.close(file)
    alive.add(pid)
    _tell(line, {"started": request["number"], "pid": pid})
    return True


def _bury(line: socket.socket, alive: set[int]) -> None:
    while alive:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        alive.discard(pid)
        _tell(line, {"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _tell(line: socket.socket, answer: dict[str, int]) -> None:
    try:
        line.send(json.dumps(answer).encode())
    except OSError:  # the other side is gone; the next read says so
        pass


def _become(request: Request, printed: int, logged: int) -> None:
    """Be the service; never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        os.dup2(printed, 1)
        os.dup2(logged, 2)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environ"])
        random.seed()
        for patch in request["patches"]:
            name, _, argument = patch.partition(":")
            importlib.import_module(f"tests.chaos.patches.{name}").apply(argument)
        life = importlib.import_module("heartrule.chassis.lifecycle")
        code = life.run(importlib.import_module(MODULES[request["module"]]).main)
    except BaseException:  # noqa: BLE001  the log must have it, and this process must end here
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main(int(sys.argv[1]))
