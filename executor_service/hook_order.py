"""The rules that cut across actions, in the order in which each point of a turn calls them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from executor_service.decisions.session_runs import SessionRuns
from executor_service.decisions.turn_reading import SessionReader
from executor_service.engine.step_hook import HookFactory
from executor_service.exits.hints import ExitHints
from executor_service.hooks.apply_plan_edits import PlanEdits
from executor_service.hooks.crisis_path import CrisisPath
from executor_service.hooks.exit_hint import ExitHint
from executor_service.hooks.held_decisions import HeldDecisions
from executor_service.hooks.monitor_advice import AwaitAdvice, MonitorAdvice
from executor_service.hooks.reply_language import ReplyLanguage
from executor_service.hooks.round_signals import RoundSignals
from executor_service.hooks.session_locale import SessionLocale
from executor_service.hooks.strategy_advice import StrategyAdvice
from executor_service.hooks.take_up_runs import TakeUpRuns
from executor_service.monitoring.signal_words import SignalWords
from executor_service.safety.opt_out import OptOutPolicy
from executor_service.strategy.adviser import Strategies
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import PromptWords
from heartrule.safety.crisis_rules import ClientScreen


def step_hooks(
    model: ChatModel,
    *,
    rules: ClientScreen,
    strategies: Strategies,
    opt_outs: OptOutPolicy,
    exit_hints: ExitHints,
    signal_words: SignalWords,
    words: Mapping[str, PromptWords],
    await_advice: AwaitAdvice,
    monitored: bool,
    read_session: SessionReader,
    runs: SessionRuns,
) -> tuple[HookFactory, ...]:
    """Return the rules that cut across actions; each point of a turn calls them in this order."""
    held, path = hooks_without_script(rules=rules, opt_outs=opt_outs, read_session=read_session)
    return (
        # First, so that the others, the guard of a reply too, know a round's language.
        partial(SessionLocale, texts=rules.texts, words=words),
        held,
        path,
        PlanEdits,
        # Behind the two: it reads the plan as edited, and takes nothing up in a crisis.
        partial(TakeUpRuns, runs=runs),
        partial(RoundSignals, words=signal_words),
        ReplyLanguage,
        partial(MonitorAdvice, await_advice=await_advice, monitored=monitored),
        partial(StrategyAdvice, model=model, strategies=strategies),
        partial(ExitHint, hints=exit_hints),
    )


def hooks_without_script(
    *,
    rules: ClientScreen,
    opt_outs: OptOutPolicy,
    read_session: SessionReader,
) -> tuple[HookFactory, HookFactory]:
    """Return those that act before a turn also where its script cannot be read, in order."""
    return (
        # Before the path, whose step may end the turn.
        partial(HeldDecisions, read_session=read_session),
        partial(CrisisPath, rules=rules, opt_outs=opt_outs),
    )
