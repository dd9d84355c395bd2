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


def is_free(port: int) -> bool:
    """Say whether nobody listens on this port of this machine."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
