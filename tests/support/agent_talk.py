"""A session of one ai_agent, turn after turn, with replies that a test writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from executor_service.decisions.ground import Ground, SubagentType
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from executor_service.decisions.session_runs import SessionRuns
from executor_service.decisions.turn_reading import SessionRead
from executor_service.engine.run_turn import run_turn
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action, Script
from executor_service.sub_agents.agent_maker import AgentMaker
from heartrule.domain.conversation import Role
from heartrule.domain.decisions import OPEN_STATES, DecisionState, DecisionType
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.workflows import SandboxTier, Workflow
from session_store.records import (
    ActionInstance,
    CommittedStep,
    DecisionChange,
    KeptDecision,
    StepCommit,
    TurnEnd,
    TurnSnapshot,
    as_made,
)
from tests.support.engine_builders import (
    RecordingSink,
    action_of_type,
    before_the_script,
    counting_ids,
    engine_deps,
    heard,
    script,
    waiting_at,
)
from tests.support.fake_model import FakeModel, Reply
from tests.support.nothing_wired import NoAgents, RefusedRuns

EVERY_TYPE = tuple(DecisionType)
METRICS = {
    "information_completeness": "还缺一些",
    "user_engagement": "愿意谈",
    "emotional_intensity": "平静",
    "reply_relevance": "切题",
}


def agent(action_id: str = "agent", *, goal: str = "陪他谈谈", **config: Any) -> Action:
    """Return an ai_agent that may decide anything; `get` names its outputs."""
    outputs = config.pop("output", tuple(Output(get=name) for name in config.pop("get", ())))
    allowed = config.pop("allowed_decisions", EVERY_TYPE)
    return action_of_type(
        ActionType.AI_AGENT,
        action_id,
        AgentConfig(goal=goal, output=outputs, allowed_decisions=allowed, **config),
    )


def decision(decision_type: str, **fields: Any) -> dict[str, Any]:
    """Return one decision as a model writes it."""
    payload = {"action_type": decision_type, **fields}
    return {"decision_type": decision_type, "confidence": 0.9, "payload": payload}


def respond(text: str, *, followup: bool = True, **fields: Any) -> dict[str, Any]:
    """Return a RESPOND."""
    plain = {"response": text, "intent": "simple_query", "requires_followup": followup}
    return decision("respond", **{**plain, **fields})


def ask_back(question: str, **fields: Any) -> dict[str, Any]:
    """Return a REQUEST_CLARIFICATION."""
    return decision("request_clarification", question=question, **fields)


def thought(text: str = "先想一想") -> dict[str, Any]:
    """Return a CONTINUE."""
    return decision("continue", thought=text)


def node(name: str = "写小结", **fields: Any) -> dict[str, Any]:
    """Return a CREATE_NODE of a node that any session may have."""
    plain = {"node_type": "LLM", "node_name": name, "config": {"prompt": "写小结"}}
    return decision("create_node", **{**plain, **fields})


def answers(*decisions: Mapping[str, Any], intent: str = "simple_query", **fields: Any) -> str:
    """Return a whole reply of an agent."""
    reply = {
        "intent": intent,
        "decisions": list(decisions),
        "variables": {},
        "metrics": METRICS,
        "progress_suggestion": "continue_needed",
    }
    return json.dumps({**reply, **fields}, ensure_ascii=False)


class Dying(RecordingSink):
    """Commits so many steps, then breaks off."""

    left: int = 1

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Keep a step, or break off."""
        if not self.left:
            raise ModelUnavailable("broken off", reason="BROKEN_OFF")
        self.left -= 1
        return await RecordingSink.commit(self, step)


