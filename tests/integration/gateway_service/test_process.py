"""`python -m gateway_service` as a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys


def started(**environ: str) -> subprocess.Popen[str]:
    """Start the process with these variables."""
    return subprocess.Popen(
        [sys.executable, "-m", "gateway_service"],
        env={**os.environ, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_tells_its_port_and_leaves_on_a_signal() -> None:
    """The process says where it listens, executor or not, and ends with code 0 on SIGTERM."""
    with started(HEARTRULE_GATEWAY_PORT="0") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    assert line.startswith("gateway listening on 127.0.0.1:")
    assert (int(line.rsplit(":", 1)[1]) > 0, process.returncode) == (True, 0)


def test_wrong_settings() -> None:
    """Settings that are wrong are all named, and the code is 2; no secret is told."""
    wrong = {"HEARTRULE_GATEWAY_PORT": "x", "HEARTRULE_GATEWAY_BODY_LIMIT": "1"}
    with started(**wrong, HEARTRULE_GATEWAY_TOKEN="s3cret") as process:
        _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert all(name in told for name in wrong)
    assert "s3cret" not in told


def test_a_port_that_is_taken_is_said_so() -> None:
    """One sentence that names the variable."""
    with started(HEARTRULE_GATEWAY_PORT="0") as first:
        assert first.stdout is not None
        port = first.stdout.readline().rsplit(":", 1)[1].strip()
        with started(HEARTRULE_GATEWAY_PORT=port) as second:
            _, told = second.communicate(timeout=30)
        first.send_signal(signal.SIGTERM)
        first.communicate(timeout=30)
    assert second.returncode == 2
    assert f"HEARTRULE_GATEWAY_PORT: cannot listen on 127.0.0.1:{port}" in told
