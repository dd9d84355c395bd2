"""Steps of the crisis path for the store's tests, and random calls for plays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import (
    SafetyCard,
    SafetyEvent,
    SafetyLevel,
    SafetySource,
    SafetyState,
    Subject,
)
from session_store.records import (
    Page,
    SafetyAlert,
    SafetyClosing,
    SafetyFilter,
    SafetyStep,
    TurnSnapshot,
)

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
CARD = SafetyCard(level=SafetyLevel.CRISIS, text="12356", locale="zh-CN")
FROZEN = SafetyState(level=SafetyLevel.CRISIS, step="ask", frozen=True)


def raised(level: SafetyLevel = SafetyLevel.CRISIS, **changes: Any) -> SafetyStep:
    """Return what a hit changes: the level, a card, and an alert."""
    plain = SafetyStep(
        state=SafetyState(level=level, step="ask", frozen=level >= SafetyLevel.CRISIS),
        level=level,
        source=SafetySource.RULE,
        rules=("zh-crisis-1",),
        subject=Subject.SELF,
        language="zh",
        card=CARD,
        client_message_ids=("m1",),
        raised=True,
        alert=True,
    )
    return replace(plain, **changes)


def any_safety(dice: Random, snapshot: TurnSnapshot) -> SafetyStep | None:
    """Return what a random step changes; mostly nothing."""
    if dice.random() < 0.8:
        return None
    level = dice.choice(list(SafetyLevel))
    hit = dice.random() < 0.5
    quiet = snapshot.safety.quiet_turns + 1
    state = replace(snapshot.safety, level=level, quiet_turns=quiet, frozen=hit)
    return raised(level, state=state, raised=hit, card=CARD if hit else None)


async def random_safety(
    do: Callable[..., Awaitable[object]], dice: Random, keys: Sequence[SessionKey]
) -> None:
    """Refuse an input, close, acknowledge, deliver an alert, or read what there is."""
    key, name = dice.choice(keys), f"m{dice.randrange(9)}"
    match dice.randrange(5):
        case 0:
            await do("record_refused", key, name, raised(dice.choice(list(SafetyLevel))))
        case 1:
            level = dice.choice([SafetyLevel.NONE, SafetyLevel.CONCERN])
            await do("close_safety", key, SafetyClosing(operator="o", level=level, note=name))
        case 2:
            await _acknowledge(do, dice, key)
        case 3:
            await _deliver(do, dice)
        case _:
            await do("get_safety", key)
            await do("safety_report", key.tenant, LONG_AGO)


async def _acknowledge(do: Callable[..., Awaitable[object]], dice: Random, key: SessionKey) -> None:
    wanted = SafetyFilter(
        session_id=dice.choice(["", key.session_id]), unacknowledged=dice.random() < 0.5
    )
    listed = await do("list_safety_events", key.tenant, Page(size=3), wanted)
    if not isinstance(listed, tuple):
        return
    events, token = listed
    if token:
        await do("list_safety_events", key.tenant, Page(size=3, token=token), wanted)
    for event in events[:1]:
        assert isinstance(event, SafetyEvent)
        name = event.safety_event_id
        await do("acknowledge_safety", key.tenant, name, operator="o", note=key.session_id)


async def _deliver(do: Callable[..., Awaitable[object]], dice: Random) -> None:
    claimed = await do("claim_alerts", "a", dice.randrange(1, 3), timedelta(0))
    for alert in claimed if isinstance(claimed, tuple) else ():
        assert isinstance(alert, SafetyAlert)
        name = alert.event.safety_event_id
        if dice.random() < 0.5:
            await do("alert_delivered", alert.key, name)
        else:
            pause = dice.choice([timedelta(0), timedelta(hours=1)])
            await do("alert_failed", alert.key, name, reason="R", pause=pause)
