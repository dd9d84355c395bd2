"""Recommendations beside a round: asked for, waited for within a limit, kept when late."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from executor_service.strategy.profile import StrategyProfile, StrategyProfiles
from executor_service.strategy.recommendation import generate_strategy_prompt
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyContext, StrategyRecommendation
from heartrule.model.ports import ChatModel
from heartrule.model.prompt_words import PromptWords
from heartrule.model.template_store import TemplateStore

# Late recommendations a process holds: each is one text, and a client may never come back.
_MOST_LATE = 1_000


class LateRecommendations:
    """Recommendations that outlived their round, until the next round of the action takes them.

    They are in this process alone: after a crash, and in another process, the round asks anew.
    """

    def __init__(self) -> None:
        """Create an empty collection."""
        # The oldest first; by session and action instance, each with the round that asked.
        self._held: OrderedDict[tuple[SessionKey, str], tuple[int, Asked]] = OrderedDict()

    def keep(self, session: SessionKey, instance_id: str, round_: int, asked: Asked) -> None:
        """Hold a recommendation; beyond the limit the oldest is cancelled."""
        self._held[session, instance_id] = round_, asked
        while len(self._held) > _MOST_LATE:
            _, (_, oldest) = self._held.popitem(last=False)
            oldest.cancel()

    def take(self, session: SessionKey, instance_id: str, round_: int) -> Asked | None:
        """Return what a round of the instance before `round_` asked for, and hold it no longer.

        What a later round asked, which a retry took back since, is cancelled.
        """
        asked_in, asked = self._held.pop((session, instance_id), (0, None))
        if asked is not None and asked_in >= round_:
            asked.cancel()
            return None
        return asked

    async def aclose(self) -> None:
        """Cancel all of them."""
        held = [asked for _, asked in self._held.values()]
        self._held.clear()
        await asyncio.gather(*(asked.drop([]) for asked in held))


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategies:
    """What all recommendations of a process have in common."""

    enabled: bool = True
    """False: no model is asked, whatever script, session and action set."""
    wait_s: float = 4.0
    """How long the first draft of a message waits for one."""
    timeout_s: float = 10.0
    """How long one may take; a late one serves the next round."""
    profiles: StrategyProfiles = field(default_factory=StrategyProfiles)
    late: LateRecommendations = field(default_factory=LateRecommendations)


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyAdviser:
    """Begins and ends the recommendations of one round."""

    model: ChatModel
    templates: TemplateStore
    ledger: list[LLMDebugInfo]
    """Gets the model calls, once a recommendation has ended."""
    session: SessionKey
    instance_id: str
    round: int
    scheme: str
    language: str
    words: PromptWords
    """The engine's own in that language."""
    strategies: Strategies

    @property
    def profile(self) -> StrategyProfile:
        """Which variables describe the client."""
        return self.strategies.profiles.get(self.scheme)

    async def begin(self, context: StrategyContext, *, patient: bool) -> Asked:
        """Ask the model; a patient caller gets the answer with it, if it comes within the limit."""
        asked = Asked(self, context)
        try:
            await asked.begun(self.strategies.wait_s if patient else None)
        except asyncio.CancelledError:
            await asked.drop(self.ledger)
            raise
        return asked

    def take_late(self) -> Asked | None:
        """Return the recommendation that came, or is to come, too late for the round before."""
        return self.strategies.late.take(self.session, self.instance_id, self.round)

    async def end(self, asked: Asked, *, needed: bool) -> tuple[Degradation, ...]:
        """End the asking, and return what went wrong with it.

        One that is still needed and running serves the next round. Nothing waits here: the message
        was sent, and is to be committed.
        """
        if needed and asked.running:
            self.strategies.late.keep(self.session, self.instance_id, self.round, asked)
            return asked.lateness()
        await asked.drop(self.ledger)
        return asked.degradations()


class Asked:
    """One request for a recommendation, and its result."""

    def __init__(self, adviser: StrategyAdviser, context: StrategyContext) -> None:
        """Start the model call."""
        self.context = context
        self._calls: list[LLMDebugInfo] = []
        self._failure = ""
        self._late = False
        self._task = asyncio.create_task(self._ask(adviser))

    @property
    def running(self) -> bool:
        """Whether the model call has not ended."""
        return not self._task.done()

    @property
    def recommendation(self) -> StrategyRecommendation | None:
        """The result; None while the call runs, and where it failed."""
        if not self._task.done() or self._task.cancelled():
            return None
        return self._task.result()

    async def begun(self, wait_s: float | None) -> None:
        """Return once the call is sent; with a limit, once it has ended or the limit is over.

        An answer that did not come within the limit is late.
        """
        await asyncio.sleep(0)
        if wait_s:
            await asyncio.wait({self._task}, timeout=wait_s)
        self._late = wait_s is not None and not self._task.done()

    def cancel(self) -> None:
        """Cancel the call without waiting for its end."""
        self._task.cancel()

    async def drop(self, ledger: list[LLMDebugInfo]) -> None:
        """End the call; its records are in the ledger afterwards."""
        self._task.cancel()
        await asyncio.wait({self._task})
        ledger.extend(self._calls)
        self._calls.clear()

    def degradations(self) -> tuple[Degradation, ...]:
        """Return why there is no recommendation, or that it came late; each is reported once."""
        if not self._failure:
            return self.lateness()
        return (Degradation.of("strategy", "NO_STRATEGY", cause=self._failure),)

    def lateness(self) -> tuple[Degradation, ...]:
        """Return, once, that the message waited for nothing."""
        late, self._late = self._late, False
        return (Degradation.of("strategy", "STRATEGY_LATE"),) if late else ()

    async def _ask(self, adviser: StrategyAdviser) -> StrategyRecommendation | None:
        try:
            async with asyncio.timeout(adviser.strategies.timeout_s):
                return await generate_strategy_prompt(
                    adviser.model,
                    adviser.templates,
                    self.context,
                    scheme=adviser.scheme,
                    language=adviser.language,
                    words=adviser.words,
                    calls=self._calls,
                )
        except TimeoutError:
            self._failure = "STRATEGY_TIMED_OUT"
        except HeartRuleError as error:
            self._failure = error.reason
        return None
