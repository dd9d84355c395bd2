"""The executor's services, each composed of the rpc classes of its nouns."""

from __future__ import annotations

from importlib import import_module
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

_NOUNS = (
    *("Conversation", "Session", "History", "Script", "Asset", "Safety", "Decision", "Run"),
    *("Thread", "Server"),
)
SERVICE_NAMES: Final = tuple(f"heartrule.v1.{noun}Service" for noun in _NOUNS)


class AllSessionRpcs(SessionRpcs, UserExportRpcs, PlanRpcs, ForkAndRetryRpcs):
    """Serves heartrule.v1.SessionService."""


def add_services(
    deps: SessionDeps,
    environment: LintEnvironment,
    screen: Screens,
    server: aio.Server,
    *,
    settings: ExecutorSettings,
) -> None:
    """Register the ten services on `server`; scripts are checked against `environment`.

    Raises:
        AttributeError: A service has an rpc that nobody serves.
    """
    store, hub, scripts = deps.store, deps.hub, deps.scripts
    rehearsals, prices = rehearsals_of(settings), settings.prices.table()
    decisions = OperatorDecisions(store, deps.read_session, new_id, judging=deps.judging)
    serving: dict[str, object] = {
        "Conversation": ConversationRpcs(deps),
        "Session": AllSessionRpcs(deps),
        "History": HistoryRpcs(store, scripts),
        "Script": ScriptRpcs(store, environment, deps.check_pool, rehearsals, prices=prices),
        "Asset": AssetRpcs(store),
        "Safety": SafetyRpcs(store, hub, screen),
        "Decision": DecisionRpcs(deps, decisions),
        "Run": RunRpcs(store, hub, scripts, runs=deps.runs),
        "Thread": ThreadRpcs(store, scripts),
        "Server": ServerRpcs(deps.settings.max_input_chars),
    }
    for noun in _NOUNS:
        generated = import_module(f"heartrule.v1.{noun.lower()}_service_pb2_grpc")
        getattr(generated, f"add_{noun}ServiceServicer_to_server")(serving[noun], server)
