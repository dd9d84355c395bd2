"""A few of the requests, scripts and replies that `make fuzz` makes by tens of thousands."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.fuzz.guarded import fuzz_guarded
from tests.chaos.fuzz.mangled import fuzz_bytes
from tests.chaos.fuzz.readings import fuzz_parser, fuzz_turns
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.rpcs import fuzz_rpc
from tests.chaos.fuzz.scripts import fuzz_scripts
from tests.chaos.fuzz.target import RPCS, Target

SEED = 7
HERE = "tests/integration/fuzz/test_fuzz.py"


def times(test: str, few: int, many: int) -> pytest.MarkDecorator:
    """Let a test try `few` examples in `make test`, and `many` where all tests run."""
    longer = pytest.param(many, marks=pytest.mark.long(short=f"{HERE}::{test}[{few}]"))
    return pytest.mark.parametrize("examples", [few, longer])


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


@times("test_no_request_is_answered_internal_or_unknown", 1, 8)
def test_no_request_is_answered_internal_or_unknown(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int
) -> None:
    """Every rpc answers whatever the protos allow with a result or an error of the caller's."""
    tally = Tally()
    for method in RPCS:
        fuzz_rpc(loop, target, method, examples, seed=SEED, tally=tally)
    assert tally.found == []
    assert tally.ran >= len(RPCS)


@times("test_no_bytes_are_answered_internal_or_unknown", 1, 8)
def test_no_bytes_are_answered_internal_or_unknown(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int
) -> None:
    """A request whose bytes were changed on the way is the caller's mistake, at every rpc."""
    tally = Tally()
    for method in RPCS:
        fuzz_bytes(loop, target, method, examples, seed=SEED, tally=tally)
    assert tally.found == []
    assert tally.ran >= len(RPCS)


@times("test_every_broken_reply_is_recorded", 10, 60)
def test_every_broken_reply_is_recorded(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int
) -> None:
    """A turn on a broken reply ends well, and tells that something was wrong."""
    tally = Tally()
    fuzz_turns(loop, target, examples, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= examples) == ([], True)


@times("test_no_reply_leaves_a_watched_session_unguarded", 10, 100)
def test_no_reply_leaves_a_watched_session_unguarded(
    loop: asyncio.AbstractEventLoop, target: Target, examples: int
) -> None:
    """Where a life is at stake no model names a number or link, takes a promise or says goodbye."""
    tally = Tally()
    fuzz_guarded(loop, target, examples, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= examples) == ([], True)


@times("test_only_located_errors_leave_a_script", 10, 60)
def test_only_located_errors_leave_a_script(examples: int) -> None:
    """Whatever bytes a script has, loading it gives findings with a place."""
    tally = Tally()
    fuzz_scripts(examples, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= examples) == ([], True)


@times("test_no_reply_breaks_its_reader", 25, 150)
def test_no_reply_breaks_its_reader(examples: int) -> None:
    """Parser and scanner agree on any reply, however it is cut."""
    tally = Tally()
    fuzz_parser(examples, seed=SEED, tally=tally)
    assert (tally.found, tally.ran >= examples) == ([], True)


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
