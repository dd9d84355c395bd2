"""Test doubles of a rehearsal: models and monitors without a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

from executor_service.dependencies import Switches
from executor_service.installation import Installation
from executor_service.ports import Monitor
from heartrule.domain.errors import HeartRuleError, ModelStreamCut, ModelUnavailable
from heartrule.domain.events import ActionResultRecorded, SessionEvent
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport, MonitorAnalysis
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted
from heartrule.model.rehearsal.answering import answer
from heartrule.model.rehearsal.task import Refusal
from heartrule.model.task_card import with_task_card
from heartrule_cli.rehearsal.harness import PATIENCE_S
from heartrule_cli.rehearsal.written_conversation import (
    ModelAnswer,
    MonitorAnswer,
    WrittenConversation,
)
from monitor_service.handlers.handler_registry import standard_handlers
from monitor_service.json_call import Tools
from monitor_service.judge import judge_round
from monitor_service.orchestrator import TopicActionOrchestrator, plan_round

# Characters streamed at once: few, so that texts are cut at odd places as a network cuts them.
_PIECE = 7
# Reason of the failure where a list of answers is at its end.
_NO_ANSWER = "MODEL_CONNECTION"
# Seconds an analysis may take, and a wait for its report: far more than a double needs.
_ANALYSIS_S = 10.0


class PlayedModel(ChatModel):
    """Records its requests; subclasses know the answer."""

    def __init__(self) -> None:
        """Begin with no requests."""
        self.requests: list[ChatRequest] = []

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return the answer to a request."""
        raise NotImplementedError

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the answer, or raise the error it names."""
        del visible
        self.requests.append(request)
        reply = self.reply(request)
        if request.is_free and reply.plain:
            reply = replace(reply, text=reply.plain)
        for start in range(0, len(reply.text), _PIECE):
            yield reply.text[start : start + _PIECE]
        reason = "MODEL_STREAM_CUT" if reply.cut else reply.fails
        calls.append(_record(request, reply, reason, len(self.requests)))
        if reply.cut:
            raise ModelStreamCut("the answer breaks off here, as it is written", reason=reason)
        if reply.fails:
            raise ModelUnavailable("no answer is written here", reason=reason)

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""


class WrittenModel(PlayedModel):
    """Answers from a list, in order; at its end it fails, and records those requests apart."""

    def __init__(self, answers: Sequence[ModelAnswer]) -> None:
        """Give these answers."""
        super().__init__()
        self.left = list(answers)
        self.unanswered: list[ChatRequest] = []

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return the next answer."""
        if self.left:
            return self.left.pop(0)
        self.unanswered.append(request)
        return ModelAnswer(fails=_NO_ANSWER)


class ForwardingModel(PlayedModel):
    """Forwards its requests to another model, which its owner closes."""

    def __init__(self, model: ChatModel) -> None:
        """Forward to `model`."""
        super().__init__()
        self._model = model

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the other model's answer."""
        self.requests.append(request)
        async for piece in self._model.stream(request, calls=calls, visible=visible):
            yield piece


class RehearsalModel(PlayedModel):
    """The shipped rehearsal model, without its server."""

    def reply(self, request: ChatRequest) -> ModelAnswer:
        """Return its answer to the task card."""
        found = answer(with_task_card(request.messages, request.card))
        if isinstance(found, Refusal):
            return ModelAnswer(fails=found.code.upper())
        return ModelAnswer(text=found)


class PlayedMonitor(Monitor):
    """Records the reports it receives, and answers once it is released."""

    def __init__(self, *, held: bool = False) -> None:
        """With `held`, answer nothing before `release`."""
        self.reports: list[AnalysisReport] = []
        self._received = asyncio.Condition()
        self._released = asyncio.Event()
        if not held:
            self._released.set()

    @property
    def is_held(self) -> bool:
        """True while it gives no answers."""
        return not self._released.is_set()

    def release(self) -> None:
        """Give answers from now on."""
        self._released.set()

    async def received_reports(self, stream: Sequence[SessionEvent]) -> None:
        """Return once the reports that a turn requested are here."""
        requested = {
            (event.body.action_result.action_instance_id, event.body.action_result.round)
            for event in stream
            if isinstance(event.body, ActionResultRecorded)
            and event.body.action_result.metadata.get("analysis") == "requested"
        }
        async with asyncio.timeout(_ANALYSIS_S), self._received:
            await self._received.wait_for(
                lambda: (
                    requested <= {(each.action_instance_id, each.round) for each in self.reports}
                )
            )

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Judge one round.

        Raises:
            HeartRuleError: The answer is a failure.
        """
        del judged_turn
        async with self._received:
            self.reports.append(report)
            self._received.notify_all()
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
    """Answers from a list, in order, then has no advice."""

    def __init__(self, answers: Sequence[MonitorAnswer] = (), *, held: bool = False) -> None:
        """Give these answers."""
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
        installation: Installation,
        *,
        held: bool = False,
        seconds: float = _ANALYSIS_S,
    ) -> None:
        """Judge with these templates and words, within `seconds` for each analysis."""
        super().__init__(held=held)
        tools = Tools(model=model, templates=installation.templates, words=installation.words)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubles:
    """The model and the monitor of one conversation."""

    model: PlayedModel
    """The model of the session's own prompts."""
    monitor: PlayedMonitor
    judge: PlayedModel | None = None
    """The monitor's model; None where its answers are written."""
    switches: Switches = field(default_factory=Switches)
    patience_s: float = PATIENCE_S
    """How long a turn may take."""


def doubles_of(conversation: WrittenConversation, installation: Installation) -> Doubles:
    """Return the doubles that give a conversation's answers; else the rehearsal model answers."""
    answers, held = conversation.model, conversation.held
    model = RehearsalModel() if answers is None else WrittenModel(answers)
    judge: PlayedModel
    if conversation.monitor_model is not None:
        judge = WrittenModel(conversation.monitor_model)
    elif answers is None and conversation.monitor is None:
        judge = RehearsalModel()
    else:
        written = WrittenMonitor(conversation.monitor or (), held=held)
        return Doubles(model=model, monitor=written)
    monitor = JudgingMonitor(judge, installation, held=held)
    return Doubles(model=model, monitor=monitor, judge=judge)


def _record(request: ChatRequest, reply: ModelAnswer, reason: str, number: int) -> LLMDebugInfo:
    """Return the ledger's record of a call; characters are counted instead of tokens."""
    return LLMDebugInfo(
        call_id=f"call_{request.purpose}_{number}",
        purpose=request.purpose,
        prompt_type=request.prompt_type,
        provider="written",
        model="written",
        input=json.dumps([message.content for message in request.messages], ensure_ascii=False),
        output=reply.text,
        prompt_tokens=sum(len(message.content) for message in request.messages),
        completion_tokens=len(reply.text),
        finish_reason="" if reason else "stop",
        error=reason,
    )
