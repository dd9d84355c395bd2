"""What a client replied in an action before the judged round (document 000, 用户反馈历史)."""

from __future__ import annotations

from heartrule.domain.exits import ExitDecision
from heartrule.domain.monitoring import ClientReply
from session_store.ports import Store
from session_store.records import RetryOrder
from tests.support.store_builders import (
    accept,
    at_round,
    begun,
    claimed,
    judged,
    judged_turn,
    last_step,
    opened,
)


async def test_a_request_holds_what_the_client_replied_before(store: Store) -> None:
    """In this instance's judged rounds, each with its round, oldest first; not the judged reply."""
    key = await opened(store)
    stay = ExitDecision(should_exit=False)
    await judged_turn(store, key, 1, result=judged(1, exit_decision=stay))
    other = judged(2, action_instance_id="ai_2", exit_decision=stay)
    await judged_turn(store, key, 2, result=other)
    await accept(store, key, "more", "and more")
    await judged_turn(store, key, 3, result=judged(2, exit_decision=stay))
    await judged_turn(store, key, 4, result=judged(3, exit_decision=stay))
    assert (await claimed(store, 3)).earlier_replies == (
        ClientReply(round=1, text="answer 1"),
        ClientReply(round=2, text="and more"),
        ClientReply(round=2, text="answer 3"),
    )


async def test_the_earlier_replies_are_bounded(store: Store) -> None:
    """The newest are told, however long the action lasts."""
    key = await opened(store)
    for number in range(1, 15):
        result = judged(number, exit_decision=ExitDecision(should_exit=False))
        await judged_turn(store, key, number, result=result, monitor_requested=number == 14)
    earlier = (await claimed(store, 14)).earlier_replies
    assert [each.round for each in earlier] == list(range(2, 14))


async def test_what_was_taken_back_was_never_said(store: Store) -> None:
    """A round judged again counts once, with the words it was judged by."""
    key = await opened(store)
    stay = ExitDecision(should_exit=False)
    await judged_turn(store, key, 1, result=judged(1, exit_decision=stay))
    await store.retry_turn(RetryOrder(key=key, text="other words"))
    snapshot = await begun(store, key)
    again = last_step(snapshot, position=at_round(2), result=judged(1, exit_decision=stay))
    await store.commit_step(snapshot.lease, again)
    await judged_turn(store, key, 2, result=judged(2, exit_decision=stay))
    earlier = (await claimed(store, 2)).earlier_replies
    assert earlier == (ClientReply(round=1, text="other words"),)
