"""A decision between turns is judged for the session as it stands when it is written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, NoReturn

import pytest

from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.decisions.policy import DecisionPolicies, DecisionPolicy
from executor_service.decisions.stored_session import StoredSessions
from executor_service.operator_decisions import OperatorDecisions
from executor_service.ports import WorkPool
from heartrule.domain.decisions import Decision, DecisionState, FindingCode
from heartrule.domain.errors import NotFound, QuotaSpent, RevisionConflict, SessionBusy
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import NodeType
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.open import open_in_memory
from session_store.records import KeptWorkflow, Page
from tests.support.gate_ground import a_decision, a_new_node
from tests.support.judges import BUSY, FailingPool
from tests.support.store_builders import accept, opened
from tests.support.store_decisions import submission

WRITER = a_new_node("LLM", model="m", prompt="p")
HTTP_ONLY = DecisionPolicies(default=DecisionPolicy(node_types=frozenset({NodeType.HTTP})))


class MovingStore:
    """A store in which another decision is written while one is judged, so many times."""

    def __init__(self, store: Any, times: int) -> None:
        self._store = store
        self._times = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def list_workflows(self, key: SessionKey, page: Page) -> tuple[list[KeptWorkflow], str]:
        """Return the workflows, and move the session on."""
        found: tuple[list[KeptWorkflow], str] = await self._store.list_workflows(key, page)
        if self._times:
            self._times -= 1
            await self._store.submit_decision(await submission(self._store, key, new_id("other")))
        return found


@pytest.fixture
async def store() -> AsyncIterator[Any]:
    """A store in memory."""
    made = open_in_memory()
    yield made
    await made.aclose()


def deciding(
    store: Any,
    policies: DecisionPolicies | None = None,
    *,
    identify: Callable[[str], str] = new_id,
    pool: WorkPool | None = None,
) -> OperatorDecisions:
    """Return what judges and writes."""
    reading = StoredSessions(store=store, policies=policies or DecisionPolicies())
    judging = JudgingBeside(pool or InlinePool())
    return OperatorDecisions(store, reading, identify, judging=judging)


def wanted(decision_id: str = "op_1") -> Decision:
    """Return a decision that adds a node."""
    made = a_decision(WRITER)
    return Decision(
        decision_id=decision_id,
        correlation_id=decision_id,
        decision_type=made.decision_type,
        payload=made.payload,
    )


@pytest.mark.parametrize("times", [0, 1, 2])
async def test_a_session_that_moves_on_is_judged_again(store: Any, times: int) -> None:
    """A monitor's analysis, say, ended meanwhile."""
    key = await opened(store)
    outcome = await deciding(MovingStore(store, times)).submit(key, wanted())
    assert outcome.kept.state is DecisionState.DONE


async def test_one_that_never_rests_is_given_up(store: Any) -> None:
    """The caller may send it again; nothing is written."""
    key = await opened(store)
    with pytest.raises(RevisionConflict):
        await deciding(MovingStore(store, 3)).submit(key, wanted())
    with pytest.raises(NotFound):
        await store.get_decision(key, "op_1")


async def test_while_an_input_waits_nothing_is_decided(store: Any) -> None:
    """Its turn comes first; a known id is answered all the same."""
    key = await opened(store)
    await deciding(store).submit(key, wanted())
    await accept(store, key)
    with pytest.raises(SessionBusy):
        await deciding(store).submit(key, wanted("op_2"))
    assert (await deciding(store).submit(key, wanted())).events == ()


def raising(_kind: str) -> NoReturn:
    """Fail where a workflow is given its id, which the executor does."""
    raise RuntimeError("nobody foresaw it")


async def test_an_executor_that_raises_rejects(store: Any) -> None:
    """As for an agent's decision; its outcome is kept (RESOLUTIONS D20, D21)."""
    key = await opened(store)
    broken = deciding(store, identify=raising)
    kept = (await broken.submit(key, wanted())).kept
    assert kept.state is DecisionState.REJECTED
    assert kept.verdict is not None
    assert [each.code for each in kept.verdict.errors] == [FindingCode.VALIDATOR_ERROR]
    assert (await store.list_workflows(key, Page()))[0] == []


async def test_busy_workers_leave_the_id_free(store: Any) -> None:
    """Nothing is written, so that the same decision may be submitted again."""
    key = await opened(store)
    with pytest.raises(QuotaSpent):
        await deciding(store, pool=FailingPool(BUSY)).submit(key, wanted())
    outcome = await deciding(store).submit(key, wanted())
    assert (outcome.kept.state, len(outcome.events)) == (DecisionState.DONE, 3)


async def test_a_dry_run_that_finds_busy_workers_says_so(store: Any) -> None:
    """It is no verdict."""
    key = await opened(store)
    with pytest.raises(QuotaSpent):
        await deciding(store, pool=FailingPool(BUSY)).judged(key, wanted())


async def test_the_tenant_s_policy_holds(store: Any) -> None:
    """For a dry run and for a decision that is written."""
    key = await opened(store)
    limited = deciding(store, HTTP_ONLY)
    dry = await limited.judged(key, wanted())
    kept = (await limited.submit(key, wanted())).kept
    assert kept.state is DecisionState.REJECTED
    assert kept.verdict == dry
    assert [each.code for each in dry.errors] == [FindingCode.BAD_ENUM]


async def test_the_ground_has_the_newest_revision_of_each_workflow(store: Any) -> None:
    """However many there are."""
    key = await opened(store)
    for number in range(3):
        await deciding(store).submit(key, wanted(f"op_{number}"))
    (workflow,) = (await StoredSessions(store=store)(key, "")).ground.workflows
    assert (workflow.revision, len(workflow.nodes)) == (3, 3)
