"""What confines a process that runs strangers' code; the process applies it to itself."""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
from collections.abc import Iterable
from dataclasses import dataclass

from executor_service.workflows.sandbox import seccomp
from executor_service.workflows.sandbox.landlock import (
    MAKE_REG,
    READ_DIR,
    READ_FILE,
    TRUNCATE,
    WRITE_FILE,
    PathRule,
    restrict,
)

READ = READ_FILE | READ_DIR
WRITE_IN_FOLDER = READ | WRITE_FILE | MAKE_REG | TRUNCATE
"""Files are made and rewritten there; none is removed or renamed, so all that lie there count."""
SYSTEM_LIBRARIES = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
)
SYSTEM_DATA = ("/usr/share/zoneinfo", "/usr/share/fonts", "/usr/local/share/fonts")

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessLimits:
    """Limits of the kernel on one process."""

    memory: int
    """Bytes of addresses."""
    file_bytes: int
    """Bytes of one file."""
    open_files: int
    cpu_s: int | None = None
    """Seconds of processor time; None: no limit."""


def end_with_parent(parent: int) -> None:
    """Have this process killed when its parent ends, and end it if that has happened."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit(limits: ProcessLimits) -> None:
    """Set the limits; nothing that this process runs can raise them again."""
    wanted = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }
    if limits.cpu_s is not None:
        wanted[resource.RLIMIT_CPU] = limits.cpu_s
    for which, most in wanted.items():
        resource.setrlimit(which, (most, most))


def confine(*, reads: Iterable[str], folder: str, limits: ProcessLimits) -> None:
    """Allow this process to read the paths, to write in the folder, and nothing else, for good.

    Raises:
        LandlockMissing: The kernel has no Landlock.
        KeyError: The machine is of a kind whose system calls are not known.
        OSError: The kernel refused.
    """
    program = seccomp.filter_program(platform.machine())
    rules = [PathRule(path, READ) for path in (*reads, *SYSTEM_LIBRARIES, *SYSTEM_DATA)]
    restrict([*rules, PathRule(folder, WRITE_IN_FOLDER)])
    limit(limits)
    seccomp.install(program)
