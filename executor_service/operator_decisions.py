"""Decisions that an operator or another program makes between turns pass the same gate."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.effects import OF_RUNS, Effect
from executor_service.decisions.handling import DecisionHandler
from executor_service.decisions.judging import Judgement
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.run_decisions import RunDecisions
from executor_service.decisions.turn_reading import SessionRead, SessionReader
from heartrule.domain.decision_events import revision_made
from heartrule.domain.decisions import (
    Decision,
    DecisionState,
    DecisionType,
    Verdict,
)
from heartrule.domain.errors import InvalidRequest, NotFound, NotReady, RevisionConflict
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import (
    DecisionChange,
    DecisionOutcome,
    KeptDecision,
    KeptWorkflow,
    NewRevision,
    SessionRecord,
    SubmittedDecision,
)

# What an agent says, asks and thinks belongs to its turn; so does a line about a sub-agent.
OF_TURNS = frozenset(
    {
        DecisionType.RESPOND,
        DecisionType.REQUEST_CLARIFICATION,
        DecisionType.CONTINUE,
        DecisionType.SPAWN_SUBAGENT,
    }
)
# A monitor's analysis may move the session between verdict and write, and does so once a round.
_TRIES = 3


class OperatorDecisions:
    """Judges decisions that no turn makes, and writes them with their effect."""

    def __init__(
        self,
        store: Store,
        read_session: SessionReader,
        identify: Callable[[str], str],
        *,
        judging: JudgingBeside,
    ) -> None:
        """`read_session` reads what the gate may know; `identify` returns ids of what is made."""
        self._store = store
        self._read_session = read_session
        self._identify = identify
        self._judging = judging
        self._of_runs = RunDecisions(store, identify, judging=judging)

    async def judged(self, key: SessionKey, decision: Decision) -> Verdict:
        """Return the verdict on a decision of any type; nothing is written.

        Raises:
            QuotaSpent: Too much is being judged.
        """
        await self._store.get_session(key)
        found = await self._read_session(key, "")
        if decision.decision_type in OF_RUNS:
            return (await self._of_runs.decided(key, decision, found)).verdict
        return (await self._judging.judged(decision, found.ground, found.policy)).verdict

    async def submit(self, key: SessionKey, decision: Decision) -> DecisionOutcome:
        """Write a decision with its verdict and effect; a repeat is answered with its outcome.

        Raises:
            InvalidRequest: The id was used for another decision, or by an agent.
            NotReady: It belongs to an agent's turn, or the session is frozen by its safety level.
            SessionBusy: A turn runs, or is to run.
            RevisionConflict: The session moved on each time that it was judged.
            QuotaSpent: Too much is being judged; nothing is written, and the id is free.
        """
        if known := await self._known(key, decision.decision_id):
            return await _repeated(DecisionOutcome(kept=known), decision)
        if decision.decision_type in OF_TURNS:
            raise NotReady(
                f"a decision of type {decision.decision_type} is made in an agent's turn alone",
                reason="DECISION_OF_A_TURN",
            )
        for _ in range(_TRIES - 1):
            try:
                return await self._written(key, decision)
            except RevisionConflict:
                continue
        return await self._written(key, decision)

    async def revision(self, key: SessionKey, kept: KeptDecision) -> KeptWorkflow | None:
        """Return the revision that a decision between turns made, if it did.

        Its transaction emits three events: made, judged, and what came of it.
        """
        if kept.is_taken_back:
            return None
        events = await self._store.read_events(key, kept.sequence, 2)
        found = revision_made(kept.decision.decision_id, (each.body for each in events))
        return await self._store.get_workflow(key, *found) if found else None

    async def _known(self, key: SessionKey, decision_id: str) -> KeptDecision | None:
        try:
            return await self._store.get_decision(key, decision_id)
        except NotFound as error:
            if error.kind != "decision":
                raise
            return None

    async def _written(self, key: SessionKey, decision: Decision) -> DecisionOutcome:
        outcome = await self._store.submit_decision(await self._submitted(key, decision))
        # Another call may have used the id meanwhile.
        return await _repeated(outcome, decision)

    async def _submitted(self, key: SessionKey, decision: Decision) -> SubmittedDecision:
        # Read first: what changes behind it makes the write fail, and is judged again.
        session = await self._store.get_session(key)
        _require_thawed(session)
        found = await self._read_session(key, "")
        if decision.decision_type in OF_RUNS:
            made = await self._of_runs.decided(key, decision, found)
        else:
            made = await self._concluded(decision, found)
        effect = made.effect or Effect()
        new = effect.workflow
        state = DecisionState.DONE if made.verdict.is_valid else DecisionState.REJECTED
        return SubmittedDecision(
            key=key,
            change=DecisionChange(decision=decision, state=state, verdict=made.verdict),
            workflows=(NewRevision(workflow=new, decision_id=decision.decision_id),) if new else (),
            runs=effect.runs,
            run_effects=effect.run_effects,
            at_sequence=session.last_sequence,
        )

    async def _concluded(self, decision: Decision, found: SessionRead) -> Judgement:
        """Return the verdict and what comes of the decision, as for one of an agent."""
        handler = DecisionHandler(
            known=AgentGround(ground=found.ground, policy=found.policy),
            allowed=tuple(DecisionType),
            utterable=_says_nothing,
            judging=self._judging.judged,
            new_id=self._identify,
        )
        return await handler.handle(decision)


def _says_nothing(_path: str, _text: str) -> None:
    """Object to no text: what speaks is refused before."""


async def _repeated(outcome: DecisionOutcome, decision: Decision) -> DecisionOutcome:
    """Pass what became of this very decision; anything else is for lists, which mask it."""
    kept = outcome.kept.decision
    is_kind = (kept.author, kept.decision_type) == (decision.author, decision.decision_type)
    if is_kind and await asyncio.to_thread(_is_same, kept.payload, decision.payload):
        return outcome
    raise InvalidRequest("decision_id was used for another decision", reason="DECISION_ID_REUSED")


def _is_same(one: JsonValue, other: JsonValue) -> bool:
    # As text, since NaN is no NaN's equal.
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _require_thawed(session: SessionRecord) -> None:
    """Refuse where a safety level freezes the session: no decision takes effect meanwhile."""
    if session.safety.frozen:
        raise NotReady(
            "the session is frozen by its safety level: close it, or wait for the client",
            reason="SESSION_FROZEN",
        )
