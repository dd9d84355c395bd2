"""PYTHON nodes: code of strangers, in the sandbox that it needs."""

from __future__ import annotations

from mimetypes import guess_type
from typing import TYPE_CHECKING

from executor_service.workflows.nodes.node_port import NodeCall, NodeFile, NodeResult

if TYPE_CHECKING:
    from executor_service.workflows.sandbox.sandbox_port import Sandbox

_ANY_TYPE = "application/octet-stream"


class PythonNode:
    """Runs `config.code`; the output is what it returns, with the files that it names."""

    def __init__(self, sandbox: Sandbox) -> None:
        """The sandbox is closed with this runner."""
        self._sandbox = sandbox

    async def run(self, call: NodeCall) -> NodeResult:
        """Return what the code returned.

        Raises:
            NodeFailed: The code has no result, or none that may be kept.
        """
        # Late: a process without PYTHON nodes loads no sandbox.
        from executor_service.workflows.sandbox.sandbox_port import SandboxJob

        job = SandboxJob(
            code=str(call.config["code"]),
            inputs=call.inputs,
            env=call.env,
            files={name: file.data for name, file in call.files.items()},
            timeout_s=call.timeout_s,
        )
        result = await self._sandbox.run(job)
        files = {
            name: NodeFile(mime_type=guess_type(name)[0] or _ANY_TYPE, data=data)
            for name, data in result.files.items()
        }
        return NodeResult(output=result.value, files=files)

    async def aclose(self) -> None:
        """End the sandbox."""
        await self._sandbox.aclose()
