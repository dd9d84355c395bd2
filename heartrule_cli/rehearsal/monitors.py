"""The second mind without a network: one that answers what is written, and the real handlers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from executor_service.ports import Monitor
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport, MonitorAnalysis
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from heartrule_cli.rehearsal.written_conversation import MonitorAnswer
from monitor_service.handlers.handler_registry import standard_handlers
from monitor_service.json_call import Tools
from monitor_service.judge import judge_round
from monitor_service.orchestrator import TopicActionOrchestrator, plan_round

_PATIENCE_S = 10.0


class PlayedMonitor(Monitor):
    """Remembers the rounds it was told of, and answers once it is released."""

    def __init__(self, *, held: bool = False) -> None:
        """With `held`, answer nothing before `release`."""
        self.reports: list[AnalysisReport] = []
        self._told = asyncio.Condition()
        self._released = asyncio.Event()
        if not held:
            self._released.set()

    @property
    def is_held(self) -> bool:
        """True while nothing is answered."""
        return not self._released.is_set()

    def release(self) -> None:
        """Answer from now on."""
        self._released.set()

    async def told_of(self, rounds: set[tuple[str, int]]) -> None:
        """Return when it was told of these rounds: action instance and number."""
        async with asyncio.timeout(_PATIENCE_S), self._told:
            await self._told.wait_for(
                lambda: rounds <= {(each.action_instance_id, each.round) for each in self.reports}
            )

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Judge one round.

        Raises:
            HeartRuleError: The answer is a failure.
        """
        del judged_turn
        async with self._told:
            self.reports.append(report)
            self._told.notify_all()
        await self._released.wait()
        return await self.judge(report)

    async def judge(self, report: AnalysisReport) -> AnalysisAnswer:
        """Return the answer about a round."""
        raise NotImplementedError

    async def plan(self, report: OrchestrationReport, *, judged_turn: str) -> OrchestrationAnswer:
        """Propose nothing."""
        del report, judged_turn
        return OrchestrationAnswer()


class WrittenMonitor(PlayedMonitor):
    """Answers from a list, in order, then is silent."""

    def __init__(self, answers: Sequence[MonitorAnswer] = (), *, held: bool = False) -> None:
        """Answer these."""
        super().__init__(held=held)
        self.left = list(answers)

    async def judge(self, report: AnalysisReport) -> AnalysisAnswer:
        """Return the next answer."""
        del report
        found = self.left.pop(0) if self.left else None
        if found is None or not (found.advice or found.fails):
            return AnalysisAnswer(analysis=MonitorAnalysis())
        if found.fails:
            raise HeartRuleError("no answer, as written", reason=found.fails)
        analysis = MonitorAnalysis(intervention_needed=True, feedback_for_action=found.advice)
        return AnalysisAnswer(analysis=analysis, feedback_text=found.advice)


class JudgingMonitor(PlayedMonitor):
    """The real handlers of the monitor service over a model."""

    def __init__(
        self,
        model: ChatModel,
        templates: TemplateStore,
        *,
        held: bool = False,
        seconds: float = _PATIENCE_S,
    ) -> None:
        """Judge with these templates; an analysis may take so many seconds."""
        super().__init__(held=held)
        tools = Tools(model=model, templates=templates)
        self._handlers = standard_handlers(tools)
        self._seconds = seconds
        self._orchestrator = TopicActionOrchestrator(tools)

    async def judge(self, report: AnalysisReport) -> AnalysisAnswer:
        """Judge one round as the service does."""
        handler = self._handlers.judging(report)
        return await judge_round(handler, report, seconds=self._seconds)

    async def plan(self, report: OrchestrationReport, *, judged_turn: str) -> OrchestrationAnswer:
        """Propose a change of the queue as the service does."""
        del judged_turn
        return await plan_round(self._orchestrator, report, seconds=self._seconds)
