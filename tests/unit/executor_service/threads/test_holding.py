"""What may hold what, looked at when an agent is built (003-2, 003-11.1; RESOLUTIONS T16)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import pytest

from executor_service.threads.agents import BaseAgent, SubThreadAgent
from executor_service.threads.handlers import StateHandler
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.thread_errors import InvalidAgent
from executor_service.threads.two_step import SubThreadExecutionHandler
from executor_service.threads.units import InteractionUnit, Requester, Responsor, Starter
from tests.support.thread_parts import (
    METADATA,
    SORRY,
    OtherSays,
    Says,
    main_agent,
    requester,
    responsor,
    starter,
    sub_agent,
    two_steps,
)


async def refusal(making: Awaitable[object] | Callable[[], Awaitable[object]]) -> InvalidAgent:
    with pytest.raises(InvalidAgent) as refused:
        await (making() if callable(making) else making)
    return refused.value


def test_the_kinds_of_agents_handlers_and_units() -> None:
    """003-2.1, 003-11.2: main agents, sub-thread agents, handlers and units have a base each."""
    assert issubclass(BaseAgent, ThreadAgent)
    assert issubclass(SubThreadAgent, ThreadAgent)
    assert not issubclass(SubThreadAgent, BaseAgent)
    assert all(issubclass(kind, InteractionUnit) for kind in (Responsor, Starter, Requester))
    assert issubclass(SubThreadExecutionHandler, StateHandler)


@pytest.mark.parametrize(
    ("kind", "parts", "held"),
    [
        (Responsor, {"state_handler": responsor("x")}, "Answers"),
        (Responsor, {"state_handler": None}, "NoneType"),
        (Starter, {"responsor": Says()}, "Says"),
        (Starter, {"responsor": requester("x")}, "Requester"),
        (Starter, {"responsor": starter("x")}, "Starter"),
        (Requester, {"state_handler": responsor("x")}, "Answers"),
        (Requester, {"state_handler": starter("x")}, "Starter"),
    ],
)
async def test_a_unit_holds_what_it_may_hold_alone(
    kind: type[InteractionUnit], parts: Mapping[str, object], held: str
) -> None:
    """003-2.2, 003-5.1, 003-11.1: the error has the names of both."""
    error = await refusal(kind.create(**parts))
    assert error.reason == "WRONG_HOLDING"
    assert error.metadata == {"holder": kind.__name__, "held": held}


async def test_a_main_agent_holds_handlers_alone() -> None:
    """003-2.2: an interaction unit is none of a main agent's parts."""
    wrong = main_agent(lambda: {"a": requester("x")})  # type: ignore[dict-item]
    error = await refusal(wrong.create(METADATA, {}))
    assert error.metadata == {"holder": "BuiltMainAgent", "held": "Requester"}


async def test_a_sub_threads_agent_holds_units_alone() -> None:
    """003-2.2: a state handler is held by a unit."""
    wrong = sub_agent(lambda: {"a": Says()})  # type: ignore[dict-item]
    error = await refusal(wrong.create(METADATA, {}))
    assert error.metadata == {"holder": "BuiltAgent", "held": "Says"}


async def test_an_agent_holds_something() -> None:
    """003-2.2: an agent without a phase is refused."""
    for empty in (main_agent(dict), sub_agent(dict)):
        assert (await refusal(empty.create(METADATA, {}))).metadata["held"] == "nothing"


async def test_a_responsor_may_stand_in_a_phase_and_behind_a_starter() -> None:
    """003-7.2: the document's own example is built as it is printed."""

    def printed() -> Mapping[str, InteractionUnit]:
        both = responsor("大纲", "third_phase")
        return {
            "initial_phase": Starter(responsor=both, next_phase="second_phase"),
            "second_phase": both,
            "third_phase": requester("检查", "completed"),
        }

    agent = await sub_agent(printed).create(METADATA, {})
    assert list(agent.held_handlers()) == ["initial_phase", "second_phase", "third_phase"]


async def test_a_handler_is_held_once() -> None:
    """003-11.1: one instance in two units, or in two phases, is refused with both names."""
    shared = Says()
    await Requester.create(state_handler=shared)
    error = await refusal(Responsor.create(state_handler=shared))
    assert error.reason == "SHARED_INSTANCE"
    assert "Requester and Responsor" in error.message
    twice = main_agent(lambda: dict.fromkeys(("a", "b"), Says()))
    assert (await refusal(twice.create(METADATA, {}))).reason == "SHARED_INSTANCE"


async def test_a_unit_belongs_to_one_sub_thread() -> None:
    """003-11.1: the same instance in the agents of two sub-threads is refused."""
    shared = starter("x", "completed")
    kind = sub_agent(lambda: {"initial_phase": shared})
    await kind.create(METADATA, {})
    assert (await refusal(kind.create(METADATA, {}))).reason == "SHARED_INSTANCE"


@pytest.mark.parametrize(("handler", "is_refused"), [(Says, True), (OtherSays, False)])
async def test_each_level_has_classes_of_its_own(handler: type[Says], *, is_refused: bool) -> None:
    """003-11.1: a class of handlers on two levels is refused when the upper agent is built."""
    inner = sub_agent(lambda: {"initial_phase": requester("x", "completed", handler=handler)})
    prepare, execute = two_steps(inner)
    outer = main_agent(lambda: {"talk": Says(), "ask": prepare, "work": execute})
    if is_refused:
        error = await refusal(outer.create(METADATA, {}))
        assert (error.reason, error.metadata["held"]) == ("SHARED_CLASS", "Says")
        assert "agent-1 and tested" in error.message
    else:
        await outer.create(METADATA, {})


@pytest.mark.parametrize("behind", [{}, {"work": Says()}])
async def test_what_is_prepared_is_executed(behind: Mapping[str, StateHandler]) -> None:
    """T16: a prepare handler whose next phase executes nothing is refused."""
    prepare, _ = two_steps(sub_agent(dict))
    error = await refusal(main_agent(lambda: {"ask": prepare, **behind}).create(METADATA, {}))
    assert (error.reason, error.metadata["held"]) == ("PREPARE_WITHOUT_EXECUTE", "ask")


async def test_what_a_unit_prepares_is_executed_by_the_phase_behind_it() -> None:
    """T16: in a sub-thread the unit's next phase counts."""
    inner = sub_agent(lambda: {"initial_phase": requester("x", "completed")})
    prepare, execute = two_steps(inner, level=1)
    units = {
        "initial_phase": Responsor(state_handler=prepare, next_phase="elsewhere"),
        "elsewhere": requester("y", "completed", handler=OtherSays),
        "work": Responsor(state_handler=execute, next_phase="completed"),
    }
    error = await refusal(sub_agent(lambda: units).create(METADATA, {}))
    assert error.reason == "PREPARE_WITHOUT_EXECUTE"


async def test_an_agent_that_calls_itself_is_refused() -> None:
    """003-9.1, T1: agents lie at most eight deep, and a circle of them has no end."""

    def circle(level: int = 1) -> type[SubThreadAgent]:
        def units() -> Mapping[str, InteractionUnit]:
            execute = type(f"Execute{level}", (SubThreadExecutionHandler,), {})(
                agent_name="again", make_agent=circle(level + 1).create, failure_text=SORRY
            )
            return {"initial_phase": Responsor(state_handler=execute, next_phase="completed")}

        return sub_agent(units)

    assert (await refusal(circle().create(METADATA, {}))).reason == "AGENTS_TOO_DEEP"
