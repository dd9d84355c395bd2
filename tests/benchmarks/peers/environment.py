"""The peers' own environment: made once under a cache folder, from pinned requirements."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import sys
from pathlib import Path

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
_MINUTES = 5


class NoEnvironment(Exception):
    """The environment could not be made; the text says why."""


def folder_of(requirements: bytes) -> Path:
    """Return where an environment of these requirements lies."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "heartrule" / f"bench-peers-{hashlib.sha256(requirements).hexdigest()[:12]}"


async def peers_python() -> str:
    """Return the Python of the peers' environment, which is made where it is not there.

    Raises:
        NoEnvironment: Packages cannot be had, or not in time.
    """
    folder = folder_of(REQUIREMENTS.read_bytes())
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return str(python)
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    for command in _commands(folder, python):
        await _run(command)
    (folder / "complete").touch()
    return str(python)


def _commands(folder: Path, python: Path) -> list[list[str]]:
    """Return what makes it: with uv where that is installed beside us, else with venv and pip."""
    wanted = ["-r", str(REQUIREMENTS)]
    uv = Path(sys.executable).with_name("uv")
    if uv.exists():
        return [
            [str(uv), "venv", "--quiet", "--python", sys.executable, str(folder)],
            [str(uv), "pip", "install", "--quiet", "--python", str(python), *wanted],
        ]
    return [
        [sys.executable, "-m", "venv", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", *wanted],
    ]


async def _run(command: list[str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(60 * _MINUTES):
            output, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise NoEnvironment(f"packages did not arrive within {_MINUTES} minutes") from None
    if process.returncode:
        last = output.decode(errors="replace").strip().splitlines() or ["no word why"]
        raise NoEnvironment(f"packages cannot be installed: {last[-1]}")
