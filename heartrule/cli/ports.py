"""Free ports of this machine, found by asking for them."""

from __future__ import annotations

import socket
from contextlib import ExitStack


def free_ports(count: int) -> tuple[int, ...]:
    """Return different ports that were free a moment ago; whoever wants one binds it soon."""
    with ExitStack() as opened:
        found = []
        for _ in range(count):
            held = opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
            held.bind(("127.0.0.1", 0))
            found.append(int(held.getsockname()[1]))
        return tuple(found)
