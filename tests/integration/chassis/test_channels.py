"""A client's channel spreads its calls."""

from __future__ import annotations

from typing import Any

from heartrule.chassis.channels import open_channel
from tests.support.tiny_service import SERVICE, tiny_service


async def test_calls_go_to_every_replica() -> None:
    """With two addresses, ten calls reach both servers; without round_robin only one."""
    reached = list[str]()

    async def first(request: bytes, context: Any) -> bytes:
        reached.append("first")
        return request

    async def second(request: bytes, context: Any) -> bytes:
        reached.append("second")
        return request

    async with (
        tiny_service({"unary_unary": first}) as one,
        tiny_service({"unary_unary": second}) as two,
        open_channel(f"ipv4:127.0.0.1:{one.port},127.0.0.1:{two.port}") as channel,
    ):
        ask: Any = channel.unary_unary(f"/{SERVICE}/unary_unary")
        while len(set(reached)) < 2 and len(reached) < 1000:
            await ask(b"x", timeout=10)
    assert set(reached) == {"first", "second"}
