"""Requests whose bytes were changed on the way, against every rpc of both services."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, TypeAlias

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.fuzz.messages import fill, messages
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.target import Target

# What is done, where (a fraction of the length, in millionths), and with which bytes.
Change: TypeAlias = tuple[str, int, bytes]
_KINDS = ("cut", "flip", "insert", "remove", "append", "other")
_changes: st.SearchStrategy[list[Change]] = st.lists(
    st.tuples(
        st.sampled_from(_KINDS), st.integers(0, 999_999), st.binary(min_size=1, max_size=8)
    ),
    min_size=1, max_size=4,
)  # fmt: skip


def fuzz_bytes(
    loop: asyncio.AbstractEventLoop, target: Target, method: MethodDescriptor, examples: int,
    *, seed: int, tally: Tally,
) -> None:  # fmt: skip
    """Send so many mangled requests to an rpc; what is wrong with an answer is found."""
    one: st.SearchStrategy[Any] = messages(method.input_type)
    many = st.lists(one, min_size=1, max_size=3 if method.client_streaming else 1)

    @given(many, st.integers(0, 2), _changes)
    def run(requests: Sequence[Message], which: int, changes: Sequence[Change]) -> None:
        tally.ran += 1
        sent: list[Message | bytes] = list(requests)
        at = which % len(requests)
        fill(requests[at], target.known)
        sent[at] = mangled(requests[at].SerializeToString(), changes)
        wrong = loop.run_until_complete(target.send(method, sent))
        if wrong:
            raise Found(f"{method.name}: {wrong}: {sent!r}"[:900])

    explore(run, examples, seed=seed, tally=tally)


def mangled(data: bytes, changes: Sequence[Change]) -> bytes:
    """Return the bytes after these changes."""
    for kind, millionths, other in changes:
        at = len(data) * millionths // 1_000_000
        if kind == "cut":
            data = data[:at]
        elif kind == "flip":
            data = data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + 1]) + data[at + 1 :]
        elif kind == "insert":
            data = data[:at] + other + data[at:]
        elif kind == "remove":
            data = data[:at] + data[at + len(other) :]
        else:
            data = other if kind == "other" else data + other
    return data
