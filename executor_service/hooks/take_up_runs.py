"""Ends of runs are taken up by a turn's first step (ADR 26 does so with edits of the plan)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundOutcome
from executor_service.decisions.run_results import RunResult, land
from executor_service.decisions.session_runs import SessionRuns
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from heartrule.domain.problem import Degradation
from session_store.records import StepCommit


class TakeUpRuns(StepHook):
    """Puts results into their variables before anything is said, and tells who speaks of the ends.

    What waits is a count in the session's row: a turn without any reads nothing. While the crisis
    path has the session its step ends the turn before this rule is asked, so that all goes on
    waiting.
    """

    def __init__(self, turn: RunningTurn, *, runs: SessionRuns) -> None:
        """Read ends of runs from `runs`."""
        super().__init__(turn)
        self._runs = runs
        self._unwritten: tuple[RunResult, ...] = ()
        self._untold: tuple[RunResult, ...] = ()
        self._degradations: tuple[Degradation, ...] = ()

    async def before_turn(self) -> None:
        """Land what ended, where the turn has committed no step and the script is not at its end.

        A form's step that a safety text ends takes nothing up either.
        """
        snapshot = self.turn.snapshot
        if not snapshot.runs_waiting or snapshot.steps or self.turn.instead is not None:
            return
        if self.turn.state.current() is None:
            return
        ended = await self._runs.ended(snapshot.lease.key)
        left_out = [self._landed(each) for each in ended]
        self._degradations = tuple(filter(None, left_out))
        self._unwritten = self._untold = ended

    async def before_round(self, round_: Round) -> Round:
        """Give the ends to the round until a model has said something in the turn."""
        if not self._untold:
            return round_
        context = round_.context
        runs = replace(context.runs, taken_up=self._untold)
        return replace(round_, context=replace(context, runs=runs))

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Add what could not land."""
        found, self._degradations = self._degradations, ()
        return replace(outcome, degradations=(*found, *outcome.degradations))

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Take the ends up with the turn's first step."""
        taken, self._unwritten = self._unwritten, ()
        if step.messages and step.calls:  # what the script says word by word tells of no run
            self._untold = ()
        if not taken:
            return step
        names = (*(each.run_id for each in taken), *step.runs_taken_up)
        return replace(step, runs_taken_up=names)

    def _landed(self, result: RunResult) -> Degradation | None:
        assert result.end_time is not None, "a run that ended has its time"
        return land(result, self.turn.state.variables, result.end_time)
