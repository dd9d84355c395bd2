"""Becomes the worker of the small interpreter, confined by Landlock where the kernel has it.

The library spawns its workers itself and takes no more than a program's path; that program is a
script which starts this module in a Python without site packages.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from executor_service.workflows.sandbox.confinement import (
    READ,
    SYSTEM_LIBRARIES,
    ProcessLimits,
    limit,
)
from executor_service.workflows.sandbox.landlock import (
    EXECUTE,
    PathRule,
    landlock_version,
    restrict,
)
from executor_service.workflows.sandbox.sandbox_port import MEBIBYTE

_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
_LIMITS = ProcessLimits(memory=1024 * MEBIBYTE, file_bytes=0, open_files=64)
_START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from executor_service.workflows.sandbox.launcher import main; main()"
)
_ROOT = str(Path(__file__).resolve().parents[3])


def write_launcher(folder: Path, program: str) -> Path:
    """Write a script that becomes the program, confined; return its path."""
    python = (sys.executable, "-I", "-S", "-B", "-c", _START, _ROOT, program)
    script = folder / "worker"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(python)} "$@"\n')
    script.chmod(0o500)
    return script


def main() -> None:
    """Confine this process, and become the program that the first argument names."""
    program, *arguments = sys.argv[1:]
    if landlock_version():
        restrict(_rules(program))
    limit(_LIMITS)
    os.execve(program, [program, *arguments], {})  # noqa: S606  the library's own worker


def _rules(program: str) -> Iterable[PathRule]:
    yield PathRule(program, READ | EXECUTE)
    for loader in _LOADERS:
        yield PathRule(loader, READ | EXECUTE)
    for path in SYSTEM_LIBRARIES:
        yield PathRule(path, READ)
