"""Plays every conversation in every arm, in an order in which none is favoured."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from executor_service.bootstrap import Switches
from executor_service.installation import Installation
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import Outcome
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.model.ports import ChatModel
from heartrule_cli.ablation.arms import ALL, Arm, Factor
from heartrule_cli.ablation.measures import failure_of, measured, silent_purposes
from heartrule_cli.ablation.study import AblationPlan, Run
from heartrule_cli.rehearsal.doubles import Doubles
from heartrule_cli.rehearsal.models import HeardModel, PlayedModel, RehearsalModel
from heartrule_cli.rehearsal.monitors import JudgingMonitor
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.play import Play
from heartrule_cli.rehearsal.script_under_test import ScriptUnderTest
from heartrule_cli.rehearsal.written_conversation import WrittenConversation

_PATIENCE_S = 300.0
"""How long a turn of a real model may take before its run is lost."""
_ANALYSIS_S = 30.0
"""How long an analysis may take, as the executor has it by default."""


class WithholdingMonitor(JudgingMonitor):
    """Judges and plans as the service does, and advises nobody."""

    async def judge(self, report: AnalysisReport) -> AnalysisAnswer:
        """Judge one round; nothing of it enters a prompt."""
        return replace(await super().judge(report), feedback_text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRunner:
    """What all runs have in common."""

    script: ScriptUnderTest
    installation: Installation
    model: ChatModel | None
    """None: the rehearsal model speaks."""

    async def run(self, conversation: WrittenConversation, arm: Arm, repeat: int) -> Run:
        """Play one conversation up to its end or the client's last words, and measure it."""
        run = Run(conversation=conversation.file, repeat=repeat, arm=arm)
        play = Play(_unwritten(conversation, arm), self.installation, self._players(arm))
        try:
            await play.prepare(self.script)
            played = [each async for each in _turns(play, conversation)]
            return _told(run, played, await play.ledger())
        except TimeoutError:
            return replace(run, lost="a turn did not come to its end")
        except HeartRuleError as error:
            silent = silent_purposes(await play.ledger())
            return replace(run, lost=error.reason, silent=silent)
        finally:
            await play.aclose()

    async def try_out(self, conversation: WrittenConversation) -> Run:
        """Play the first two turns with everything on: every model is asked, and none is new."""
        return await self.run(replace(conversation, turns=conversation.turns[:2]), ALL, 0)

    def _players(self, arm: Arm) -> Doubles:
        judge = self._speaker()
        kind = JudgingMonitor if Factor.MONITOR in arm.on else WithholdingMonitor
        return Doubles(
            model=self._speaker(),
            judge=judge,
            monitor=kind(judge, self.installation.templates, seconds=_ANALYSIS_S),
            switches=Switches(
                analyses=bool(arm.on & {Factor.MONITOR, Factor.ORCHESTRATION}),
                strategies=Factor.STRATEGY in arm.on,
                orchestration=Factor.ORCHESTRATION in arm.on,
            ),
            patience_s=_PATIENCE_S,
        )

    def _speaker(self) -> PlayedModel:
        return RehearsalModel() if self.model is None else HeardModel(self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run that is to be played."""

    conversation: WrittenConversation
    arm: Arm
    repeat: int


def steps_of(
    plan: AblationPlan, conversations: Sequence[WrittenConversation]
) -> Iterator[PlannedRun]:
    """Yield every run: a repeat of all conversations after the other, arms beginning in turn.

    Whatever changes with the hour, at the provider or on this machine, meets all arms alike.
    """
    block = 0
    for repeat in range(1, plan.repeats + 1):
        for conversation in conversations:
            first = block % len(plan.arms)
            for arm in (*plan.arms[first:], *plan.arms[:first]):
                yield PlannedRun(conversation=conversation, arm=arm, repeat=repeat)
            block += 1


async def play_all(
    runner: ArmRunner,
    steps: Sequence[PlannedRun],
    *,
    at_once: int,
    told: Callable[[PlannedRun], None],
) -> AsyncGenerator[Run, None]:
    """Yield runs as they end, at most `at_once` played at a time; each is told as it begins."""
    free = asyncio.Semaphore(at_once)

    async def one(step: PlannedRun) -> Run:
        async with free:
            told(step)
            return await runner.run(step.conversation, step.arm, step.repeat)

    playing = [asyncio.create_task(one(step)) for step in steps]
    try:
        for each in asyncio.as_completed(playing):
            yield await each
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _told(run: Run, played: Sequence[Played], ledger: Sequence[LLMDebugInfo]) -> Run:
    finished = bool(played) and _is_over(played[-1])
    return replace(
        run,
        values=measured(played, ledger, finished=finished),
        silent=silent_purposes(ledger),
        models=frozenset(call.model for call in ledger),
    )


def _unwritten(conversation: WrittenConversation, arm: Arm) -> WrittenConversation:
    """Return the conversation with nothing but what the client does."""
    return replace(
        conversation,
        model=None,
        monitor=None,
        monitor_model=None,
        held=False,
        strategy_engine=Factor.STRATEGY in arm.on,
    )


async def _turns(play: Play, conversation: WrittenConversation) -> AsyncIterator[Played]:
    """Yield turns until the script is at its end; what the client has left to say is not said.

    Raises:
        HeartRuleError: Two turns in a row failed; what came after them would tell nothing.
    """
    failed = False
    for turn in conversation.turns:
        played = await play.turn(replace(turn, release=False))
        yield played
        if _is_over(played):
            return
        reason = failure_of([played])
        if reason and failed:
            raise HeartRuleError("two turns in a row failed", reason=reason)
        failed = bool(reason)


def _is_over(played: Played) -> bool:
    return played.seen.get("outcome") == Outcome.SESSION_COMPLETED.value
