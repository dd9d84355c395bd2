"""Plays every conversation in every arm, in an order that favours none, and counts the runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from executor_service.dependencies import Switches
from executor_service.installation import Installation
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.events import Outcome
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.model.ports import ChatModel
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, say
from heartrule_cli.ablation.measures import failure_of, measured, silent_purposes
from heartrule_cli.ablation.obedience import count_obeyed
from heartrule_cli.ablation.study import ALL, AblationPlan, Arm, Factor, Run
from heartrule_cli.rehearsal.doubles import (
    Doubles,
    ForwardingModel,
    JudgingMonitor,
    PlayedModel,
    RehearsalModel,
)
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.outcome import Played
from heartrule_cli.rehearsal.play import Play
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from heartrule_cli.style import Style
from heartrule_cli.text import one_line

# A turn of a real model may take minutes, with its retries, before its run is lost.
_PATIENCE_S = 300.0
# The executor's own default.
_ANALYSIS_S = 30.0
_LINE_START = "\r\x1b[K"
# A log has a line each tenth of the runs: a line a run would bury what else is in it.
_TENTHS = 10
# Fewer seconds left are not worth a word; from so many on they are minutes.
_LEAST_LEFT_S = 10
_MINUTES_FROM_S = 90


class WithholdingMonitor(JudgingMonitor):
    """Judges and plans as the service does, and gives no advice."""

    async def judge(self, report: AnalysisReport) -> AnalysisAnswer:
        """Judge one round; nothing of the answer enters a prompt."""
        return replace(await super().judge(report), feedback_text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmRunner:
    """Plays runs of one script with one model."""

    script: ScriptUnderTest
    installation: Installation
    model: ChatModel | None
    """None: the rehearsal model."""

    async def run(self, conversation: WrittenConversation, arm: Arm, repeat: int) -> Run:
        """Play one conversation up to its end or the client's last input, and measure it."""
        run = Run(conversation=conversation.file, repeat=repeat, arm=arm)
        play = Play(_unwritten(conversation, arm), self.installation, self._doubles(arm))
        try:
            await play.harness.create_session(self.script)
            played = [each async for each in _turns(play, conversation)]
            ledger = await play.ledger()
            finished = bool(played) and _is_over(played[-1])
            return replace(
                run,
                values=measured(
                    played, ledger, finished=finished, obeyed=await count_obeyed(played, self.model)
                ),
                silent=silent_purposes(ledger),
                models=frozenset(call.model for call in ledger),
            )
        except TimeoutError:
            return replace(run, lost=say("cli.rehearse.unended"))
        except HeartRuleError as error:
            silent = silent_purposes(await play.ledger())
            return replace(run, lost=error.reason, silent=silent)
        finally:
            await play.harness.aclose()

    async def try_out(self, conversation: WrittenConversation) -> Run:
        """Play the first two turns with all factors on, so that every model is called once."""
        return await self.run(replace(conversation, turns=conversation.turns[:2]), ALL, 0)

    def _doubles(self, arm: Arm) -> Doubles:
        judge = self._model()
        kind = JudgingMonitor if Factor.MONITOR in arm.on else WithholdingMonitor
        return Doubles(
            model=self._model(),
            judge=judge,
            monitor=kind(judge, self.installation, seconds=_ANALYSIS_S),
            switches=Switches(
                analyses=bool(arm.on & {Factor.MONITOR, Factor.ORCHESTRATION}),
                strategies=Factor.STRATEGY in arm.on,
                orchestration=Factor.ORCHESTRATION in arm.on,
            ),
            patience_s=_PATIENCE_S,
        )

    def _model(self) -> PlayedModel:
        return RehearsalModel() if self.model is None else ForwardingModel(self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """One run that is to be played."""

    conversation: WrittenConversation
    arm: Arm
    repeat: int


def steps_of(
    plan: AblationPlan, conversations: Sequence[WrittenConversation]
) -> Iterator[PlannedRun]:
    """Yield every run, repeat by repeat; each conversation begins with the next arm.

    So what changes with the hour, at the provider or on this machine, affects all arms alike.
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
    on_run_started: Callable[[PlannedRun], None],
) -> AsyncGenerator[Run, None]:
    """Yield runs as they end, at most `at_once` played at a time."""
    free = asyncio.Semaphore(at_once)

    async def one(step: PlannedRun) -> Run:
        async with free:
            on_run_started(step)
            return await runner.run(step.conversation, step.arm, step.repeat)

    playing = [asyncio.create_task(one(step)) for step in steps]
    try:
        for each in asyncio.as_completed(playing):
            yield await each
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


class RunCounter:
    """Shows how many runs have begun: one passing line on a terminal, elsewhere a line a tenth."""

    def __init__(
        self,
        stream: TextIO,
        style: Style,
        *,
        total: int,
        language: ReaderLanguage = ReaderLanguage.ENGLISH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Write to a stream; no run has begun."""
        self._stream = stream
        self._style = style
        self._total = total
        self._language = language
        self._clock = clock
        self._begun = clock()
        self._count = 0

    def began(self, step: PlannedRun) -> None:
        """Count a run that begins."""
        tenths = self._count * _TENTHS // self._total
        if self._style.colours:
            where = f"{step.arm.name} · {one_line(Path(step.conversation.file).name)}"
            line = self._told("cli.ablate.now", self._count + 1, where)
            self._write(_LINE_START + self._style.dim(line))
        elif self._count and tenths > (self._count - 1) * _TENTHS // self._total:
            self._write(self._told("cli.ablate.begun", self._count) + "\n")
        self._count += 1

    def over(self) -> None:
        """Remove the passing line."""
        if self._style.colours:
            self._write(_LINE_START)

    def _told(self, code: str, number: int, where: str = "") -> str:
        line = say(code, number=number, total=self._total, left=self._left(), where=where)
        return line.told(self._language)

    def _left(self) -> Said:
        """Return how much time is left, once that can be estimated."""
        if not self._count:
            return ""
        seconds = (self._clock() - self._begun) / self._count * (self._total - self._count)
        if seconds < _LEAST_LEFT_S:
            return ""
        left = say("cli.seconds", seconds=f"{seconds:.0f}")
        if seconds >= _MINUTES_FROM_S:
            left = say("cli.minutes", minutes=f"{seconds / 60:.0f}")
        return say("cli.ablate.left", left=left)

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _unwritten(conversation: WrittenConversation, arm: Arm) -> WrittenConversation:
    """Return the conversation with only what the client does."""
    return replace(
        conversation,
        model=None,
        monitor=None,
        monitor_model=None,
        held=False,
        strategy_engine=Factor.STRATEGY in arm.on,
    )


async def _turns(play: Play, conversation: WrittenConversation) -> AsyncIterator[Played]:
    """Yield turns until the script is at its end; inputs left over are not sent.

    Raises:
        HeartRuleError: Two turns in a row failed; later ones would measure nothing.
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
