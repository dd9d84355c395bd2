"""Random sequences of edits: what holds after each of them."""

from __future__ import annotations

import random

from executor_service.orchestration.edit_rules import MOST_INSERTED
from executor_service.orchestration.queues import queue_entries, remaining, tail
from heartrule.domain.orchestration import OrchestrationPlan, PlanEditState, QueuedAction
from session_store.records import InstanceState
from tests.support.plan_edits import (
    EditedTopic,
    insert,
    modify,
    reorder,
    replay,
    script_action,
    skip,
)

SEQUENCES = 10_000
WORDS = ("不着急", "先歇一歇", "谢谢你愿意说", "换个话题也行", "你很不容易", "慢慢来", "{秘密}")
ACTIONS = {
    (name, kept): script_action(name, mandatory=kept) for name in "abcdef" for kept in (True, False)
}


def essence(queue: tuple[QueuedAction, ...]) -> list[tuple[object, ...]]:
    """Return what decides how a queue runs."""
    return [
        (each.action_instance_id, each.state, repr(each.config))
        for each in queue
        if each.state != "skipped"
    ]


def proposal(dice: random.Random, running: EditedTopic) -> OrchestrationPlan:
    """Return any plan: a good one, or one that breaks a rule."""
    left = [each.action_instance_id for each in remaining(running.plan)]
    some = dice.choice([*left, "act_a", "act_unknown"])
    match dice.randrange(6):
        case 0 | 1:
            kind = dice.choice(("ai_say", "ai_say", "ai_ask", "ai_dance"))
            return insert(dice.choice(WORDS), kind, index=dice.choice((None, 0, 1, 7)))
        case 2:
            return modify(some, content=dice.choice(WORDS), max_rounds=dice.choice((1, 2, 99)))
        case 3:
            return skip(some)
        case _:
            dice.shuffle(left)
            return reorder(*left[dice.randrange(2) :], *left[:1][: dice.randrange(2)])


def check(running: EditedTopic) -> None:
    """Hold a topic against what must always be true."""
    kept = {each.action_id for each in running.actions if each.mandatory}
    standing = {each.action_id: each for each in running.plan if each.action_id in kept}
    assert set(standing) == kept
    assert not [each for each in standing.values() if each.definition]
    assert not [each for each in standing.values() if each.state is InstanceState.SKIPPED]
    assert len(running.plan) <= len(running.actions) + MOST_INSERTED
    rows = list(running.rows.values())
    assert sum(row.plan is not None and row.plan_revision > 0 for row in rows) <= running.budget
    assert all(row.cause_id and row.decided_turn_id for row in rows)
    rebuilt = replay(running.first, rows)
    names = [each.action_instance_id for each in running.plan]
    assert [each.action_instance_id for each in rebuilt] == names
    now = queue_entries(tail(running.plan), running.action)
    assert essence(rebuilt[len(names) - len(now) :]) == essence(now)


def undo(dice: random.Random, running: EditedTopic) -> None:
    """Take back some edit; where it was the latest, the queue is what it was before."""
    made = [row for row in running.rows.values() if row.state is PlanEditState.APPLIED]
    if not made:
        return
    wanted = dice.choice(made)
    undone = running.decide(None, undoes=wanted.edit_id).edits
    assert undone[-1].undoes == wanted.edit_id
    if undone[-1].state is PlanEditState.APPLIED:
        left = {each.action_instance_id for each in tail(running.plan)}
        before = tuple(each for each in wanted.before if each.action_instance_id in left)
        assert essence(queue_entries(tail(running.plan), running.action)) == essence(before)
        assert running.rows[wanted.edit_id].state is PlanEditState.UNDONE


def test_ten_thousand_sequences() -> None:
    """No mandatory action lost, no endless topic, replay equals state, undo restores, cause named.

    Every sequence mixes edits that are good with such that break a rule, undos, and turns in
    which the topic goes on, and runs to the topic's end.
    """
    dice = random.Random(20_260)
    applied = 0
    for _ in range(SEQUENCES):
        names = "abcdef"[: dice.randrange(2, 6)]
        actions = tuple(ACTIONS[name, dice.random() < 0.3] for name in names)
        running = EditedTopic(actions, budget=dice.choice((0, 1, 3, 20)))
        for _ in range(dice.randrange(1, 6)):
            match dice.randrange(5):
                case 0:
                    running.go_on()
                case 1:
                    undo(dice, running)
                case _:
                    running.decide(proposal(dice, running))
            check(running)
        applied += running.revision
        steps = 0
        while running.go_on():
            steps += 1
        assert steps < len(actions) + MOST_INSERTED
    assert applied > SEQUENCES // 4
