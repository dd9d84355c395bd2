"""`heartrule up`, and those who talk with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from heartrule_cli.services.running_services import free_ports
from tests.support.command import Place, Started, children_of, session_in, until_gone

pytestmark = pytest.mark.slow
LONG = pytest.mark.long(
    short="tests/e2e/cli/test_up.py::test_a_signal_stops_what_was_started_and_nothing_else"
)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder."""
    return Place(tmp_path)


@contextmanager
def up(place: Place, port: int) -> Iterator[Started]:
    """Start the services and wait until they are ready."""
    with place.started("up", "--port", str(port)) as services:
        services.until("ready; talk with: ")
        yield services


def test_several_conversations_share_the_services(place: Place) -> None:
    """Chat, show and a refusal for whoever is unknown; a second executor here is refused too."""
    (port,) = free_ports(1)
    address = ("--address", f"127.0.0.1:{port}")
    with up(place, port) as services:
        assert services.told[0].startswith("rehearsal model: no key is set")
        talked = place.heartrule("chat", "--script", "greeting", *address, lines="小明\n")
        shown = place.heartrule("show", session_in(talked.stdout), *address)
        unknown = place.heartrule("chat", "--session", "ses_0", *address)
        second = place.heartrule("up", "--port", "0")
    assert (talked.returncode, shown.returncode) == (0, 0)
    assert "the script is at its end" in talked.stdout
    assert (unknown.returncode, unknown.stderr) == (
        1, "heartrule: session 'ses_0' was not found\n",
    )  # fmt: skip
    assert (second.returncode, "is in use by process" in second.stderr) == (1, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=LONG)])
def test_a_signal_stops_what_was_started_and_nothing_else(
    place: Place, number: signal.Signals
) -> None:
    """Exit code 0, all services gone, nothing of them on the terminal."""
    with up(place, free_ports(1)[0]) as services:
        children = children_of(services.process.pid)
        assert set(children) == {"executor_service", "gateway_service", "monitor_service"}
        assert services.leave(number) == 0
    for child in children.values():
        until_gone(child)
    assert services.told[-1] == "stopping …"


def test_services_leave_when_the_command_is_killed(place: Place) -> None:
    """Nobody finds orphans that hold the database."""
    with up(place, free_ports(1)[0]) as services:
        children = children_of(services.process.pid)
        services.process.kill()
        for child in children.values():
            until_gone(child)


def test_a_chat_goes_on_after_the_executor_was_killed(place: Place) -> None:
    """`up` says that it ended; with the next `up` on that port the same chat is answered, once."""
    (port,) = free_ports(1)
    chat = ("chat", "--script", "greeting", "--address", f"127.0.0.1:{port}")
    with up(place, port) as services:
        with place.started(*chat) as talking:
            talking.until("round 1 of 3")
            os.kill(children_of(services.process.pid)["executor_service"], signal.SIGKILL)
            assert services.end() == 1
            talking.until("connection lost")
            with up(place, port):
                talking.type("小明")
                assert talking.end() == 0
    assert "heartrule: the executor ended unexpectedly: exit code -9" in services.told
    answers = [line for line in talking.told if line.startswith("小明，谢谢你")]
    assert len(answers) == 1


def test_without_the_monitor_and_the_gateway_conversations_go_on(place: Place) -> None:
    """`up` says what is gone, and stays: the terminal needs neither."""
    (port,) = free_ports(1)
    chat = ("chat", "--script", "greeting", "--address", f"127.0.0.1:{port}")
    with up(place, port) as services:
        assert any(line.startswith("  console   http://127.0.0.1:") for line in services.told)
        children = children_of(services.process.pid)
        os.kill(children["monitor_service"], signal.SIGKILL)
        services.until("conversations go on without advice")
        os.kill(children["gateway_service"], signal.SIGKILL)
        services.until("clients of gRPC go on without it")
        assert place.heartrule(*chat, lines="小明\n").returncode == 0


def test_an_executor_nobody_started_is_said_to_be_missing(place: Place) -> None:
    """One sentence and what to do, no traceback."""
    (port,) = free_ports(1)
    ran = place.heartrule("chat", "--script", "greeting", "--address", f"127.0.0.1:{port}")
    assert ran.returncode == 1
    assert ran.stderr.splitlines() == [
        f"heartrule: no executor answers at 127.0.0.1:{port} (Connection refused)",
        "  start one with `heartrule up`, or name another with --address",
    ]
