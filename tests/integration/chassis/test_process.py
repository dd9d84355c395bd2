"""A process that is told to stop."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import asyncio, sys
from heartrule.chassis.lifecycle import run

async def tell(text):
    print(text, flush=True)

async def main(life):
    life.announce("streams", lambda: tell("going away"))
    life.drain("turns", lambda: asyncio.Event().wait() if "stuck" in sys.argv else tell("drained"))
    life.close("store", lambda: tell("closed"))
    print("ready", flush=True)

sys.exit(run(main))
"""


def started(*args: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *args], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_makes_a_process_leave_in_order(number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C tell the clients, wait for turns, close, and end with code 0."""
    with started() as process:
        process.send_signal(number)
        told, _ = process.communicate(timeout=20)
    assert (told.split("\n")[:-1], process.returncode) == (["going away", "drained", "closed"], 0)


def test_a_second_signal_ends_a_process_at_once() -> None:
    """Nobody has to wait for a turn that hangs."""
    with started("stuck") as process:
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        assert process.stdout.readline() == "going away\n"
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert process.returncode == -signal.SIGTERM
