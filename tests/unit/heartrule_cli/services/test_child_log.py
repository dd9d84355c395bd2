"""Why a service ended, read off its log."""

from __future__ import annotations

import json
import sys
from asyncio.subprocess import create_subprocess_exec
from pathlib import Path

from heartrule_cli.services.child import KEPT_LOGS, LARGEST_LOG, Child, reason_of_end


def record(level: str, event: str, **facts: object) -> str:
    return json.dumps({"level": level, "event": event, **facts})


def test_the_last_error_counts() -> None:
    """What was raised says more than that something was."""
    errors = [{"class": "NotReady", "text": "the database is in use by process 7"}]
    log = "\n".join(
        [
            "executor listening on 127.0.0.1:1",
            record("ERROR", "periodic work failed"),
            record("ERROR", "the start failed", errors=errors),
            record("INFO", "stopped"),
        ]
    )
    assert reason_of_end(log) == "the database is in use by process 7"


def test_an_error_without_details_counts_by_its_event() -> None:
    """A log line always says something."""
    assert reason_of_end(record("ERROR", "the start failed")) == "the start failed"


def test_plain_lines_are_for_people() -> None:
    """Settings that are wrong are listed as the service lists them, without grpc's own words."""
    noise = "E1122 00:22:58.001821 13347 add_port.cc:83] Failed to add port"
    wrong = "1 setting is wrong:\n  HEARTRULE_MODEL is required"
    log = "\n".join([noise, wrong, record("INFO", "stopped")])
    assert reason_of_end(log) == wrong


def test_a_traceback_counts_by_its_last_line() -> None:
    """A person gets the sentence, the file has the rest."""
    log = 'Traceback (most recent call last):\n  File "x.py"\nModuleNotFoundError: no module x'
    assert reason_of_end(log) == "ModuleNotFoundError: no module x"


def test_a_log_that_tells_nothing_gives_nothing() -> None:
    """The exit code has to do then."""
    log = "monitor listening on 127.0.0.1:1\n" + record("INFO", "stopped")
    assert reason_of_end(log) == ""


def test_nothing_in_a_log_steers_the_terminal() -> None:
    """A log may quote what a stranger sent."""
    assert reason_of_end(record("ERROR", "bad \x1b[2J name")) == "bad [2J name"


async def test_a_log_that_grew_large_is_put_aside_while_its_service_runs(tmp_path: Path) -> None:
    """The service goes on in the emptied file; what it wrote before stands beside it."""
    log = tmp_path / "executor.log"
    with log.open("ab") as file:
        process = await create_subprocess_exec(
            sys.executable, "-c", "input(); print('later')", stdin=-1, stdout=file
        )
        child = Child("executor", process, log, start=0)
        file.write(b"x" * (LARGEST_LOG + 1))
    await child.trim_log()
    await process.communicate(b"\n")
    assert log.read_bytes() == b"later\n"
    assert log.with_suffix(".log.1").stat().st_size == LARGEST_LOG + 1


async def test_five_logs_that_were_put_aside_are_kept(tmp_path: Path) -> None:
    """The newest has the number 1; the sixth is gone."""
    log = tmp_path / "executor.log"
    child = Child("executor", await create_subprocess_exec("true"), log, start=0)
    await child.ended()
    for turn in range(KEPT_LOGS + 2):
        log.write_bytes(b"%d" % turn + b"x" * LARGEST_LOG)
        await child.trim_log()
    kept = [log.with_suffix(f".log.{number}").read_bytes()[:1] for number in range(1, 6)]
    assert kept == [b"6", b"5", b"4", b"3", b"2"]
    assert not log.with_suffix(".log.6").exists()
