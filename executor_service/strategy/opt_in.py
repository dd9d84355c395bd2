"""Who turns the strategy engine on; it is off unless somebody does."""

from __future__ import annotations


def strategy_wanted(*, script: bool, session: bool | None, action: bool | None) -> bool:
    """Return whether a model is asked for this action; the innermost that says so counts."""
    if action is not None:
        return action
    return script if session is None else session
