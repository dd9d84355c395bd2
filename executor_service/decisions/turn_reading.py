"""What the agents of one attempt of a turn read: once, then kept up with what the turn commits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.ground import Ground
from executor_service.decisions.policy import NO_POLICY, DecisionPolicy
from heartrule.domain.decisions import OPEN_STATES
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Workflow
from session_store.records import DecisionChange, KeptDecision, NewRevision, as_made

_EMPTY = Ground()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRead:
    """A session's decisions and workflows, and what is allowed to its agents."""

    ground: Ground = _EMPTY
    policy: DecisionPolicy = NO_POLICY
    decisions: tuple[KeptDecision, ...] = ()
    """Those of the turn, and those of any turn whose effect is to come, in order."""


SessionReader: TypeAlias = Callable[[SessionKey, str], Awaitable[SessionRead]]
"""Reads it; given the turn, empty where nothing of it is committed yet."""


class TurnReading:
    """Serves one attempt, which alone writes its session: nobody else decides meanwhile."""

    def __init__(
        self, read: SessionReader, key: SessionKey, turn_id: str, *, is_begun: bool
    ) -> None:
        """Read nothing yet; `is_begun`: an earlier attempt has committed steps of the turn."""
        self._read, self._key = read, key
        self._turn_id, self._is_begun = turn_id, is_begun
        self._session: SessionRead | None = None

    async def of(self, action_instance_id: str) -> AgentGround:
        """Return what the agent of an action finds."""
        if self._session is None:
            known_turn = self._turn_id if self._is_begun else ""
            self._session = await self._read(self._key, known_turn)
        session = self._session
        own = [e for e in session.decisions if e.action_instance_id == action_instance_id]
        return AgentGround(
            turn_id=self._turn_id,
            ground=session.ground,
            policy=session.policy,
            of_turn=tuple(each for each in own if each.turn_id == self._turn_id),
            waiting=tuple(each for each in own if each.state in OPEN_STATES),
        )

    def forget(self) -> None:
        """Read all of it anew when it is next asked for: runs change what workflows are."""
        self._session = None

    def committed(
        self, decisions: Sequence[DecisionChange], workflows: Iterable[NewRevision]
    ) -> None:
        """Note what a step of the turn has committed."""
        self._is_begun = True
        session = self._session
        if session is None:
            return
        kept = {each.decision.decision_id: each for each in session.decisions}
        moved = (each for each in decisions if not each.is_made)
        for change in (*as_made(decisions), *moved):
            name = change.decision.decision_id
            kept[name] = self._after(change, kept.get(name))
        ground = session.ground
        if changed := {each.workflow.workflow_id: each.workflow for each in workflows}:
            ground = replace(
                ground,
                workflows=_newest(ground.workflows, changed),
                of_script=ground.of_script - changed.keys(),
            )
        self._session = replace(session, ground=ground, decisions=tuple(kept.values()))

    def _after(self, change: DecisionChange, known: KeptDecision | None) -> KeptDecision:
        if known is not None:
            return replace(known, state=change.state, verdict=change.verdict or known.verdict)
        return KeptDecision(
            decision=change.decision,
            state=change.state,
            verdict=change.verdict,
            place=change.place,
            action_instance_id=change.action_instance_id,
            turn_id=self._turn_id if change.is_made else "",
        )


def _newest(workflows: Iterable[Workflow], changed: dict[str, Workflow]) -> tuple[Workflow, ...]:
    """Return the newest revision of each, the one changed last at the end."""
    return (*(each for each in workflows if each.workflow_id not in changed), *changed.values())
