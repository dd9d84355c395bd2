"""Client channels: spread over all replicas, and quick to notice a dead one."""

from __future__ import annotations

import json

from grpc import aio
from pydantic import SecretStr

from heartrule.chassis.service_token import with_token

_SERVICE_CONFIG = json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})
# 64 MiB: five hundred model calls with their prompts are more than grpc's usual four.
MAX_ANSWER_BYTES = 67_108_864
# Seconds within which a vanished peer is noticed; a shorter time costs every idle stream more
# pings.
USUALLY_S = 40.0
_LONGEST_ANSWER_S = 10.0  # a ping over a bad mobile network still returns within it


def open_channel(
    target: str,
    *,
    token: SecretStr | None = None,
    own_connection: bool = False,
    noticed_s: float = USUALLY_S,
) -> aio.Channel:
    """Return a channel to `host:port` or `dns:///name:port`; call it inside the running loop.

    Without round_robin every call would go to one replica of a headless service. The caller
    closes the channel, and sends `telemetry.outgoing_metadata()` with calls that belong to a turn.
    Each call sends `token`, if there is one.
    Channels to one target share a connection unless `own_connection` is set: a server takes so
    many streams of each connection and lets further ones wait.

    A peer that vanished fails the calls that wait for it within `noticed_s`; the server must accept
    pings that often (`Keepalive.accept_every_s`).
    """
    answer_ms = int(min(noticed_s / 2, _LONGEST_ANSWER_S) * 1000)
    channel = aio.insecure_channel(
        target,
        options=[
            ("grpc.service_config", _SERVICE_CONFIG),
            ("grpc.keepalive_time_ms", int(noticed_s * 1000) - answer_ms),
            ("grpc.keepalive_timeout_ms", answer_ms),
            ("grpc.http2.ping_timeout_ms", answer_ms),
            ("grpc.http2.max_pings_without_data", 0),  # else two, and then a long call has none
            ("grpc.max_reconnect_backoff_ms", 5_000),
            ("grpc.use_local_subchannel_pool", int(own_connection)),
            ("grpc.max_receive_message_length", MAX_ANSWER_BYTES),
        ],
    )
    return channel if token is None else with_token(channel, token)
