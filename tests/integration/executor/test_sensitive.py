"""Values of sensitive variables are shown to nobody who does not ask for them."""

from __future__ import annotations

import json

from heartrule.domain.events import ActionResultRecorded, TurnEnded, VariableChanged
from heartrule.domain.sensitive import MASK
from heartrule.v1 import history_pb2, session_pb2
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply

SECRET = "仁爱诊所"
SCRIPT = """
session:
  session_id: guarded
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: place
              config:
                content: 问在哪里看诊，再问年龄
                exit: 两样都说了
                max_rounds: 9
                output: [{get: 诊所, sensitive: true}, {get: 年龄}]
            - action_type: ai_say
              action_id: bye
              config: {content: "你在{诊所}看诊，再见", require_acknowledgment: false}
"""


def around() -> Neighbours:
    """Return a model that learns the secret in the first answered round, and ends in the second."""
    known = {"诊所": SECRET, "年龄": "30"}
    replies = [
        ask_reply("在哪里看诊？"),
        ask_reply("多大？", variables=known),
        ask_reply("好。", exit_="YES", variables=known),
        ask_reply("再见。"),
    ]
    return Neighbours(model=FakeModel(replies))


async def test_nothing_that_is_told_or_listed_holds_the_value() -> None:
    """Events of all audiences, variables, operations, snapshots, state, the monitor's report."""
    here = around()
    async with running_executor(here) as running:
        session_id = await running.client.start(SCRIPT)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", f"在{SECRET}，30")
            await stream.turn("m2", "三十")
        told = stream.told
        history = running.client.stubs.history
        listed = [
            await history.ListVariables(
                session_pb2.ListVariablesRequest(session_id=session_id, history_size=5)
            ),
            await history.ListVariableOperations(
                history_pb2.ListVariableOperationsRequest(session_id=session_id)
            ),
            await history.ListScopeSnapshots(
                history_pb2.ListScopeSnapshotsRequest(session_id=session_id)
            ),
            await running.client.stubs.session.GetExecutionState(
                session_pb2.GetExecutionStateRequest(session_id=session_id)
            ),
        ]
        await running.executor.dispatcher.background.idle()
        reported = [line.text for each in here.monitor.reports for line in each.dialogue]
    written = [e.variable_operation for e in told.of(VariableChanged)]
    values = {(each.variable_name, each.value) for each in written if each.value is not None}
    assert values == {("诊所", MASK), ("年龄", "30")}
    (result, *_) = [e.action_result for e in told.of(ActionResultRecorded) if e.action_result.round]
    assert result.extracted_variables.get("诊所", MASK) == MASK
    assert all(SECRET not in str(each) for each in listed)
    assert f"在{MASK}，30" in reported
    assert not any(SECRET in text for text in reported)


async def test_who_asks_for_it_gets_it_and_the_scripts_prompts_use_it() -> None:
    """`reveal` of ListVariables; a prompt without it would be no use."""
    here = around()
    async with running_executor(here) as running:
        session_id = await running.client.start(SCRIPT)
        await running.client.initialize(session_id)
        for number in range(2):
            await running.client.send(session_id, f"m{number}", f"{SECRET}，30")
        request = session_pb2.ListVariablesRequest(session_id=session_id, reveal=True)
        listed = await running.client.stubs.history.ListVariables(request)
    values = {each.name: each.value.string_value for each in listed.variables}
    assert values["诊所"] == SECRET
    prompts = json.dumps([str(each) for each in here.model.requests], ensure_ascii=False)
    assert SECRET in prompts
