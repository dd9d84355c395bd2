"""Alerts reach their receiver at least once, signed, and without a client's words."""

from __future__ import annotations

import asyncio
import socket
import threading
from datetime import timedelta

import pytest

from executor_service.failpoints import Failpoints
from executor_service.safety.alert_delivery import AlertDelivery, AlertReceiver
from executor_service.safety.alert_webhook import AlertWebhook
from heartrule.domain.safety import AlertState
from session_store.open import open_in_memory
from session_store.ports import Store
from session_store.records import Page, SafetyFilter
from tests.support.alert_inbox import SECRET, AlertInbox, alert_inbox
from tests.support.executors import Neighbours, running_executor
from tests.support.meters import counted, counting
from tests.support.scripts import ask_script
from tests.support.store_builders import AT_ONCE, LONG, opened
from tests.support.store_safety import raised


async def store_with_alerts(count: int) -> Store:
    """Return a store whose outbox has so many alerts."""
    store = open_in_memory()
    await store.start()
    key = await opened(store)
    for number in range(count):
        await store.record_refused(key, f"m{number}", raised())
    return store


def delivery(
    store: Store, receiver: AlertReceiver | None, *, owner: str = "me", pause: timedelta = AT_ONCE
) -> AlertDelivery:
    """Return what an executor sends alerts with."""
    return AlertDelivery(
        store=store,
        receiver=receiver,
        owner=owner,
        failpoints=Failpoints(),
        claim_ttl=LONG,
        first_pause=pause,
    )


def webhook(inbox: AlertInbox, timeout_s: float = 5.0) -> AlertWebhook:
    """Return the adapter that posts to a test's receiver."""
    return AlertWebhook(inbox.url, SECRET, timeout_s=timeout_s)


async def states(store: Store) -> list[tuple[AlertState | None, int]]:
    """Return of each event whether its alert was delivered, and how often that failed."""
    events, _ = await store.list_safety_events("t", Page(), SafetyFilter())
    return [(event.alert, event.alert_failures) for event in events]


async def test_a_crisis_is_told_to_the_receiver() -> None:
    """The alert names session, level and rules; it has no word of the client and no caller's id."""
    async with (
        alert_inbox() as inbox,
        running_executor(Neighbours(environ=inbox.environ())) as running,
    ):
        session_id = await running.client.start(ask_script(9))
        await running.client.send(session_id, "xiaohong-13800000000", "我想自杀")
        alert = await inbox.first()
    assert alert["type"] == "safety.alert"
    assert (alert["data"]["sessionId"], alert["data"]["level"]) == (session_id, "crisis")
    assert alert["data"]["rules"]
    assert "自杀" not in inbox.raw
    assert "xiaohong" not in inbox.raw


async def test_what_the_receiver_refuses_is_sent_again() -> None:
    """A failed, redirected or refused delivery is counted and repeated under the same id."""
    store = await store_with_alerts(1)
    async with alert_inbox(503, 302, 401) as inbox:
        sending = delivery(store, webhook(inbox))
        with counting() as reader:
            await sending.sweep()
        await sending.aclose()
    assert len(inbox.taken) == 1
    assert len(inbox.ids) == 4
    assert len(set(inbox.ids)) == 1
    assert await states(store) == [(AlertState.DELIVERED, 3)]
    assert counted(reader, "heartrule.safety.deliveries") == {("failed",): 3, ("delivered",): 1}


async def test_a_receiver_that_is_down_is_left_alone_for_a_while() -> None:
    """After a failure the alert waits for its pause; it is counted as undelivered."""
    store = await store_with_alerts(2)
    gone = AlertWebhook("http://127.0.0.1:9/alerts", SECRET, timeout_s=5.0)
    sending = delivery(store, gone, pause=LONG)
    with counting() as reader:
        await sending.sweep()
        await sending.sweep()
        assert counted(reader, "heartrule.safety.alerts.undelivered") == {(): 2}
    await sending.aclose()
    assert await states(store) == [(AlertState.PENDING, 1)] * 2


async def test_who_stops_a_delivery_stops_it_in_time() -> None:
    """The event loop may be late: then the delivery's limit and its caller's pass together."""
    store = await store_with_alerts(1)
    (alert,) = await store.claim_alerts("me", 1, LONG)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        receiver = AlertWebhook(url, SECRET, timeout_s=0.3)
        assert await receiver.send(alert) == "TIMEOUT"
        asyncio.get_running_loop().call_later(0.25, threading.Event().wait, 0.1)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await receiver.send(alert)
        await receiver.aclose()


async def test_without_a_receiver_alerts_wait() -> None:
    """They stay in the outbox, are counted, and go out once there is a receiver."""
    store = await store_with_alerts(1)
    with counting() as reader:
        await delivery(store, None).sweep()
        assert counted(reader, "heartrule.safety.alerts.undelivered") == {(): 1}
    async with alert_inbox() as inbox:
        sending = delivery(store, webhook(inbox))
        await sending.sweep()
        await sending.aclose()
    assert len(inbox.taken) == 1


async def test_executors_share_the_outbox() -> None:
    """Two that send at the same time send each alert once."""
    store = await store_with_alerts(20)
    async with alert_inbox() as inbox:
        both = [delivery(store, webhook(inbox), owner=owner) for owner in "ab"]
        await asyncio.gather(*(each.sweep() for each in both))
        for each in both:
            await each.aclose()
    assert len(inbox.ids) == len(set(inbox.ids)) == 20


async def test_the_alerts_of_a_dead_executor_are_taken_up() -> None:
    """A claim whose executor died holds for its time alone."""
    store = await store_with_alerts(1)
    await store.claim_alerts("dead", 9, AT_ONCE)
    async with alert_inbox() as inbox:
        sending = delivery(store, webhook(inbox))
        await sending.sweep()
        await sending.aclose()
    assert await states(store) == [(AlertState.DELIVERED, 0)]
