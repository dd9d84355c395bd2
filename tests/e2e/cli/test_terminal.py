"""A person at a terminal: prompt, text as it comes, leaving."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support.command import PATIENCE_S, Place
from tests.support.pseudo_terminal import terminal

pytestmark = pytest.mark.slow


def test_a_person_talks_leaves_and_goes_on(tmp_path: Path) -> None:
    """Each text stands there once; Ctrl-C and Ctrl-D say how to go on and leave a sane terminal."""
    place = Place(tmp_path)
    with terminal(place, "run", "greeting") as screen:
        screen.until("round 1 of 3")
        screen.until("> ")
        screen.type("不想说\r")
        assert screen.until("round 2 of 3").count("我可以怎么称呼你呢？") == 1
        screen.until("> ")
        screen.process.send_signal(signal.SIGINT)
        left = screen.until("go on with: ") + screen.until("\n")
        assert screen.process.wait(timeout=PATIENCE_S) == 0
        assert screen.echoes()
    assert "the session waits at hello › greet › ask_name · round 2 of 3" in left

    session = left.split("--session ")[1].split()[0]
    with terminal(place, "run", "--session", session) as screen:
        assert "> 不想说" in screen.until("round 2 of 3")
        screen.until("> ")
        screen.type("\x04")
        screen.until("go on with: ")
        assert screen.process.wait(timeout=PATIENCE_S) == 0
        assert screen.echoes()
