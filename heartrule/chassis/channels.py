"""Client channels: spread over all replicas, and quick to notice a dead one."""

from __future__ import annotations

import json

from grpc import aio

_SERVICE_CONFIG = json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})
_KEEPALIVE_MS = 30_000
_ANSWER_MS = 10_000


def open_channel(target: str, *, own_connection: bool = False) -> aio.Channel:
    """Return a channel to `host:port` or `dns:///name:port`; call it inside the running loop.

    Without round_robin every call would go to one replica of a headless service. The caller
    closes the channel, and sends `telemetry.outgoing_metadata()` with calls that belong to a turn.
    Channels to one target share a connection unless `own_connection` is set: a server takes so
    many streams of each connection and lets further ones wait.
    """
    return aio.insecure_channel(
        target,
        options=[
            ("grpc.service_config", _SERVICE_CONFIG),
            ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
            ("grpc.keepalive_timeout_ms", _ANSWER_MS),
            ("grpc.http2.ping_timeout_ms", _ANSWER_MS),
            ("grpc.max_reconnect_backoff_ms", 5_000),
            ("grpc.use_local_subchannel_pool", int(own_connection)),
        ],
    )