@dataclass
class AgentTalk:
    """Keeps between its turns what a store would keep."""

    action: Action = field(default_factory=agent)
    policy: DecisionPolicy = NO_POLICY
    sandboxes: frozenset[SandboxTier] = frozenset()
    subagents: Mapping[str, SubagentType] = field(default_factory=dict)
    model: FakeModel = field(default_factory=FakeModel)
    session_runs: SessionRuns = field(default_factory=RefusedRuns)
    agents: AgentMaker = field(default_factory=NoAgents)
    kept: dict[str, KeptDecision] = field(default_factory=dict)
    workflows: dict[str, Workflow] = field(default_factory=dict)
    instance: ActionInstance | None = None
    window: list[DialogueLine] = field(default_factory=list)
    turns: int = 0

    def __post_init__(self) -> None:
        """Begin before the script."""
        self.ids = counting_ids()
        self.script: Script = script(self.action)

    async def opens(self, *replies: Reply | str) -> tuple[TurnEnd, RecordingSink]:
        """Run the opening turn."""
        return await self.runs(before_the_script(), *replies)

    async def hears(self, text: str, *replies: Reply | str) -> tuple[TurnEnd, RecordingSink]:
        """Run the turn that answers the client."""
        self.turns += 1
        end, sink = await self.runs(self.answering(text), *replies)
        return end, sink

    def answering(self, text: str, **changes: Any) -> TurnSnapshot:
        """Return the snapshot of a turn that answers the client."""
        turn = {
            "inputs": (heard(text),),
            "turn_id": f"turn_{self.turns + 1}",
            "turn_no": self.turns,
        }
        snapshot = waiting_at(self.script, window=tuple(self.window), **{**turn, **changes})
        known = snapshot.plan if self.instance is None else (self.instance,)
        return replace(snapshot, plan=known)

    async def runs(
        self, snapshot: TurnSnapshot, *replies: Reply | str, sink: RecordingSink | None = None
    ) -> tuple[TurnEnd, RecordingSink]:
        """Run a turn and keep what it committed, also where it fails."""
        self.model.will_say(*replies)
        journal = sink or RecordingSink()
        read, runs = self.read, self.session_runs
        plain = engine_deps(self.model, new_id=self.ids, read_session=read, runs=runs)
        deps = replace(plain, runs=runs, threads=self.agents)
        try:
            end = await run_turn(snapshot, self.script, deps, journal)
        finally:
            self._keep(snapshot, journal.steps)
        return end, journal

    async def read(self, _key: SessionKey, turn_id: str) -> SessionRead:
        """Return the session as a store would."""
        return SessionRead(
            ground=Ground(
                workflows=tuple(self.workflows.values()),
                sandboxes=self.sandboxes,
                subagent_types=self.subagents,
            ),
            policy=self.policy,
            decisions=tuple(
                each
                for each in self.kept.values()
                if each.state in OPEN_STATES or (turn_id and each.turn_id == turn_id)
            ),
        )

    def states(self) -> list[tuple[str, DecisionState]]:
        """Return each decision's type and state, in the order in which they were made."""
        return [(each.decision.decision_type, each.state) for each in self.kept.values()]

    def codes(self) -> list[list[str]]:
        """Return the codes of each decision's errors."""
        verdicts = [each.verdict for each in self.kept.values()]
        return [[error.code.value for error in v.errors] if v else [] for v in verdicts]

    def _keep(self, snapshot: TurnSnapshot, steps: list[StepCommit]) -> None:
        for message in snapshot.inputs if steps else ():
            self.window.append(DialogueLine(role=Role.CLIENT, text=message.plain_text()))
        for step in steps:
            moved = (each for each in step.decisions if not each.is_made)
            for change in (*as_made(step.decisions), *moved):
                name = change.decision.decision_id
                self.kept[name] = _after(change, self.kept.get(name), snapshot.turn_id)
            for revision in step.workflows:
                self.workflows.pop(revision.workflow.workflow_id, None)
                self.workflows[revision.workflow.workflow_id] = revision.workflow
            for message in step.messages:
                said = DialogueLine(role=Role.ASSISTANT, text=message.plain_text())
                self.window.append(said)
            self.instance = step.instances[-1] if step.instances else self.instance


def _after(change: DecisionChange, known: KeptDecision | None, turn_id: str) -> KeptDecision:
    if change.is_made:
        assert known is None, "a decision is made once"
        return KeptDecision(
            decision=change.decision,
            state=change.state,
            verdict=change.verdict,
            place=change.place,
            action_instance_id=change.action_instance_id,
            turn_id=turn_id,
        )
    assert known is not None, "a decision is made before it is moved"
    return replace(known, state=change.state, verdict=change.verdict or known.verdict)
