"""ExecutorService: all its rpcs, composed of the nouns' own."""

from __future__ import annotations

from executor_service.rpc.assets import AssetRpcs, AssetsAndScripts
from executor_service.rpc.going_back import GoingBackRpcs
from executor_service.rpc.histories import HistoryRpcs
from executor_service.rpc.outlines import OutlineRpcs
from executor_service.rpc.plans import PlanRpcs
from executor_service.rpc.scripts import ScriptRpcs
from executor_service.rpc.sessions import SessionDeps, SessionRpcs
from executor_service.rpc.streams import StreamRpcs
from executor_service.rpc.timelines import TimelineRpcs
from executor_service.rpc.variables import VariableRpcs
from executor_service.scripts.environment import LintEnvironment
from executor_service.streams.deps import StreamDeps
from heartrule.v1 import executor_service_pb2_grpc


class ExecutorServicer(  # type: ignore[misc]  # streams write by context, the stub expects generators
    StreamRpcs,
    SessionRpcs,
    VariableRpcs,
    HistoryRpcs,
    PlanRpcs,
    TimelineRpcs,
    GoingBackRpcs,
    ScriptRpcs,
    OutlineRpcs,
    AssetRpcs,
    executor_service_pb2_grpc.ExecutorServiceServicer,
):
    """Serves heartrule.v1.ExecutorService."""

    def __init__(
        self,
        *,
        streams: StreamDeps,
        sessions: SessionDeps,
        scripts: AssetsAndScripts,
        environment: LintEnvironment,
    ) -> None:
        """Give every noun its own dependencies."""
        StreamRpcs.__init__(self, streams)
        SessionRpcs.__init__(self, sessions)
        VariableRpcs.__init__(self, sessions.store)
        GoingBackRpcs.__init__(self, sessions)
        HistoryRpcs.__init__(self, sessions.store)
        PlanRpcs.__init__(self, sessions.store, sessions.scripts, sessions.hub)
        TimelineRpcs.__init__(self, sessions.store)
        ScriptRpcs.__init__(self, scripts, environment)
        OutlineRpcs.__init__(self, sessions)
        AssetRpcs.__init__(self, scripts)
