"""ai_agent: hands the talk to an agent that decides (document 002; SCRIPT-LANGUAGE, Action types).

A step handles one decision: one that waits, or the first of those that a model call makes. A round
takes steps until the agent says something; the engine commits each decision with its effect.
"""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.agent_call import AgentCall, agent_brief, ask_agent
from executor_service.actions.agent_end import AgentEnd, ended, is_last, judge_end
from executor_service.actions.agent_runs import AgentRuns
from executor_service.actions.agent_spawning import begun_subagent
from executor_service.actions.agent_words import AgentWords
from executor_service.actions.round_ports import RunChanges
from executor_service.decisions.agent_ground import AgentGround, narrowed
from executor_service.decisions.agent_memory import AgentMemory
from executor_service.decisions.agent_queue import AgentQueue
from executor_service.decisions.effects import Effect
from executor_service.decisions.handling import DecisionHandler, refusal
from executor_service.decisions.intents import intent_degradation
from executor_service.scripts.model.agent_config import AgentConfig
from heartrule.domain.action_result import ActionResult
from heartrule.domain.decisions import Decision, DecisionType, FindingCode, Verdict
from heartrule.domain.problem import Degradation
from heartrule.model.reply.agent_reply import AgentReply, WrittenDecision
from heartrule.model.reply.contract import ASK_METRICS
from session_store.records import NewRevision

# Decisions of one reply that are recorded: those beyond the budget are refused, not lost.
_MOST_RECORDED = 10


async def decided(context: RoundContext, config: AgentConfig) -> RoundOutcome:
    """Handle one decision, and ask the model first where none waits.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: The turn fails, retryable.
        QuotaSpent: Too much is being judged: so does the turn.
    """
    # Before anything is read: a run that ends changes what its workflow is.
    runs = await AgentRuns.waited(context)
    known = narrowed(
        await context.agent_reading(),
        node_types=config.node_types,
        subagent_types=config.subagent_types,
    )
    return await _Step(context, config, known, runs).taken()


