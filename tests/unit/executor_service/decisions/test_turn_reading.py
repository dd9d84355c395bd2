"""What the agents of a turn read: once, and kept up with what the turn commits."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from executor_service.decisions.ground import Ground
from executor_service.decisions.turn_reading import SessionRead, TurnReading
from heartrule.domain.decisions import Decision, DecisionState
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Workflow
from session_store.records import DecisionChange, KeptDecision, NewRevision

KEY = SessionKey("t", "s")
EMPTY = SessionRead()


def made(name: str, **fields: object) -> DecisionChange:
    """Return a decision that an action has made."""
    decision = Decision(decision_id=name, correlation_id="c", decision_type="continue", payload={})
    plain = DecisionChange(
        decision=decision, state=DecisionState.QUEUED, action_instance_id="act_1"
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def kept(name: str, turn_id: str = "turn_1", instance: str = "act_1") -> KeptDecision:
    """Return a decision that the store has, held."""
    decision = made(name).decision
    return KeptDecision(
        decision=decision,
        state=DecisionState.HELD,
        action_instance_id=instance,
        turn_id=turn_id,
    )


@dataclass
class Session:
    """A session that counts how often it is read."""

    read: SessionRead = EMPTY
    asked: list[str] = field(default_factory=list)

    async def __call__(self, _key: SessionKey, turn_id: str) -> SessionRead:
        """Return it."""
        self.asked.append(turn_id)
        return self.read


def reading(session: Session, *, is_begun: bool = False) -> TurnReading:
    """Return the reading of one attempt of turn_2."""
    return TurnReading(session, KEY, "turn_2", is_begun=is_begun)


async def test_a_turn_without_an_agent_reads_nothing() -> None:
    """What it commits changes nothing of that."""
    session = Session()
    reading(session).committed((), ())
    assert session.asked == []


async def test_it_is_read_once() -> None:
    """A further step finds what the steps before have committed."""
    session = Session()
    turn = reading(session)
    await turn.of("act_1")
    turn.committed((made("d1"), made("d2", state=DecisionState.DONE)), ())
    found = await turn.of("act_1")
    assert [each.decision.decision_id for each in found.of_turn] == ["d1", "d2"]
    assert [each.decision.decision_id for each in found.waiting] == ["d1"]
    assert session.asked == [""]


async def test_a_turn_taken_up_again_reads_its_own_decisions() -> None:
    """An earlier attempt may have committed some."""
    session = Session()
    await reading(session, is_begun=True).of("act_1")
    assert session.asked == ["turn_2"]


async def test_an_action_finds_its_own_decisions_alone() -> None:
    """Those of an earlier turn wait, and are none of this turn's."""
    session = Session(SessionRead(decisions=(kept("d1"), kept("d2", instance="act_9"))))
    found = await reading(session).of("act_1")
    assert [each.decision.decision_id for each in found.waiting] == ["d1"]
    assert found.of_turn == ()


async def test_a_decision_of_before_may_move() -> None:
    """It keeps its turn, and waits no more."""
    session = Session(SessionRead(decisions=(kept("d1"),)))
    turn = reading(session)
    await turn.of("act_1")
    turn.committed((made("d1", is_made=False, state=DecisionState.DONE),), ())
    found = await turn.of("act_1")
    assert (found.waiting, found.of_turn) == ((), ())


async def test_a_revision_takes_the_place_of_the_one_before() -> None:
    """The workflow that was changed last is the newest."""
    first, second = Workflow(workflow_id="a"), Workflow(workflow_id="b")
    session = Session(SessionRead(ground=Ground(workflows=(first, second))))
    turn = reading(session)
    await turn.of("act_1")
    turn.committed((), (NewRevision(workflow=replace(first, revision=2)),))
    found = await turn.of("act_1")
    assert [(each.workflow_id, each.revision) for each in found.ground.workflows] == [
        ("b", 1),
        ("a", 2),
    ]
