"""Somebody in danger writes while a model hangs, into a pipe and at a terminal."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from tests.support.command import PATIENCE_S, Place, environment
from tests.support.pseudo_terminal import terminal

pytestmark = pytest.mark.slow
LONG = pytest.mark.long(
    short="tests/e2e/cli/test_hanging_model.py::test_who_writes_into_a_pipe_reads_where_help_is"
)
STOPPED = pytest.mark.long(
    short="tests/integration/cli/test_chat_interrupts.py::"
    "test_once_it_stops_the_answer_and_the_chat_goes_on"
)
# Far less than a model call may take, far more than the way to the screen and back.
SOON_S = 10.0


@dataclass(frozen=True, slots=True)
class Spoken:
    """Danger in one language."""

    locale: str
    text: str
    helpline: str


CHINESE = Spoken(locale="zh-CN", text="我想自杀", helpline="12356")
ENGLISH = Spoken(locale="en-US", text="I want to kill myself", helpline="988")


@pytest.fixture
def model() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        yield server


@pytest.fixture
def place(tmp_path: Path, model: socket.socket) -> Place:
    """A folder where that is the model."""
    url = f"http://127.0.0.1:{model.getsockname()[1]}/v1"
    environ = environment(
        OPENAI_BASE_URL=url, OPENAI_API_KEY="k", HEARTRULE_MODEL="m", HEARTRULE_STOP_GRACE="1"
    )
    return Place(tmp_path, environ=environ)


@pytest.mark.parametrize(
    "spoken",
    [
        CHINESE,
        pytest.param(ENGLISH, marks=LONG),
    ],
)
def test_who_writes_into_a_pipe_reads_where_help_is(place: Place, spoken: Spoken) -> None:
    """The opening hangs; nothing else was written, and the pipe stays open."""
    with place.started("run", "greeting", "--locale", spoken.locale) as talk:
        talk.until("session ses_")
        began = monotonic()
        talk.type(spoken.text)
        talk.until(spoken.helpline)
        assert monotonic() - began < SOON_S
    assert [line for line in talk.told if line.startswith("> ")] == [f"> {spoken.text}"]


@pytest.mark.parametrize(
    "spoken",
    [
        ENGLISH,
        pytest.param(CHINESE, marks=LONG),
    ],
)
def test_who_types_at_a_terminal_reads_where_help_is(place: Place, spoken: Spoken) -> None:
    """The first key shows a prompt, though a turn runs; Ctrl-C leaves then, as no turn runs."""
    with terminal(place, "run", "greeting", "--locale", spoken.locale) as screen:
        screen.until("session ses_")
        screen.type(f"{spoken.text}\r")
        began = monotonic()
        shown = screen.until(spoken.helpline)
        assert monotonic() - began < SOON_S
        assert shown.count(f"> {spoken.text}") == 1
        screen.until("> ")
        screen.process.send_signal(signal.SIGINT)
        screen.until("go on with: ")
        assert screen.process.wait(timeout=PATIENCE_S) == 0
        assert screen.echoes()


@STOPPED
def test_what_is_no_danger_waits_until_the_turn_is_stopped(
    place: Place, model: socket.socket
) -> None:
    """Ctrl-C ends the opening; the line typed meanwhile begins a turn of its own."""
    # Two calls: of the look at the model beside the start, and of the opening.
    with terminal(place, "run", "greeting") as screen, model.accept()[0], model.accept()[0]:
        screen.type("在吗\r")
        screen.until("> 在吗")
        screen.process.send_signal(signal.SIGINT)
        assert "12356" not in screen.until("stopped")
        model.accept()[0].close()
