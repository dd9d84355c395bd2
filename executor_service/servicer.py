"""The executor's services, each composed of the rpc classes of its nouns."""

from __future__ import annotations

from typing import Final

from grpc import aio

from executor_service.operator_decisions import OperatorDecisions
from executor_service.rehearsed import rehearsals_of
from executor_service.rpc.asset_rpcs import AssetRpcs
from executor_service.rpc.conversation_rpcs import ConversationRpcs
from executor_service.rpc.decision_rpcs import DecisionRpcs
from executor_service.rpc.fork_and_retry_rpcs import ForkAndRetryRpcs
from executor_service.rpc.history_rpcs import HistoryRpcs
from executor_service.rpc.plan_rpcs import PlanRpcs
from executor_service.rpc.run_rpcs import RunRpcs
from executor_service.rpc.safety_rpcs import SafetyRpcs, Screens
from executor_service.rpc.script_rpcs import ScriptRpcs
from executor_service.rpc.server_rpcs import ServerRpcs
from executor_service.rpc.session_rpcs import SessionRpcs
from executor_service.rpc.thread_rpcs import ThreadRpcs
from executor_service.rpc.user_export_rpcs import UserExportRpcs
from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.settings import ExecutorSettings
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.ids import new_id
from heartrule.v1 import (
    asset_service_pb2_grpc,
    conversation_service_pb2_grpc,
    decision_service_pb2_grpc,
    history_service_pb2_grpc,
    run_service_pb2_grpc,
    safety_service_pb2_grpc,
    script_service_pb2_grpc,
    server_service_pb2_grpc,
    session_service_pb2_grpc,
    thread_service_pb2_grpc,
)

SERVICE_NAMES: Final = tuple(
    f"heartrule.v1.{noun}Service"
    for noun in (
        "Conversation",
        "Session",
        "History",
        "Script",
        "Asset",
        "Safety",
        "Decision",
        "Run",
        "Thread",
        "Server",
    )
)


class ConversationServicer(  # type: ignore[misc]  # streams write by context, the stub expects generators
    ConversationRpcs, conversation_service_pb2_grpc.ConversationServiceServicer
):
    """Serves heartrule.v1.ConversationService."""


class SessionServicer(  # type: ignore[misc]  # as above
    SessionRpcs,
    UserExportRpcs,
    PlanRpcs,
    ForkAndRetryRpcs,
    session_service_pb2_grpc.SessionServiceServicer,
):
    """Serves heartrule.v1.SessionService."""


class HistoryServicer(HistoryRpcs, history_service_pb2_grpc.HistoryServiceServicer):
    """Serves heartrule.v1.HistoryService."""


class ScriptServicer(ScriptRpcs, script_service_pb2_grpc.ScriptServiceServicer):
    """Serves heartrule.v1.ScriptService."""


class AssetServicer(AssetRpcs, asset_service_pb2_grpc.AssetServiceServicer):  # type: ignore[misc]  # as above
    """Serves heartrule.v1.AssetService."""


class SafetyServicer(SafetyRpcs, safety_service_pb2_grpc.SafetyServiceServicer):
    """Serves heartrule.v1.SafetyService."""


class DecisionServicer(DecisionRpcs, decision_service_pb2_grpc.DecisionServiceServicer):
    """Serves heartrule.v1.DecisionService."""


class RunServicer(RunRpcs, run_service_pb2_grpc.RunServiceServicer):  # type: ignore[misc]  # as above
    """Serves heartrule.v1.RunService."""


class ThreadServicer(ThreadRpcs, thread_service_pb2_grpc.ThreadServiceServicer):
    """Serves heartrule.v1.ThreadService."""


class ServerServicer(ServerRpcs, server_service_pb2_grpc.ServerServiceServicer):
    """Serves heartrule.v1.ServerService."""


def add_services(
    deps: SessionDeps,
    environment: LintEnvironment,
    screen: Screens,
    server: aio.Server,
    *,
    settings: ExecutorSettings,
) -> None:
    """Register the ten services on `server`; scripts are checked against `environment`."""
    store, scripts = deps.store, deps.scripts
    conversation_service_pb2_grpc.add_ConversationServiceServicer_to_server(
        ConversationServicer(deps), server
    )
    session_service_pb2_grpc.add_SessionServiceServicer_to_server(SessionServicer(deps), server)
    history_service_pb2_grpc.add_HistoryServiceServicer_to_server(
        HistoryServicer(store, scripts), server
    )
    script_service_pb2_grpc.add_ScriptServiceServicer_to_server(
        ScriptServicer(
            store,
            environment,
            deps.workers,
            rehearsals_of(settings),
            prices=settings.prices.table(),
        ),
        server,
    )
    asset_service_pb2_grpc.add_AssetServiceServicer_to_server(AssetServicer(store), server)
    safety_service_pb2_grpc.add_SafetyServiceServicer_to_server(
        SafetyServicer(store, deps.hub, screen), server
    )
    decisions = OperatorDecisions(store, deps.read_session, new_id, judging=deps.judging)
    decision_service_pb2_grpc.add_DecisionServiceServicer_to_server(
        DecisionServicer(deps, decisions), server
    )
    run_service_pb2_grpc.add_RunServiceServicer_to_server(
        RunServicer(store, deps.hub, scripts, runs=deps.runs), server
    )
    thread_service_pb2_grpc.add_ThreadServiceServicer_to_server(
        ThreadServicer(store, scripts), server
    )
    server_service_pb2_grpc.add_ServerServiceServicer_to_server(
        ServerServicer(deps.defaults.max_input_chars), server
    )
