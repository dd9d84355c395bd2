"""Lets the node of the workflow `poison` kill its process each time, as by all of its memory."""

from __future__ import annotations

import os
import signal
from typing import Any

from executor_service.workflows.nodes.node_attempts import Nodes


def apply(_argument: str) -> None:
    """Die where such a node begins its work."""
    run = Nodes.run

    async def running(nodes: Nodes, node_type: Any, call: Any) -> Any:
        if str(call.config.get("url", "")).endswith("/poison"):
            os.kill(os.getpid(), signal.SIGKILL)
        return await run(nodes, node_type, call)

    patched: Any = Nodes
    patched.run = running
