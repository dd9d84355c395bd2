"""Whether an action's words are advised by the strategy engine, and by whom."""

from __future__ import annotations

from executor_service.engine.deps import EngineDeps
from executor_service.scripts.model import Action, Script
from executor_service.strategy.adviser import StrategyAdviser
from executor_service.strategy.opt_in import strategy_wanted
from heartrule.domain.model_call import LLMDebugInfo
from session_store.records import TurnSnapshot


def adviser_of(
    action: Action,
    script: Script,
    snapshot: TurnSnapshot,
    deps: EngineDeps,
    *,
    calls: list[LLMDebugInfo],
) -> StrategyAdviser | None:
    """Return the adviser of the action; None where nobody turned the engine on for it."""
    wanted = strategy_wanted(
        script=script.strategy_engine,
        session=snapshot.strategy_engine,
        action=action.strategy_engine,
    )
    if not (wanted and deps.strategies.enabled):
        return None
    return StrategyAdviser(
        model=deps.model,
        templates=deps.templates,
        ledger=calls,
        scheme=script.template_scheme,
        strategies=deps.strategies,
    )
