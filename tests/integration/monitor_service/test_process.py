"""`python -m monitor_service` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

MODEL = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "HEARTRULE_MODEL": "none"}


def started(**environ: str) -> subprocess.Popen[str]:
    """Start the process with a clean environment and these variables."""
    return subprocess.Popen(
        [sys.executable, "-m", "monitor_service"],
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_tells_its_port_and_leaves_on_a_signal() -> None:
    """The process says where it listens, and ends with code 0 on SIGTERM."""
    with started(HEARTRULE_MONITOR_PORT="0", **MODEL) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert line.startswith("monitor listening on 127.0.0.1:")
    assert int(line.rsplit(":", 1)[1]) > 0
    assert process.returncode == 0


def test_wrong_settings() -> None:
    """Settings that are wrong are all named, and the code is 2."""
    with started(HEARTRULE_MONITOR_PORT="x", HEARTRULE_LOG_LEVEL="loud") as process:
        _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "HEARTRULE_MONITOR_PORT" in told
    assert "HEARTRULE_LOG_LEVEL" in told


def test_no_model() -> None:
    """Without a model there is nothing to judge with, and the error says what to set."""
    with started(HEARTRULE_MONITOR_PORT="0") as process:
        _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "HEARTRULE_MODEL" in told
