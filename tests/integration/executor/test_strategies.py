"""The strategy engine over the wire: turned on at the start of a session, told, listed, erased."""

from __future__ import annotations

import pytest
from grpc import StatusCode, aio

from heartrule.v1 import erasure_pb2, session_pb2, strategy_pb2
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script
from tests.support.strategies import strategy_reply


def advised() -> Neighbours:
    """Return a model that recommends once and asks once."""
    return Neighbours(model=FakeModel([strategy_reply("用短句"), ask_reply("怎么称呼你？")]))


async def test_a_session_started_with_it_lists_its_recommendation() -> None:
    """The choice is kept with the session; what was recommended is listed with its context."""
    async with running_executor(advised()) as running:
        stubs = running.client.stubs
        session_id = await running.client.start(ask_script(9), strategy_engine=True)
        await running.client.initialize(session_id)
        request = session_pb2.GetSessionRequest(session_id=session_id)
        session = (await stubs.session.GetSession(request)).session
        listed = await stubs.history.ListStrategyDecisions(
            strategy_pb2.ListStrategyDecisionsRequest(session_id=session_id)
        )
    assert session.strategy_engine is True
    (decision,) = listed.decisions
    assert (decision.action_id, decision.round) == ("ask_name", 1)
    assert decision.recommendation.strategy_prompt == "【沟通策略建议】\n用短句"
    assert decision.context.action_config.max_rounds == 9
    assert (decision.HasField("timestamp"), listed.next_page_token) == (True, "")


async def test_a_session_started_without_it_has_none() -> None:
    """Off by default: no call, and nothing is listed."""
    model = FakeModel([ask_reply("怎么称呼你？")])
    async with running_executor(Neighbours(model=model)) as running:
        stubs = running.client.stubs
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        request = session_pb2.GetSessionRequest(session_id=session_id)
        session = (await stubs.session.GetSession(request)).session
        listed = await stubs.history.ListStrategyDecisions(
            strategy_pb2.ListStrategyDecisionsRequest(session_id=session_id)
        )
    assert not session.HasField("strategy_engine")
    assert (len(model.requests), list(listed.decisions)) == (1, [])


async def test_an_erased_session_lists_none() -> None:
    """What a model thought of a client goes with the rest."""
    async with running_executor(advised()) as running:
        session_id = await running.client.start(ask_script(9), strategy_engine=True)
        await running.client.initialize(session_id)
        stubs = running.client.stubs
        await stubs.session.DeleteSession(erasure_pb2.DeleteSessionRequest(session_id=session_id))
        with pytest.raises(aio.AioRpcError) as refused:
            await stubs.history.ListStrategyDecisions(
                strategy_pb2.ListStrategyDecisionsRequest(session_id=session_id)
            )
    assert refused.value.code() is StatusCode.NOT_FOUND