class _Step:
    """One step: what it finds, what it decides, and the outcome."""

    def __init__(
        self, context: RoundContext, config: AgentConfig, known: AgentGround, runs: AgentRuns
    ) -> None:
        self._context, self._config, self._known, self._runs = context, config, known, runs
        kept = AgentMemory.of(context.instance.memory)
        self._begins = kept.turn_id != known.turn_id
        memory = kept.in_turn(known.turn_id, is_answer=context.reply is not None)
        self._memory = replace(memory, waits_for="")
        self._of_turn = {each.decision.decision_id for each in known.of_turn}
        self._queue = AgentQueue(known.waiting, context.instance.action_instance_id)
        self._brief = agent_brief(context, config)
        self._words = AgentWords(context, self._brief)
        self._placeholder: OutgoingMessage | None = None
        self._degradations: list[Degradation] = [*runs.degradations]
        self._handler = DecisionHandler(
            known=known,
            allowed=config.allowed_decisions,
            utterable=self._words.objection,
            judging=context.judging,
            new_id=context.make_id,
        )

    async def taken(self) -> RoundOutcome:
        """Take the step."""
        if self._begins:
            self._queue.hold()
        if self._runs.is_still_going:
            outcome = self._ends(AgentEnd(run_goes_on=True), Effect(), None)
            if self._runs.is_of_thread:
                outcome = replace(outcome, messages=())
            return self._whole(outcome, Effect(), None)
        if self._runs.shows_result:
            # The client reads it with this step, and the model in the next one.
            return self._whole(self._goes_on(), Effect(), None)
        call = None
        decision = self._queue.next()
        if decision is None and self._left and not self._memory.is_over:
            call = await self._asked()
            decision = self._queue.next()
        effect = None if decision is None else await self._handled(decision)
        outcome = self._outcome(effect, call)
        made_by = decision.decision_id if decision else ""
        return self._whole(outcome, effect or Effect(), call, made_by=made_by)

    def _whole(
        self, outcome: RoundOutcome, effect: Effect, call: AgentCall | None, *, made_by: str = ""
    ) -> RoundOutcome:
        """Return the outcome with all that the step commits beside it."""
        made = effect.workflow
        return replace(
            outcome,
            decisions=self._queue.changes(),
            workflows=(NewRevision(workflow=made, decision_id=made_by),) if made else (),
            of_runs=RunChanges(
                begun=effect.runs,
                effects=effect.run_effects,
                threads=effect.threads,
                taken_up=self._runs.taken_up,
            ),
            advice_used=call is not None and self._context.advice is not None,
            degradations=(
                *(call.degradations if call else ()),
                *self._degradations,
                *self._words.degradations,
                *outcome.degradations,
            ),
        )

    # --- what the model decides -----------------------------------------------------------------

    async def _asked(self) -> AgentCall:
        """Ask the model, and queue what it decides; a reply without decisions counts as one."""
        call = await ask_agent(
            self._context,
            self._brief,
            replace(self._known, runs=await self._runs.told(self._memory)),
            left=self._left,
            judges=self._memory.judges,
            is_last=is_last(self._context, self._memory),
        )
        if call.reply is None or not call.reply.decisions:
            self._memory = replace(self._memory, made=self._memory.made + 1)
        if call.reply is None:
            return call
        self._note_metrics(call, call.reply)
        written = call.reply.decisions[:_MOST_RECORDED]
        if self._memory.judges:
            self._queue.answered({each.decision_type for each in written})
        if left_out := len(call.reply.decisions) - len(written):
            found = Degradation.of("decision", "DECISIONS_LEFT_OUT", decisions=str(left_out))
            self._degradations.append(found)
        before = self._memory
        for each in written:
            await self._propose(self._decision(each, before), call.reply)
        return call

    @property
    def _left(self) -> int:
        return max(self._config.max_decisions - self._memory.made, 0)

    def _note_metrics(self, call: AgentCall, reply: AgentReply) -> None:
        if not self._memory.judges:
            return
        given = {name: getattr(reply.metrics, name) for name in ASK_METRICS}
        self._memory = replace(
            self._memory,
            metrics=given if call.metrics_asked else self._memory.metrics,
            progress=reply.progress_suggestion.value,
        )

    def _decision(self, written: WrittenDecision, before: AgentMemory) -> Decision:
        """Return what the model wrote as a decision; those of one reply replace the same one."""
        return Decision(
            decision_id=self._context.make_id("dec"),
            correlation_id=before.correlation_id or self._context.make_id("cor"),
            decision_type=written.decision_type,
            payload=written.payload,
            confidence=written.confidence,
            causation_id=before.last_id or self._heard_id,
        )

    async def _propose(self, decision: Decision, reply: AgentReply) -> None:
        """Let a decision wait for its turn; refuse it at once where it can have none."""
        self._of_turn.add(decision.decision_id)
        is_beyond = not self._left
        self._memory = replace(self._memory, made=self._memory.made + 1)
        if is_beyond:
            most = self._config.max_decisions
            message = f"this turn makes at most {most} decisions"
            code = FindingCode.OUT_OF_RANGE
            verdict = refusal(decision.payload, code, message, "max_decisions")
            self._refused(decision, verdict)
        elif decision.decision_type not in set(DecisionType):
            self._refused(decision, (await self._handler.handle(decision)).verdict)
        else:
            found = intent_degradation(reply.intent, DecisionType(decision.decision_type))
            self._degradations += (found,) if found else ()
            self._queue.make(decision)

    @property
    def _heard_id(self) -> str:
        """The message that the agent answers; empty in an opening."""
        return self._context.inputs[-1].message_id if self._context.inputs else ""

    def _refused(self, decision: Decision, verdict: Verdict) -> None:
        self._queue.refuse(decision, verdict)
        self._note(decision, verdict)

    # --- what becomes of a decision -------------------------------------------------------------

    async def _handled(self, decision: Decision) -> Effect | None:
        """Judge a decision and let it take effect; None: it was rejected."""
        handled = await self._handler.handle(decision)
        effect = handled.effect
        if effect is not None and effect.spawned is not None:
            effect, self._placeholder = begun_subagent(
                self._context, self._words, effect.spawned, decision.decision_id
            )
        self._queue.judged(decision, handled.verdict)
        self._note(decision, handled.verdict)
        if effect is not None:
            self._memory = self._memory.after(effect)
        return effect

    def _note(self, decision: Decision, verdict: Verdict) -> None:
        """Count a rejection; what the agent decides next replaces the rejected decision (D13)."""
        memory = replace(self._memory, last_id=decision.decision_id)
        if not verdict.is_valid:
            is_own = decision.decision_id in self._of_turn
            memory = replace(
                memory,
                rejected=memory.rejected + is_own,
                correlation_id=decision.correlation_id,
            )
        elif decision.correlation_id == memory.correlation_id:
            memory = replace(memory, correlation_id="")
        self._memory = memory

    def _outcome(self, effect: Effect | None, call: AgentCall | None) -> RoundOutcome:
        memory = self._memory
        if effect is not None and effect.text:
            return self._ends(AgentEnd(is_done=effect.ends or memory.is_over), effect, call)
        if memory.waits_for or self._queue.next() is not None:
            return self._goes_on()
        if memory.is_over:
            return self._ends(AgentEnd(is_done=True, run_goes_on=True), Effect(), call)
        if self._left:
            return self._goes_on()
        spent = Degradation.of("decision", "DECISION_BUDGET", decisions=str(memory.made))
        self._degradations.append(spent)
        is_blocked = memory.rejected >= memory.made
        return self._ends(AgentEnd(is_blocked=is_blocked), Effect(), call)

    def _goes_on(self) -> RoundOutcome:
        instance = self._context.instance
        memory = replace(self._memory, has_queued=self._queue.next() is not None)
        return RoundOutcome(
            result=ActionResult(success=True, completed=False, round=instance.round),
            next_round=instance.round,
            messages=(self._placeholder,) if self._placeholder else (),
            memory=memory.kept(),
            goes_on=True,
        )

    def _ends(self, end: AgentEnd, effect: Effect, call: AgentCall | None) -> RoundOutcome:
        """Say what there is to say; then the action ends, or what is left waits for the client."""
        judgement = judge_end(self._context, self._memory, end)
        completed = judgement.decision.should_exit
        self._memory = replace(self._memory, has_queued=False)
        if completed:
            self._queue.abandon()
        else:
            self._queue.hold()
        if end.run_goes_on:
            message = self._words.of_run(closes=completed)
        else:
            message = self._words.message(effect.text, options=effect.options, closes=completed)
        return ended(self._context, self._memory, judgement, message, call)
