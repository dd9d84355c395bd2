"""Requests made from the proto descriptors, against every rpc of both services."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st

from tests.chaos.fuzz.messages import messages
from tests.chaos.fuzz.rounds import Found, Tally, explore
from tests.chaos.fuzz.target import Target


def fuzz_rpc(
    loop: asyncio.AbstractEventLoop, target: Target, method: MethodDescriptor, examples: int,
    *, seed: int, tally: Tally,
) -> None:  # fmt: skip
    """Send so many requests to an rpc; what is wrong with an answer is found."""
    one: st.SearchStrategy[Any] = messages(method.input_type)
    many = st.lists(one, max_size=4) if method.client_streaming else one.map(lambda made: [made])

    @given(many)
    def run(requests: Sequence[Message]) -> None:
        tally.ran += 1
        wrong = loop.run_until_complete(target.send(method, requests))
        if wrong:
            shown = " | ".join(str(request).replace("\n", " ")[:300] for request in requests)
            raise Found(f"{method.name}: {wrong}: {shown}")

    explore(run, examples, seed=seed, tally=tally)
