"""The client side of the executor's port: a stub for each of its services on one channel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grpc import aio

from heartrule.v1.asset_service_pb2_grpc import AssetServiceStub
from heartrule.v1.conversation_service_pb2_grpc import ConversationServiceStub
from heartrule.v1.decision_service_pb2_grpc import DecisionServiceStub
from heartrule.v1.history_service_pb2_grpc import HistoryServiceStub
from heartrule.v1.run_service_pb2_grpc import RunServiceStub
from heartrule.v1.safety_service_pb2_grpc import SafetyServiceStub
from heartrule.v1.script_service_pb2_grpc import ScriptServiceStub
from heartrule.v1.server_service_pb2_grpc import ServerServiceStub
from heartrule.v1.session_service_pb2_grpc import SessionServiceStub
from heartrule.v1.thread_service_pb2_grpc import ThreadServiceStub

if TYPE_CHECKING:
    from heartrule.v1.asset_service_pb2_grpc import AssetServiceAsyncStub
    from heartrule.v1.conversation_service_pb2_grpc import ConversationServiceAsyncStub
    from heartrule.v1.decision_service_pb2_grpc import DecisionServiceAsyncStub
    from heartrule.v1.history_service_pb2_grpc import HistoryServiceAsyncStub
    from heartrule.v1.run_service_pb2_grpc import RunServiceAsyncStub
    from heartrule.v1.safety_service_pb2_grpc import SafetyServiceAsyncStub
    from heartrule.v1.script_service_pb2_grpc import ScriptServiceAsyncStub
    from heartrule.v1.server_service_pb2_grpc import ServerServiceAsyncStub
    from heartrule.v1.session_service_pb2_grpc import SessionServiceAsyncStub
    from heartrule.v1.thread_service_pb2_grpc import ThreadServiceAsyncStub


class ExecutorStubs:
    """The stubs of the executor's ten services."""

    __slots__ = (
        "asset", "conversation", "decision", "history", "run", "safety", "script", "server",
        "session", "thread",
    )  # fmt: skip

    def __init__(self, channel: aio.Channel) -> None:
        """Create the stubs on `channel`; the caller closes it."""
        self.conversation: ConversationServiceAsyncStub = ConversationServiceStub(channel)
        self.session: SessionServiceAsyncStub = SessionServiceStub(channel)
        self.history: HistoryServiceAsyncStub = HistoryServiceStub(channel)
        self.script: ScriptServiceAsyncStub = ScriptServiceStub(channel)
        self.asset: AssetServiceAsyncStub = AssetServiceStub(channel)
        self.safety: SafetyServiceAsyncStub = SafetyServiceStub(channel)
        self.decision: DecisionServiceAsyncStub = DecisionServiceStub(channel)
        self.run: RunServiceAsyncStub = RunServiceStub(channel)
        self.server: ServerServiceAsyncStub = ServerServiceStub(channel)
        self.thread: ThreadServiceAsyncStub = ThreadServiceStub(channel)

    def method(self, rpc: str) -> Any:
        """Return the rpc of this name; no two services share one."""
        stubs = (getattr(self, noun) for noun in self.__slots__)
        return next(getattr(stub, rpc) for stub in stubs if hasattr(stub, rpc))
