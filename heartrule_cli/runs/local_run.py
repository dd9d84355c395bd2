"""A run of one workflow in this process: no server, and a store that is gone afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.recovering import CoordinatorRecoveries
from executor_service.decisions.stored_session import StoredSessions
from executor_service.failpoints import Failpoints
from executor_service.workflows.engine.driver_ports import DriverPorts, Publish
from executor_service.workflows.engine.inline_engine import InlineEngine
from executor_service.workflows.nodes.registry import standard_nodes
from executor_service.workflows.sandbox.tiered_sandbox import TieredSandbox
from heartrule.domain.decisions import Verdict
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunProgress
from heartrule.domain.workflows import Workflow
from heartrule_cli.rehearsal.inline_workers import InlineWorkers
from heartrule_cli.runs.local_ground import LocalGround
from heartrule_cli.runs.local_session import LOCAL, LocalSession
from session_store.open import open_in_memory
from session_store.records.kept_runs import KeptArtifact, RunDetails

_OWNER = "workflow run"


class LocalRun:
    """A store in memory with one session, its workflow, and a run of it."""

    def __init__(self, workflow: Workflow, ground: LocalGround, publish: Publish) -> None:
        """Begin nothing; `publish` is handed the events of the run's nodes as they happen."""
        self._workflow, self._publish = workflow, publish
        self._store = open_in_memory()
        read_session = StoredSessions(
            store=self._store, policies=ground.policies, sandboxes=ground.sandboxes
        )
        judging = JudgingBeside(InlineWorkers())
        self._session = LocalSession(store=self._store, read_session=read_session, judging=judging)
        self._nodes = standard_nodes(ground.model, TieredSandbox(ground.sandboxes))
        ports = DriverPorts(
            store=self._store,
            nodes=self._nodes,
            recoverer=CoordinatorRecoveries(self._store, read_session, new_id, judging=judging),
            means_of=partial(ground.means, self._store),
            publish=publish,
            failpoints=Failpoints(),
        )
        self._engine = InlineEngine(ports, owner=_OWNER, slots=1)
        self._run_id = ""

    async def begin(self, inputs: Mapping[str, JsonValue]) -> Verdict:
        """Have the gate judge the run; it begins where that corrects and refuses nothing."""
        await self._store.start()
        await self._session.create(self._workflow)
        decided = await self._session.execute(self._workflow.workflow_id, inputs)
        if decided.verdict.is_valid and not decided.verdict.corrections:
            (begun,) = decided.runs
            self._run_id = begun.run_id
            await self._engine.resume([begun.run_id])
        return decided.verdict

    async def wait(self) -> None:
        """Return once the run is over."""
        await self._engine.wait(self._run_id)

    async def cancel(self) -> None:
        """End the run, and what its nodes do; one that is over stays as it is."""
        written = await self._store.cancel_run(LOCAL, self._run_id)
        await self._engine.cancel(self._run_id)
        self._publish(LOCAL, written.events)

    async def details(self) -> RunDetails:
        """Return the run with its attempts and files."""
        return await self._store.get_run(LOCAL, self._run_id)

    async def progress(self) -> RunProgress:
        """Return how far its nodes are, outputs whole."""
        return await self._store.read_run_progress(LOCAL, self._run_id)

    async def artifact(self, listed: KeptArtifact) -> KeptArtifact:
        """Return a file with its content."""
        return await self._store.get_run_artifact(LOCAL, self._run_id, listed.path, listed.name)

    async def aclose(self) -> None:
        """Stop what runs, and free what the nodes hold."""
        await self._engine.aclose(0)
        await self._nodes.aclose()
        await self._store.aclose()
