"""The bus of decisions, and the tests that section 7 of document 002 prints."""

from __future__ import annotations

import pytest

from executor_service.decisions.bus import (
    DecisionMadeEvent,
    DecisionRejectedEvent,
    DecisionValidatedEvent,
    EventBus,
)
from executor_service.decisions.coordinator_agent import CoordinatorAgent
from executor_service.decisions.coordinator_agent import ProposedDecision as Decision
from heartrule.domain.decisions import Correction, DecisionType, FindingCode, Verdict
from heartrule.domain.errors import QuotaSpent
from heartrule.domain.json_value import JsonValue
from tests.support.decision_examples import example

coordinator = CoordinatorAgent()
THOUGHT: dict[str, JsonValue] = {"action_type": "continue", "thought": "hm"}


def test_create_node_decision_with_valid_payload_should_pass_validation() -> None:
    """A valid CREATE_NODE payload passes (section 7.1, as printed)."""
    payload: dict[str, JsonValue] = {
        "action_type": "create_node",
        "node_type": "HTTP",
        "node_name": "获取天气",
        "config": {"url": "https://api.weather.com", "method": "GET"},
    }

    decision = Decision(type=DecisionType.CREATE_NODE, payload=payload)
    result = coordinator.validate_decision(decision)

    assert result.is_valid is True
    assert len(result.errors) == 0


def test_create_node_without_required_config_should_fail() -> None:
    """A CREATE_NODE payload without what its type needs fails (section 7.1, as printed)."""
    payload: dict[str, JsonValue] = {
        "action_type": "create_node",
        "node_type": "HTTP",
        "node_name": "获取天气",
        "config": {},
    }

    decision = Decision(type=DecisionType.CREATE_NODE, payload=payload)
    result = coordinator.validate_decision(decision)

    assert result.is_valid is False
    assert "url" in result.errors[0].lower()


async def test_decision_made_event_should_trigger_validation() -> None:
    """A DecisionMadeEvent brings a DecisionValidatedEvent (section 7.2, as printed)."""
    event_bus = EventBus()
    coordinator = CoordinatorAgent(event_bus=event_bus)
    event_bus.add_middleware(coordinator.as_middleware())

    received_events = []

    async def handler(event: DecisionValidatedEvent) -> None:
        received_events.append(event)

    event_bus.subscribe(DecisionValidatedEvent, handler)

    decision_event = DecisionMadeEvent(
        decision_type="create_node", payload=example("002-02-create-node-llm")
    )

    await event_bus.publish(decision_event)

    assert len(received_events) == 1
    assert isinstance(received_events[0], DecisionValidatedEvent)


class Heard:
    """Keeps the events of a bus in their order."""

    def __init__(self, bus: EventBus) -> None:
        self.events: list[object] = []
        bus.subscribe(DecisionMadeEvent, self.keep)
        bus.subscribe(DecisionValidatedEvent, self.keep)
        bus.subscribe(DecisionRejectedEvent, self.keep)

    async def keep(self, event: object) -> None:
        self.events.append(event)

    def kinds(self) -> list[str]:
        return [type(each).__name__ for each in self.events]


def judging_bus() -> EventBus:
    bus = EventBus()
    bus.add_middleware(CoordinatorAgent(bus).as_middleware())
    return bus


async def test_a_decision_is_told_before_its_verdict() -> None:
    """Made, then rejected: nobody hears of an outcome of something unknown (D12)."""
    bus = judging_bus()
    heard = Heard(bus)
    await bus.publish(DecisionMadeEvent(decision_type="continue", payload={"thought": ""}))
    assert heard.kinds() == ["DecisionMadeEvent", "DecisionRejectedEvent"]
    (_, rejected) = heard.events
    assert isinstance(rejected, DecisionRejectedEvent)
    assert [each.path for each in rejected.errors] == ["thought"]


async def test_executors_get_the_effective_payload() -> None:
    """With what was corrected; the decision stays as it was made."""
    bus = judging_bus()
    heard = Heard(bus)
    payload = {**THOUGHT, "progress": 2}
    await bus.publish(DecisionMadeEvent(decision_type="continue", payload=payload))
    validated = heard.events[-1]
    assert isinstance(validated, DecisionValidatedEvent)
    assert validated.payload == {**THOUGHT, "progress": 1}
    assert validated.corrections == (Correction(path="progress", before=2, after=1),)
    assert validated.decision.payload == payload


async def test_a_decision_has_one_outcome() -> None:
    """The same id again is not judged, and nothing is executed twice (D20)."""
    bus = judging_bus()
    heard = Heard(bus)
    event = DecisionMadeEvent(decision_type="continue", payload=THOUGHT)
    await bus.publish(event)
    await bus.publish(event)
    assert heard.kinds() == ["DecisionMadeEvent", "DecisionValidatedEvent"]


async def raising(event: object) -> None:
    raise RuntimeError("broken")


async def silent(event: DecisionMadeEvent) -> None:
    """Have no say."""


@pytest.mark.parametrize("middleware", [raising, silent])
async def test_what_nobody_allowed_is_rejected(middleware: object) -> None:
    """A middleware that raises, or none that judges, closes the gate (D21)."""
    bus = EventBus()
    heard = Heard(bus)
    bus.add_middleware(middleware)  # type: ignore[arg-type]
    await bus.publish(DecisionMadeEvent(decision_type="continue", payload=THOUGHT))
    rejected = heard.events[-1]
    assert isinstance(rejected, DecisionRejectedEvent)
    assert [each.code for each in rejected.errors] == [FindingCode.VALIDATOR_ERROR]


async def test_a_middleware_that_is_busy_is_no_outcome() -> None:
    """Whoever published hears of it, and may publish the decision again."""
    busy = [QuotaSpent("all workers are busy", reason="WORKERS_BUSY")]

    async def judges(event: DecisionMadeEvent) -> Verdict:
        if busy:
            raise busy.pop()
        return Verdict(is_valid=True, payload=event.payload)

    bus = EventBus()
    heard = Heard(bus)
    bus.add_middleware(judges)
    event = DecisionMadeEvent(decision_type="continue", payload=THOUGHT)
    with pytest.raises(QuotaSpent):
        await bus.publish(event)
    assert heard.kinds() == ["DecisionMadeEvent"]
    await bus.publish(event)
    assert heard.kinds()[1:] == ["DecisionMadeEvent", "DecisionValidatedEvent"]


async def test_a_veto_ends_the_asking() -> None:
    """Middleware is asked in order; behind a veto nobody is."""
    asked: list[str] = []

    async def vetoes(event: DecisionMadeEvent) -> Verdict:
        asked.append("first")
        return Verdict(is_valid=False, payload=event.payload)

    async def allows(event: DecisionMadeEvent) -> Verdict:
        asked.append("second")
        return Verdict(is_valid=True, payload=event.payload)

    bus = EventBus()
    heard = Heard(bus)
    bus.add_middleware(vetoes)
    bus.add_middleware(allows)
    await bus.publish(DecisionMadeEvent(decision_type="continue", payload=THOUGHT))
    assert (asked, heard.kinds()[-1]) == (["first"], "DecisionRejectedEvent")


async def test_a_subscriber_that_raises_stands_alone() -> None:
    """The next one gets the event (D21)."""
    bus = judging_bus()
    bus.subscribe(DecisionMadeEvent, raising)
    heard = Heard(bus)
    await bus.publish(DecisionMadeEvent(decision_type="continue", payload=THOUGHT))
    assert heard.kinds() == ["DecisionMadeEvent", "DecisionValidatedEvent"]
