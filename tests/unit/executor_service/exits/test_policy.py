"""Exit policies by action type, and what an action says of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.exits.policy import (
    EVERY_SOURCE,
    NO_EXIT,
    ends_by_rounds,
    policy_for,
    policy_of,
    unreadable_policy,
)
from executor_service.scripts.model.actions import ActionType
from heartrule.domain.exits import DecisionSource
from tests.support.engine_builders import ask, think

FLAG, ROUNDS = DecisionSource.EXIT_FLAG, DecisionSource.MAX_ROUNDS


@pytest.mark.parametrize("action_type", ["ai_ask", "ai_say", "fill_form", "ai_agent"])
def test_interactive_types(action_type: str) -> None:
    """Actions that talk may end by each of the four sources."""
    assert policy_of(action_type) == EVERY_SOURCE
    assert EVERY_SOURCE.enabled_sources == frozenset(DecisionSource)


@pytest.mark.parametrize("action_type", ["ai_think", "use_skill", "show_pic", "say", "something"])
def test_inner_types(action_type: str) -> None:
    """Every other type takes no part in exits."""
    assert policy_of(action_type) == NO_EXIT
    assert not NO_EXIT.supports_exit


def test_every_type_has_a_policy() -> None:
    """No action type was forgotten: exactly the talking ones support exits."""
    talking = {kind.value for kind in ActionType if policy_of(kind).supports_exit}
    assert talking == {"ai_ask", "ai_say", "fill_form", "ai_agent"}


def test_an_action_may_name_its_sources() -> None:
    """`exit_policy` takes the place of the type's sources; without it all four count."""
    assert policy_for(ask()) == EVERY_SOURCE
    own = replace(ask(), exit_sources=frozenset({FLAG}))
    assert policy_for(own) == replace(EVERY_SOURCE, enabled_sources=frozenset({FLAG}))
    assert (ends_by_rounds(ask()), ends_by_rounds(own)) == (True, False)


def test_an_inner_action_gains_no_exit() -> None:
    """Naming sources makes no exit of an action that has none."""
    assert policy_for(replace(think(), exit_sources=frozenset({FLAG}))) == NO_EXIT


@pytest.mark.parametrize(("own", "left"), [({FLAG, ROUNDS}, {ROUNDS}), ({FLAG}, set())])
def test_an_unreadable_round_ends_by_the_last_round_alone(
    own: set[DecisionSource], left: set[DecisionSource]
) -> None:
    """What the model did not say decides nothing; the last round does where it may (C4)."""
    policy = replace(EVERY_SOURCE, enabled_sources=frozenset(own))
    assert unreadable_policy(policy).enabled_sources == frozenset(left)
