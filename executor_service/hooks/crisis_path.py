"""The crisis path of a turn: fixed texts before any model, a frozen position, guarded replies."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from executor_service.actions.action_context import OutgoingMessage, RoundOutcome
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.step_hook import Round, StepHook
from executor_service.hooks.turn_screening import (
    RunningForm,
    language_of,
    running_form,
    unanswered_before,
    with_form_items,
)
from executor_service.safety.inputs_found import InputsFound, screened, written_in
from executor_service.safety.opt_out import OptOutPolicy
from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.events import Outcome
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.position import ExecutionStatus
from heartrule.domain.safety import LEFT, SafetyCard, SafetyLevel
from heartrule.safety.crisis_rules import ClientScreen
from heartrule.safety.guard import OutputGuard, SentenceLines, guarded
from heartrule.safety.safety_path import Asks, Reaction, SafetyPath, Said, is_guarded
from session_store.records import SafetyStep, StepCommit, TurnEnd

_CHOSEN_DIGITS = 2


class CrisisPath(StepHook):
    """Answers danger with fixed texts; while the position is frozen no action runs."""

    def __init__(self, turn: RunningTurn, *, rules: ClientScreen, opt_outs: OptOutPolicy) -> None:
        """Read inputs by `rules`, and answer with their texts.

        A script that turns the path off is ignored where `opt_outs` forbids it, so that a stricter
        policy counts for sessions that run.
        """
        super().__init__(turn)
        self._may_opt_out = opt_outs.allows(turn.snapshot.lease.key.tenant)
        self._rules, self._texts = rules, rules.texts
        self._reaction = Reaction(state=turn.snapshot.safety)
        # Of the words found in this turn, and of the session: a turn that is resumed finds none.
        self._found_in, self._spoken = "", turn.snapshot.language
        self._unwritten: SafetyStep | None = None
        self._after_form: Message | None = None

    async def before_turn(self) -> StepCommit | None:
        """Return the step with this turn's safety text; it ends the turn of a frozen position.

        Only inputs that came since the turn's last step are read, so a turn that is resumed says
        nothing twice. A submitted form is stored first, and the text takes the place of what its
        action says.
        """
        snapshot = self.turn.snapshot
        reason = self.turn.script.safety.opt_out if self._may_opt_out else ""
        if snapshot.safety.opt_out != reason:
            self._reaction = Reaction(state=replace(snapshot.safety, opt_out=reason))
            self._unwritten = self._step(InputsFound())
        if reason or not (snapshot.new_inputs or snapshot.safety.frozen):
            return None
        form = running_form(snapshot, self.turn.script)
        found = await self._found(form)
        path = SafetyPath(steps=self._texts.steps)
        self._reaction = path.react(self._reaction.state, found.heard, snapshot.turn_no)
        self._found_in = found.language or self._language_said()
        step, said = self._step(found), self._reaction.said
        if said is None:
            self._unwritten = step if step.state != snapshot.safety else None
            return None
        message = self._message(self._text(said).text)
        if self._reaction.ends and form and form.is_submitted_by(snapshot.new_inputs):
            self._unwritten, self._after_form = step, message
            self.turn.hold(self._commit(step, message))
            return None
        self._unwritten = None
        return self._commit(step, message)

    async def before_round(self, round_: Round) -> Round:
        """Guard what the model writes, and tell it where the script resumes."""
        context = round_.context
        self._spoken = context.scene.language
        if self._reaction.resumes and context.reply is not None:
            context = replace(context, resumes=True)
        if self._is_guarded():
            guard = partial(OutputGuard, self._texts.guard, self._lines())
            context = replace(context, streamer=replace(context.streamer, guard=guard))
        return replace(round_, context=context)

    def after_round(self, outcome: RoundOutcome) -> RoundOutcome:
        """Guard the round's messages as the stream was guarded."""
        if not self._is_guarded():
            return outcome
        result = replace(outcome.result, ai_message=self._guarded(outcome.result.ai_message))
        messages = tuple(map(self._guarded_message, outcome.messages))
        return replace(outcome, messages=messages, result=result)

    def before_commit(self, step: StepCommit) -> StepCommit:
        """Write what changed with the turn's first step; a form's step ends with the safety text.

        A script that reaches its end below CRISIS says where help is as its last words.
        """
        unwritten, self._unwritten = self._unwritten, None
        if unwritten is not None:
            step = replace(step, safety=unwritten)
        message, self._after_form = self._after_form, None
        if message is not None:
            waiting = replace(step, status=ExecutionStatus.WAITING_INPUT, messages=(message,))
            return replace(waiting, end=self._end(message, waiting.end))
        level = self._reaction.state.level
        if step.end is None or step.status is not ExecutionStatus.COMPLETED or not level:
            return step
        language = self._found_in or self._spoken
        card = self._texts.brief_card(level, self.turn.snapshot.locale, language)
        last = self._message(card.text)
        end = replace(step.end, message_ids=(*step.end.message_ids, last.message_id))
        return replace(step, messages=(*step.messages, last), end=end)

    async def _found(self, form: RunningForm | None) -> InputsFound:
        snapshot = self.turn.snapshot
        inputs = snapshot.new_inputs
        found = await screened(
            tuple(text for each in inputs for text in written_in(each.parts)),
            self._rules,
            question=self._question(),
            earlier=unanswered_before(snapshot),
        )
        return with_form_items(found, inputs, form)

    def _question(self) -> str:
        """Return what the inputs answer; a safety text that asked nothing itself is none.

        The card for those who worry quotes how to ask a friend.
        """
        state, said = self.turn.snapshot.safety, self._last_said()
        if said is None:
            return ""
        asked = state.question in (Asks.DIRECT, Asks.GENTLE)
        is_safety_text = state.frozen or state.step == LEFT or said.role is Role.SYSTEM
        return "" if is_safety_text and not asked else said.text

    def _last_said(self) -> DialogueLine | None:
        """Return the last line that was no client's; the snapshot's passes over safety texts."""
        window = reversed(self.turn.snapshot.window)
        return next((line for line in window if line.role is not Role.CLIENT), None)

    def _language_said(self) -> str:
        """Return the language of a frozen session's last text: its path goes on in it."""
        said = self._last_said() if self.turn.snapshot.safety.frozen else None
        return "" if said is None else language_of(said.text)

    def _text(self, said: Said) -> SafetyCard:
        language = self._found_in or self._spoken
        return self._texts.shown(said, self.turn.snapshot.locale, language)

    def _step(self, found: InputsFound) -> SafetyStep:
        """Return what is written of this turn; a rise to a crisis alerts operators."""
        heard, reaction = found.heard, self._reaction
        said = reaction.said
        card = self._text(said) if said and self._texts.steps.lists_resources(said) else None
        return SafetyStep(
            state=reaction.state,
            level=heard.level,
            source=heard.source,
            rules=found.rules,
            subject=found.subject,
            language=found.language,
            card=card,
            client_message_ids=tuple(
                each.client_message_id for each in self.turn.snapshot.new_inputs
            ),
            raised=heard.is_hit,
            alert=reaction.raised and heard.level >= SafetyLevel.CRISIS,
        )

    def _message(self, text: str) -> Message:
        return Message(
            message_id=self.turn.new_id("msg"),
            role=Role.SYSTEM,
            parts=(text_part(text),),
            turn_id=self.turn.snapshot.turn_id,
        )

    def _commit(self, safety: SafetyStep, message: Message) -> StepCommit:
        """Return the step of a text of its own; the position stays."""
        snapshot, ends = self.turn.snapshot, self._reaction.ends
        step = StepCommit(
            turn_id=snapshot.turn_id,
            attempt=snapshot.attempt,
            status=ExecutionStatus.RUNNING,
            position=snapshot.position,
            messages=(message,),
            safety=safety,
        )
        if not ends:
            return step
        return replace(
            step,
            status=ExecutionStatus.WAITING_INPUT,
            inputs_consumed=True,
            end=self._end(message, None),
        )

    def _end(self, message: Message, end: TurnEnd | None) -> TurnEnd:
        """Return the end of a turn whose last words are a safety text: the session waits."""
        snapshot = self.turn.snapshot
        before = end or TurnEnd(outcome=Outcome.WAITING, degradations=snapshot.degradations)
        ids = (*snapshot.message_ids, message.message_id)
        return replace(before, outcome=Outcome.WAITING, message_ids=ids)

    def _is_guarded(self) -> bool:
        return is_guarded(self._reaction.state, self.turn.snapshot.turn_no)

    def _guarded_message(self, message: OutgoingMessage) -> OutgoingMessage:
        """Return a message as it may leave; answers to choose from may be a model's, too."""
        if message.media:
            return message
        if message.options and not self._may_be_chosen(message):
            message = replace(message, options=(), options_in_words="")
        return replace(message, text=self._guarded(message.text))

    def _may_be_chosen(self, message: OutgoingMessage) -> bool:
        """Return whether nothing of the options is guarded, also of a number in several of them."""
        # One or two digits are a number to choose, such as 7 of 10.
        pieces = " ".join(each for each in message.options if len(each) > _CHOSEN_DIGITS)
        if any(self._guarded(each) != each for each in (*message.options, pieces)):
            return False
        in_words = message.options_in_words
        return self._guarded(f"{message.text}\n{in_words}").endswith(in_words)

    def _guarded(self, text: str) -> str:
        return guarded(text, self._texts.guard, self._lines())

    def _lines(self) -> SentenceLines:
        return self._texts.messages_for(self.turn.snapshot.locale, self._spoken).lines
