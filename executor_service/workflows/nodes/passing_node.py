"""START and END: they mark where a plan begins and ends."""

from __future__ import annotations

from executor_service.workflows.nodes.node_port import NodeCall, NodeResult


class PassingNode:
    """Passes on what its input_mapping gives."""

    async def run(self, call: NodeCall) -> NodeResult:
        """Return the inputs as the output."""
        return NodeResult(output=dict(call.inputs))

    async def aclose(self) -> None:
        """There is nothing to free."""
