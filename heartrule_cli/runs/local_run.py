"""A run of one workflow in this process: no server, and a store that is gone afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.recovering import CoordinatorRecoveries
from executor_service.decisions.run_decisions import RunDecisions
from executor_service.decisions.stored_session import StoredSessions
from executor_service.failpoints import Failpoints
from executor_service.workflows.engine.driver_ports import DriverPorts, Publish
from executor_service.workflows.engine.inline_engine import InlineEngine
from executor_service.workflows.nodes.registry import standard_nodes
from executor_service.workflows.sandbox.tiered_sandbox import TieredSandbox
from heartrule.domain.decisions import (
    Decision,
    DecisionAuthor,
    DecisionState,
    DecisionType,
    Verdict,
)
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.runs import RunProgress
from heartrule.domain.workflows import Workflow
from heartrule_cli.rehearsal.inline_pool import InlinePool
from heartrule_cli.runs.local_ground import LocalGround
from session_store.open import open_in_memory
from session_store.records import DecisionChange, NewSession, SubmittedDecision
from session_store.records.kept_runs import KeptArtifact, RunDetails

_OWNER = "workflow run"
LOCAL = SessionKey(DEFAULT_TENANT, "ses_local")
"""The only session of its store; no script runs it."""


class LocalRun:
    """A store in memory with one session, its workflow, and a run of it."""

    def __init__(self, workflow: Workflow, ground: LocalGround, publish: Publish) -> None:
        """Begin nothing; `publish` is handed the events of the run's nodes as they happen."""
        self._workflow, self._publish = workflow, publish
        self._store = open_in_memory()
        read_session = StoredSessions(
            store=self._store, policies=ground.policies, sandboxes=ground.sandboxes
        )
        judging = JudgingBeside(InlinePool())
        self._read_session, self._judging = read_session, judging
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
        await self._store.create_session(
            NewSession(
                key=LOCAL,
                script_id=self._workflow.workflow_id,
                script_version="",
                workflows=(self._workflow,),
            )
        )
        decision = _execution(self._workflow.workflow_id, inputs)
        found = await self._read_session(LOCAL, "")
        decisions = RunDecisions(self._store, new_id, judging=self._judging)
        decided = await decisions.decided(LOCAL, decision, found)
        verdict, effect = decided.verdict, decided.effect
        if effect is not None and not verdict.corrections:
            change = DecisionChange(decision=decision, state=DecisionState.DONE, verdict=verdict)
            session = await self._store.get_session(LOCAL)
            submitted = SubmittedDecision(
                key=LOCAL, change=change, runs=effect.runs, at_sequence=session.last_sequence
            )
            await self._store.submit_decision(submitted)
            (begun,) = effect.runs
            self._run_id = begun.run_id
            await self._engine.resume([begun.run_id])
        return verdict

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


def _execution(workflow_id: str, inputs: Mapping[str, JsonValue]) -> Decision:
    decision_id, kind = new_id("dec"), DecisionType.EXECUTE_WORKFLOW
    return Decision(
        decision_id=decision_id,
        correlation_id=decision_id,
        decision_type=kind,
        payload={
            "action_type": kind.value,
            "workflow_id": workflow_id,
            "input_params": dict(inputs),
        },
        author=DecisionAuthor.OPERATOR,
    )
