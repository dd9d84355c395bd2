"""Opens sandboxes for a test, and starts programs that meet other circumstances than the tests."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from executor_service.workflows.node_failed import NodeFailed
from executor_service.workflows.sandbox.probing import open_sandbox
from executor_service.workflows.sandbox.sandbox_port import (
    Sandbox,
    SandboxJob,
    SandboxResult,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import SandboxTier
from tests.support.require import lacking
from tests.support.source_tree import ROOT

UNHURRIED_S = 60.0


@asynccontextmanager
async def opened_sandbox(tier: SandboxTier) -> AsyncIterator[Sandbox]:
    """Open a sandbox, and close it."""
    sandbox = open_sandbox(tier)
    try:
        yield sandbox
    finally:
        await sandbox.aclose()


async def ran(
    sandbox: Sandbox,
    code: str,
    files: Mapping[str, bytes] | None = None,
    timeout_s: float = UNHURRIED_S,
    **inputs: JsonValue,
) -> SandboxResult:
    """Run code in plenty of time."""
    job = SandboxJob(code=code, inputs=inputs, files=files or {}, timeout_s=timeout_s)
    return await sandbox.run(job)


async def failed(sandbox: Sandbox, code: str) -> tuple[RunErrorCode, str]:
    """Return code and message of a job that has no result."""
    try:
        result = await ran(sandbox, code)
    except NodeFailed as error:
        return error.failure.code, error.failure.message
    raise AssertionError(f"it returned {result.value!r}")


@contextmanager
def unprivileged() -> Iterator[list[str]]:
    """Yield the beginning of a command that runs Python, with all packages, as nobody.

    Interpreter, packages and project may lie in folders that root alone enters, so they are
    mounted where nobody finds them, for that process alone.
    """
    if os.geteuid() != 0:
        yield [sys.executable]
        return
    with tempfile.TemporaryDirectory(prefix="heartrule-nobody-") as made:
        place = Path(made)
        place.chmod(0o755)
        mounts = {
            "python": Path(sys.base_prefix),
            "packages": Path(sysconfig.get_path("purelib")),
            "project": ROOT,
        }
        for name in mounts:
            (place / name).mkdir()
        _make_environment(place)
        steps = [
            shlex.join(["mount", "--bind", str(at), str(place / name)])
            for name, at in mounts.items()
        ]
        drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
        python = shlex.join([*drop, str(place / "venv/bin/python")])
        script = " && ".join(
            [*steps, f"cd {shlex.quote(str(place / 'project'))}", f'exec {python} "$@"']
        )
        yield ["unshare", "--mount", "sh", "-c", script, "sh"]


def _make_environment(place: Path) -> None:
    """Write an environment whose programs and packages are those of the running one."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    venv = place / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "lib" / version).mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {place}/python/bin\n")
    (venv / "bin/python").symlink_to(place / "python/bin" / version)
    (venv / "lib" / version / "site-packages").symlink_to(place / "packages")
    scripts = Path(sysconfig.get_path("scripts"))
    (venv / "bin/monty").write_bytes((scripts / "monty").read_bytes())
    (venv / "bin/monty").chmod(0o755)


def run_unprivileged(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the arguments as nobody, or as the running user where that is not root."""
    with unprivileged() as command:
        done = subprocess.run(
            [*command, *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": ".", "PYTHONDONTWRITEBYTECODE": "1"},
        )  # fmt: skip
    if done.returncode and "mount" in done.stderr:
        lacking("mounting folders is not allowed here")
    return done
