"""How the sessions of one version of a script went, in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.exits import ExitReason
from heartrule.domain.monitoring import AdviceState, StrategySuggestion

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?"
_PRICE = re.compile(rf"(?P<model>.+)=(?P<prompt>{_NUMBER})/(?P<answer>{_NUMBER})", re.ASCII)
# Providers name their prices for so many tokens.
_TOKENS_PRICED = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitCount:
    """How often an action ended for one reason."""

    exit_reason: ExitReason
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceCount:
    """How much advice is in one state."""

    state: AdviceState
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressCount:
    """How many rounds were judged in one way."""

    progress_suggestion: ProgressSuggestion
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionFigures:
    """What happened in one action over the sessions."""

    phase_id: str
    topic_id: str
    action_id: str
    technique_id: str = ""
    """The technique that defines it; empty: the topic does."""
    action_type: str = ""
    sessions: int = 0
    """That reached it."""
    begun: int = 0
    completed: int = 0
    skipped: int = 0
    rounds: int = 0
    """In which something was judged."""
    exits: tuple[ExitCount, ...] = ()
    stopped: int = 0
    """Sessions that stand there."""
    advice: tuple[AdviceCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyFigures:
    """How the rounds that used a strategy were judged, and the rounds that came next."""

    suggestion: StrategySuggestion | None = None
    """Of an advice; None: none of these, or a recommendation."""
    recommended: bool = False
    """True: the strategy engine recommended it."""
    used: int = 0
    before: tuple[ProgressCount, ...] = ()
    after: tuple[ProgressCount, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFigures:
    """The calls of one model for one purpose."""

    purpose: str
    provider: str
    model: str
    calls: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: str = ""
    """A decimal, in the currency of the prices; empty: the model has no price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFigures:
    """How the newest sessions of a version went, those forked from others left out."""

    script_id: str
    script_version: str
    sessions: int = 0
    has_more: bool = False
    """True: there are more than are counted."""
    started: int = 0
    finished: int = 0
    idle: int = 0
    failed: int = 0
    actions: tuple[ActionFigures, ...] = ()
    strategies: tuple[StrategyFigures, ...] = ()
    models: tuple[ModelFigures, ...] = ()
    currency: str = ""
    """Of the costs; empty: there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What models cost for a million tokens of prompts, and of answers."""

    currency: str = ""
    by_model: Mapping[str, tuple[Decimal, Decimal]] = field(default_factory=dict)

    def priced(self, figures: ScriptFigures) -> ScriptFigures:
        """Return the figures with what the calls of each model cost at today's prices."""
        models = tuple(replace(each, cost=self._cost(each)) for each in figures.models)
        currency = self.currency if any(each.cost for each in models) else ""
        return replace(figures, models=models, currency=currency)

    def _cost(self, used: ModelFigures) -> str:
        if used.model not in self.by_model:
            return ""
        prompt, completion = self.by_model[used.model]
        cost = used.prompt_tokens * prompt + used.completion_tokens * completion
        return f"{cost / _TOKENS_PRICED:.6f}"


NO_PRICES = Prices()


def prices_of(written: Iterable[str]) -> dict[str, tuple[Decimal, Decimal]]:
    """Return the prices of models that are written as MODEL=PROMPT/ANSWER; ValueError if wrong."""
    found = {}
    for each in written:
        read = _PRICE.fullmatch(each)
        if read is None:
            raise ValueError("must be MODEL=PROMPT/ANSWER, such as gpt-4o=2.5/10, with commas")
        found[read["model"]] = (Decimal(read["prompt"]), Decimal(read["answer"]))
    return found
