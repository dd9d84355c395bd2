"""A fork that hears the same words comes to the same place as its source."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from heartrule.domain.events import SessionEvent, TurnEnded
from heartrule.domain.position import ExecutionStatus
from heartrule_cli.rehearsal.harness import Harness
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from tests.support.dice_model import DiceModel
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.store_plain import MADE_UP, Plain

SCRIPT = """
session:
  session_id: walk
  declare: [{var: 心情, scope: session, value: 未知}]
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          declare: [{var: 称呼, scope: phase, value: 您}]
          actions:
            - action_type: ai_ask
              action_id: a1
              config: {content: 称呼, output: [{get: 称呼}], max_rounds: 3}
            - {action_type: ai_think, action_id: a2, config: {content: 想, output: [{get: 看法}]}}
            - action_type: ai_say
              action_id: a3
              condition: "{称呼} != '小明'"
              config: {content: "好，{称呼}", require_acknowledgment: false}
        - topic_id: t2
          actions:
            - action_type: use_skill
              action_id: a4
              config: {skill: breathing_relaxation, output: [{get: 感受, from: 练习感受}]}
            - action_type: fill_form
              action_id: a5
              config:
                content: 两个问题
                max_rounds: 2
                form: {title: 表, fields: [{name: 睡眠, label: 睡眠}, {name: 心情, label: 心情}]}
    - phase_id: p2
      topics:
        - topic_id: t3
          actions:
            - action_type: ai_ask
              action_id: a6
              config: {content: 睡眠, output: [{get: 睡眠}], max_rounds: 3}
            - {action_type: ai_say, action_id: a7, config: {content: 再见, max_rounds: 2}}
"""
"""Two phases, three topics: variables of every scope, a skip, a skill, a form."""
FORKS = 3
"""Turns of each conversation that are forked from."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn: what the client said, and the model."""

    turn_id: str
    text: str
    replies: tuple[str, ...]


async def played(harness: Harness, model: DiceModel) -> list[Heard]:
    """Run a random conversation to its end, and return its turns."""
    await harness.create_session(script_under_test(SCRIPT))
    turns = [_heard(await harness.initialize(), "", model, 0)]
    while (await harness.store.get_session(harness.key)).status is not ExecutionStatus.COMPLETED:
        before, text = len(model.said), f"我说{len(turns)}"
        events = await harness.send(f"m{len(turns)}", text)
        turns.append(_heard(events, text, model, before))
    return turns


def _heard(events: list[SessionEvent], text: str, model: DiceModel, before: int) -> Heard:
    (turn_id,) = {each.turn_id for each in events if isinstance(each.body, TurnEnded)}
    return Heard(turn_id, text, tuple(model.said[before:]))


async def told(store: Store, harness: Harness) -> list[object]:
    """Return where a session stands and what was said, with ids in their order of sight."""
    plain = Plain()
    record = await store.get_session(harness.key)
    messages = (await store.list_messages(harness.key, Page(size=500)))[0]
    operations = (await store.list_operations(harness.key, Page(size=500)))[0]
    values = [
        replace(each, last_updated=None, history=(), scope_id=MADE_UP.sub("#", each.scope_id))
        for each in await store.list_variables(harness.key)
    ]
    return [
        [(each.role, each.plain_text(), plain.of(each.action_instance_id)) for each in messages],
        plain.of(record.position),
        plain.of((record.status, record.end_reason, record.last_ai_message)),
        sorted(map(repr, values)),
        [(each.variable_name, each.operation) for each in operations],
    ]


async def replayed(harness: Harness, model: DiceModel, turns: list[Heard]) -> None:
    """Let a session hear the same words."""
    for number, turn in enumerate(turns):
        model.will_say(*turn.replies)
        await harness.send(f"again{number}", turn.text)
    assert model.replies == [], "the model was asked as often as before"


@pytest.mark.parametrize("seed", range(2))
async def test_a_fork_that_hears_the_same_comes_to_the_same(store: Store, seed: int) -> None:
    """From any turns: position, variables, plan, messages (a random walk on the real engine)."""
    model = DiceModel(seed)
    source = harness_of(model, store=store)
    turns = await played(source, model)
    expected = await told(store, source)
    for place in sorted(model.dice.sample(range(len(turns)), FORKS)):
        turn_id = turns[place].turn_id
        fork = ForkOrder(source=source.key, session_id=f"f{place}", from_turn_id=turn_id)
        harness = harness_of(model, store=store, key=(await store.fork_session(fork)).session.key)
        await replayed(harness, model, turns[place + 1 :])
        assert await told(store, harness) == expected, f"forked after turn {place}"
    assert await told(store, source) == expected


@pytest.mark.parametrize("seed", [3])
async def test_a_retry_that_hears_the_same_comes_to_the_same(store: Store, seed: int) -> None:
    """Each turn is taken back once on the way, after other words were answered."""
    model = DiceModel(seed)
    source = harness_of(model, store=store)
    turns = await played(source, model)
    expected = await told(store, source)
    opening = ForkOrder(source=source.key, session_id="f", from_turn_id=turns[0].turn_id)
    harness = harness_of(model, store=store, key=(await store.fork_session(opening)).session.key)
    for number, turn in enumerate(turns[1:]):
        await harness.send(f"wrong{number}", "别的")
        model.will_say(*turn.replies)
        await store.retry_turn(
            RetryOrder(key=harness.key, text=turn.text, client_message_id=f"r{number}")
        )
        await harness.send(f"r{number}", turn.text)
        assert model.replies == []
    assert await told(store, harness) == expected
