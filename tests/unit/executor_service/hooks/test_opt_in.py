"""Who turns the strategy engine on."""

from __future__ import annotations

import pytest

from executor_service.hooks.strategy_advice import strategy_wanted


@pytest.mark.parametrize("script", [False, True])
def test_a_script_decides_where_nobody_else_does(*, script: bool) -> None:
    """Without a word of session and action the script's counts; off unless it says on."""
    assert strategy_wanted(script=script, session=None, action=None) is script


@pytest.mark.parametrize("script", [False, True])
@pytest.mark.parametrize("session", [False, True])
def test_a_session_decides_over_its_script(*, script: bool, session: bool) -> None:
    """Who starts a session may turn the engine on or off for it."""
    assert strategy_wanted(script=script, session=session, action=None) is session


@pytest.mark.parametrize("script", [False, True])
@pytest.mark.parametrize("session", [None, False, True])
@pytest.mark.parametrize("action", [False, True])
def test_an_action_decides_over_both(*, script: bool, session: bool | None, action: bool) -> None:
    """What the author wrote on the action itself is the last word."""
    assert strategy_wanted(script=script, session=session, action=action) is action
