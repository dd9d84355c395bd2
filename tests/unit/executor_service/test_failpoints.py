"""Named places where a test may kill the process."""

from __future__ import annotations

import os
import signal

import pytest

from executor_service.failpoints import Failpoint, Failpoints, parse_failpoint
from heartrule.domain.errors import InvalidRequest


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Collect kills instead of dying."""
    kills: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: kills.append((pid, number)))
    return kills


def test_the_armed_place_kills_as_kill_9_does(killed: list[tuple[int, int]]) -> None:
    """No handler runs, nothing is flushed."""
    Failpoints(Failpoint.MID_STREAM).hit(Failpoint.MID_STREAM)
    assert killed == [(os.getpid(), signal.SIGKILL)]


def test_other_places_do_nothing(killed: list[tuple[int, int]]) -> None:
    """Only the armed one counts its visits."""
    points = Failpoints(Failpoint.MID_STREAM)
    points.hit(Failpoint.BEFORE_COMMIT)
    assert killed == []


def test_a_later_visit_may_be_chosen(killed: list[tuple[int, int]]) -> None:
    """`name:3` lets two visits pass."""
    points = parse_failpoint("before_commit:3", test_mode=True)
    for _ in range(2):
        points.hit(Failpoint.BEFORE_COMMIT)
    assert killed == []
    points.hit(Failpoint.BEFORE_COMMIT)
    assert len(killed) == 1


@pytest.mark.parametrize("test_mode", [True, False])
def test_nothing_is_armed_by_default(killed: list[tuple[int, int]], *, test_mode: bool) -> None:
    """An empty setting never kills."""
    points = parse_failpoint("", test_mode=test_mode)
    for place in Failpoint:
        points.hit(place)
    assert killed == []


@pytest.mark.parametrize("text", ["nowhere", "mid_stream:x", "mid_stream:0", ":2"])
def test_a_setting_that_names_no_visit_is_refused(text: str) -> None:
    """A failpoint that can never fire is a mistake, and says which places there are."""
    with pytest.raises(InvalidRequest) as caught:
        parse_failpoint(text, test_mode=True)
    assert "after_accept" in caught.value.message


def test_outside_of_test_mode_nothing_can_be_armed() -> None:
    """A production process never carries a failpoint."""
    with pytest.raises(InvalidRequest) as caught:
        parse_failpoint("mid_stream", test_mode=False)
    assert caught.value.reason == "FAILPOINT_REFUSED"
