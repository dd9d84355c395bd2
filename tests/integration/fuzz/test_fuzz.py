"""A few of the requests, scripts and replies that `make fuzz` makes by tens of thousands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.fuzz.readings import fuzz_parser, fuzz_turns
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.rpcs import fuzz_rpc
from tests.chaos.fuzz.scripts import fuzz_scripts
from tests.chaos.fuzz.target import RPCS, Target

SEED = 7
EACH = 8


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A loop of the test's own: hypothesis calls from outside of it."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield made
    made.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def target(loop: asyncio.AbstractEventLoop, tmp_path: Path) -> Iterator[Target]:
    """An executor and a monitor."""
    made = Target(tmp_path)
    loop.run_until_complete(made.open())
    yield made
    loop.run_until_complete(made.aclose())


def test_no_request_is_answered_internal_or_unknown(
    loop: asyncio.AbstractEventLoop, target: Target
) -> None:
    """Every rpc answers whatever the protos allow with a result or an error of the caller's."""
    tally = Tally()
    for method in RPCS:
        fuzz_rpc(loop, target, method, EACH, seed=SEED, tally=tally)
    assert tally.found == []
    assert tally.ran >= len(RPCS)


def test_every_broken_reply_is_recorded(loop: asyncio.AbstractEventLoop, target: Target) -> None:
    """A turn on a broken reply ends well, and tells that something was wrong."""
    tally = Tally()
    fuzz_turns(loop, target, 60, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= 60) == ([], True)


def test_only_located_errors_leave_a_script() -> None:
    """Whatever bytes a script has, loading it gives findings with a place."""
    tally = Tally()
    fuzz_scripts(60, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= 60) == ([], True)


def test_no_reply_breaks_its_reader() -> None:
    """Parser and scanner agree on any reply, however it is cut."""
    tally = Tally()
    fuzz_parser(150, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= 150) == ([], True)


def test_what_breaks_is_found() -> None:
    """A property that fails is a finding, an error of any kind too."""
    tally = Tally()

    @given(st.just(0))
    def finds(_: int) -> None:
        raise Found("planted")

    @given(st.just(0))
    def breaks(_: int) -> None:
        raise KeyError("planted")

    for planted in (finds, breaks):
        explore(planted, 1, seed=SEED, tally=tally)
    assert tally.found == ["planted", "KeyError: 'planted'"]
