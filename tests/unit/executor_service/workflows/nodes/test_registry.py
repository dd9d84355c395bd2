from __future__ import annotations

import pytest

from executor_service.workflows.nodes.registry import standard_nodes
from executor_service.workflows.sandbox.sandbox_port import SandboxResult
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import NodeType
from tests.support.fake_model import FakeModel
from tests.support.node_calls import WrittenSandbox, node_call

CONFIGS: dict[NodeType, dict[str, JsonValue]] = {
    NodeType.START: {},
    NodeType.END: {},
    NodeType.LLM: {"prompt": "?"},
    NodeType.PYTHON: {"code": "return 1"},
    NodeType.CONDITION: {"expression": "1 > 0", "values": {}},
}


@pytest.mark.parametrize("node_type", CONFIGS)
async def test_each_type_has_its_runner(node_type: NodeType) -> None:
    """Those that reach other servers are shown against such servers."""
    nodes = standard_nodes(FakeModel(["ok"]), WrittenSandbox(SandboxResult(value=1)))
    await nodes.run(node_type, node_call(CONFIGS[node_type]))
    await nodes.aclose()
