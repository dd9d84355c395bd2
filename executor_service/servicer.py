"""The executor's services, each composed of the rpc classes of its nouns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grpc import aio

from executor_service.ports import ScriptLibrary
from executor_service.rpc.asset_rpcs import AssetRpcs, AssetsAndScripts
from executor_service.rpc.conversation_rpcs import ConversationRpcs
from executor_service.rpc.fork_and_retry_rpcs import ForkAndRetryRpcs
from executor_service.rpc.history_rpcs import HistoryRpcs, TimelineRpcs
from executor_service.rpc.plan_rpcs import PlanRpcs
from executor_service.rpc.script_rpcs import OutlineRpcs, ScriptRpcs
from executor_service.rpc.session_rpcs import SessionDeps, SessionRpcs
from executor_service.rpc.variable_rpcs import VariableRpcs
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.streams.stream_deps import StreamDeps
from heartrule.v1 import (
    asset_service_pb2_grpc,
    conversation_service_pb2_grpc,
    history_service_pb2_grpc,
    script_service_pb2_grpc,
    session_service_pb2_grpc,
)
from session_store.ports import Store

SERVICE_NAMES: Final = tuple(
    f"heartrule.v1.{noun}Service"
    for noun in ("Conversation", "Session", "History", "Script", "Asset")
)


class ConversationServicer(  # type: ignore[misc]  # streams write by context, the stub expects generators
    ConversationRpcs, conversation_service_pb2_grpc.ConversationServiceServicer
):
    """Serves heartrule.v1.ConversationService."""


class SessionServicer(
    SessionRpcs, PlanRpcs, ForkAndRetryRpcs, session_service_pb2_grpc.SessionServiceServicer
):
    """Serves heartrule.v1.SessionService."""

    def __init__(self, deps: SessionDeps) -> None:
        """Serve the sessions of the store of `deps`."""
        SessionRpcs.__init__(self, deps)
        PlanRpcs.__init__(self, deps.store, deps.scripts, deps.hub)
        ForkAndRetryRpcs.__init__(self, deps)


class HistoryServicer(
    HistoryRpcs, VariableRpcs, TimelineRpcs, history_service_pb2_grpc.HistoryServiceServicer
):
    """Serves heartrule.v1.HistoryService."""

    def __init__(self, store: Store, scripts: ScriptLibrary) -> None:
        """Serve the histories of the sessions of `store`."""
        HistoryRpcs.__init__(self, store, scripts)
        VariableRpcs.__init__(self, store, scripts)
        TimelineRpcs.__init__(self, store)


class ScriptServicer(ScriptRpcs, OutlineRpcs, script_service_pb2_grpc.ScriptServiceServicer):
    """Serves heartrule.v1.ScriptService."""

    def __init__(
        self, scripts: AssetsAndScripts, environment: LintEnvironment, sessions: SessionDeps
    ) -> None:
        """Serve `scripts`; outlines are read of `sessions` too."""
        ScriptRpcs.__init__(self, scripts, environment)
        OutlineRpcs.__init__(self, sessions)


class AssetServicer(AssetRpcs, asset_service_pb2_grpc.AssetServiceServicer):  # type: ignore[misc]  # as above
    """Serves heartrule.v1.AssetService."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDeps:
    """What the services of one executor need."""

    streams: StreamDeps
    sessions: SessionDeps
    environment: LintEnvironment


def add_services(deps: ServiceDeps, server: aio.Server) -> None:
    """Register the five services on `server`."""
    store = deps.sessions.store
    conversation_service_pb2_grpc.add_ConversationServiceServicer_to_server(
        ConversationServicer(deps.streams), server
    )
    session_service_pb2_grpc.add_SessionServiceServicer_to_server(
        SessionServicer(deps.sessions), server
    )
    history_service_pb2_grpc.add_HistoryServiceServicer_to_server(
        HistoryServicer(store, deps.sessions.scripts), server
    )
    script_service_pb2_grpc.add_ScriptServiceServicer_to_server(
        ScriptServicer(store, deps.environment, deps.sessions), server
    )
    asset_service_pb2_grpc.add_AssetServiceServicer_to_server(AssetServicer(store), server)
