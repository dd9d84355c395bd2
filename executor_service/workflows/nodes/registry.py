"""What runs each type of node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from executor_service.workflows.nodes.condition_node import ConditionNode
from executor_service.workflows.nodes.database_node import DatabaseNode
from executor_service.workflows.nodes.http_node import HttpNode
from executor_service.workflows.nodes.llm_node import LlmNode
from executor_service.workflows.nodes.node_attempts import Nodes
from executor_service.workflows.nodes.passing_node import PassingNode
from executor_service.workflows.nodes.python_node import PythonNode
from heartrule.domain.workflows import NodeType

if TYPE_CHECKING:
    from executor_service.workflows.sandbox.sandbox_port import Sandbox
    from heartrule.model.ports import ChatModel


def standard_nodes(model: ChatModel, sandbox: Sandbox) -> Nodes:
    """Return what runs nodes of every type but LOOP, whose body a run steps through itself."""
    return Nodes(
        {
            NodeType.START: PassingNode(),
            NodeType.END: PassingNode(),
            NodeType.HTTP: HttpNode(),
            NodeType.LLM: LlmNode(model),
            NodeType.DATABASE: DatabaseNode(),
            NodeType.CONDITION: ConditionNode(),
            NodeType.PYTHON: PythonNode(sandbox),
        }
    )
