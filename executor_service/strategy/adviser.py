"""Asks for a recommendation beside a round, and never lets the client wait longer than allowed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from executor_service.strategy.engine import StrategyDecisionEngine
from executor_service.strategy.profile import StrategyProfile, StrategyProfiles
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyContext, StrategyRecommendation
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategies:
    """What all recommendations of a process have in common."""

    enabled: bool = True
    """False: nobody is asked, whatever script, session and action say."""
    wait_s: float = 4.0
    """How long the first words wait for one."""
    timeout_s: float = 10.0
    """How long one may take; a late one serves the next round."""
    profiles: StrategyProfiles = field(default_factory=StrategyProfiles)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyAdviser:
    """Begins recommendations for the actions of one attempt of a turn."""

    model: ChatModel
    templates: TemplateStore
    ledger: list[LLMDebugInfo]
    """Gets the model calls, once a round is over."""
    scheme: str = ""
    strategies: Strategies

    @property
    def profile(self) -> StrategyProfile:
        """What tells who the client is."""
        return self.strategies.profiles.get(self.scheme)

    async def begin(self, context: StrategyContext, *, patient: bool) -> Asked:
        """Ask the model; a patient caller gets the answer with it, if it comes within the limit."""
        asked = Asked(self, context)
        try:
            await asked.begun(self.strategies.wait_s if patient else None)
        except asyncio.CancelledError:
            await asked.drop()
            raise
        return asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How the asking ended."""

    context: StrategyContext
    recommendation: StrategyRecommendation | None = None
    degradations: tuple[Degradation, ...] = ()


class Asked:
    """One recommendation on its way; it lives no longer than its round."""

    def __init__(self, adviser: StrategyAdviser, context: StrategyContext) -> None:
        """Begin to ask."""
        self._adviser = adviser
        self._context = context
        self._calls: list[LLMDebugInfo] = []
        self._failure = ""
        self._late = False
        self._until = asyncio.get_running_loop().time() + adviser.strategies.timeout_s
        self._task = asyncio.create_task(self._ask())

    @property
    def recommendation(self) -> StrategyRecommendation | None:
        """What came so far; None while the model writes, and where it failed."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.result()

    async def begun(self, wait_s: float | None) -> None:
        """Return once the call is sent, and with a limit: when the answer is there or it is over.

        An answer that did not come within the limit is late.
        """
        await asyncio.sleep(0)
        if wait_s:
            await asyncio.wait({self._task}, timeout=wait_s)
        self._late = wait_s is not None and not self._task.done()

    async def end(self, *, needed: bool) -> Answer:
        """Return what came of it; one still needed may take all its time, then it is given up.

        The calls are in the ledger afterwards.
        """
        left = self._until - asyncio.get_running_loop().time()
        try:
            if needed and left > 0 and not self._task.done():
                await asyncio.wait({self._task}, timeout=left)
        finally:
            if needed and not self._task.done():
                self._failure = "STRATEGY_TIMED_OUT"
            await self.drop()
        return Answer(
            context=self._context,
            recommendation=self.recommendation,
            degradations=self._degradations(),
        )

    async def drop(self) -> None:
        """Ask no longer; the calls are in the ledger afterwards."""
        self._task.cancel()
        await asyncio.wait({self._task})
        self._adviser.ledger.extend(self._calls)
        self._calls.clear()

    async def _ask(self) -> StrategyRecommendation | None:
        adviser = self._adviser
        engine = StrategyDecisionEngine(
            adviser.model, adviser.templates, calls=self._calls, scheme=adviser.scheme
        )
        try:
            return await engine.generate_strategy_prompt(self._context)
        except HeartRuleError as error:
            self._failure = error.reason
            return None

    def _degradations(self) -> tuple[Degradation, ...]:
        if self._failure:
            found = Degradation(
                stage="strategy", reason="NO_STRATEGY", metadata={"cause": self._failure}
            )
        elif self._late:
            found = Degradation(stage="strategy", reason="STRATEGY_LATE")
        else:
            return ()
        return (found,)
