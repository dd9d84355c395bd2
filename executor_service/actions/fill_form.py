"""fill_form: fills a form by talk, by a submitted form, or by both (SCRIPT-LANGUAGE, Action types).

A submission is judged by code alone, and a complete one ends the action without a model call
(RESOLUTIONS C21); talk is judged like an answer to ai_ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.extracting import (
    Extracted,
)
from executor_service.actions.form_talk import take_talked
from executor_service.actions.judging import (
    decided_by_code,
    judge_by_code,
    talk_round,
)
from executor_service.actions.outgoing.known_question import AskedOutput, AskedOutputs
from executor_service.actions.prompting import Brief, script_text
from executor_service.forms.progress import FormProgress, names, remembered
from executor_service.forms.schema import form_schema
from executor_service.forms.values import Checked, check_submission, check_talked
from executor_service.forms.wording import FormWording, label_of
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField
from heartrule.domain.conversation import Feature
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation
from heartrule.domain.variables import Provenance, ValueSupport
from heartrule.model.reply.contract import ASK_METRICS
from heartrule.model.reply.typed_replies import TalkReply

# Requests of one action of which a late answer still counts; the memory of an instance is small.
_REMEMBERED = 16


async def run_fill_form(context: RoundContext) -> RoundOutcome:
    """Introduce the form, or take in what was submitted and what was written."""
    config = context.action.config
    assert isinstance(config, FormConfig)
    form = _FormRound(context, config)
    if context.reply is None:
        return form.with_form(await talk_round(context, form.brief()))
    text, submitted = form.inputs()
    for values in submitted:
        form.submit(values)
    judgement = judge_by_code(context, config, complete=form.complete)
    completed = judgement.decision.should_exit
    if not submitted or (text and not completed):
        return await form.judge_text(text)
    shown = "" if completed else form.correction() or form.wording.received()
    reason = {"exit_reason": judgement.exit_reason.value} if judgement.exit_reason else {}
    extracted = replace(form.extracted(), facts={"submitted": True, **reason})
    return form.with_form(
        decided_by_code(context, judgement, config, text=shown, extracted=extracted)
    )


class _FormRound:
    """The form of one action in one round; what it takes in is written at once."""

    def __init__(
        self, context: RoundContext, config: FormConfig, progress: FormProgress | None = None
    ) -> None:
        memory = context.instance.memory
        self.config = config
        self.wording = FormWording(config, context.scene.language)
        self._context = context
        self._progress = progress or remembered(memory)
        self._requests = names(memory.get("requests"))
        self._values: dict[str, JsonValue] = {}
        self._degradations: tuple[Degradation, ...] = ()
        self._corrects = False
        # What the open request shows; None where none is open, or the client submitted it.
        self._shown = self._progress if self._requests else None

    @property
    def complete(self) -> str:
        """In words that the form is filled in; empty while it is not."""
        done = self._progress.complete(self.config.fields)
        told = self._context.scene.words.exits.form
        return told.format(title=self.config.title) if done else ""

    def inputs(self) -> tuple[str, list[Mapping[str, JsonValue]]]:
        """Return the text of the round's inputs, and the values of each form submitted.

        A form that this action did not ask for counts as its text.
        """
        if not self._context.inputs:
            return self._context.reply or "", []
        texts, submitted = [], []
        for message in self._context.inputs:
            for part in message.parts:
                if part.form is not None and message.input_request_id in self._requests:
                    submitted.append(part.form.values)
                else:
                    texts.append(part.plain_text())
        return "\n".join(texts), submitted

    def submit(self, values: Mapping[str, JsonValue]) -> None:
        """Take in a submitted form; the next request shows its state."""
        checked = check_submission(self.config.fields, values)
        if checked.unknown:
            unknown = str(checked.unknown)
            self._degradations += (
                Degradation.of("variables", "FORM_FIELD_UNKNOWN", unknown=unknown),
            )
        given = Provenance(support=ValueSupport.FORM)
        self._context.write(checked.values, dict.fromkeys(checked.values, given))
        self.note(checked)
        self._shown = None

    def note(self, checked: Checked) -> None:
        """Note what was written, and what does not fit, without its text."""
        self._values.update(checked.values)
        self._degradations += tuple(
            Degradation.of("variables", "FORM_VALUE_REFUSED", variable=name, trouble=trouble.value)
            for name, trouble in checked.wrong.items()
        )
        self._progress = self._progress.after(checked)

    async def judge_text(self, text: str) -> RoundOutcome:
        """Judge what was written; a value its field does not take is asked for again."""
        context = replace(self._context, reply=text)
        outcome = await talk_round(context, self.brief(), extract=self._from_reply)
        if self._corrects and not outcome.result.completed:
            correction = self.wording.correction(self._progress, wrong_only=True)
            again = OutgoingMessage(message_id=context.make_id("msg"), text=correction)
            outcome = replace(outcome, messages=(*outcome.messages, again))
        return self.with_form(outcome)

    def _from_reply(self, context: RoundContext, reply: TalkReply) -> Extracted:
        if not context.writes:
            tried = _FormRound(context, self.config, self._progress)
            return tried.taken(reply)
        return self.taken(reply)

    def taken(self, reply: TalkReply) -> Extracted:
        """Take in the values of a reply."""
        checked, found = take_talked(self._context, self.config, reply)
        self.note(checked)
        self._degradations += found.degradations()
        self._corrects = bool(checked.wrong)
        misfit = bool(check_talked(self.config.fields, reply.variables).wrong)
        return replace(self.extracted(), refused=misfit, facts=found.facts())

    def correction(self) -> str:
        """Return what is wrong and what is missing; empty where nothing is."""
        return self.wording.correction(self._progress)

    def extracted(self) -> Extracted:
        """Return what this round took in."""
        return Extracted(
            values=self._values, degradations=self._degradations, complete=self.complete
        )

    def with_form(self, outcome: RoundOutcome) -> RoundOutcome:
        """Return the outcome with the form's memory, and a fresh request where the form changed."""
        facts = self._progress.facts(self.config.fields)
        result = replace(outcome.result, metadata={**outcome.result.metadata, **facts})
        memory = {**outcome.memory, **self._progress.memory()}
        if result.completed:
            return replace(outcome, result=result, memory=memory)
        requested = None if self._progress == self._shown else self._request()
        made = (requested.input_request_id,) if requested else ()
        requests = (*self._requests, *made)[-_REMEMBERED:]
        return replace(
            outcome,
            result=result,
            memory={**memory, "requests": list(requests)},
            requested=requested,
            open_request=requests[-1],
        )

    def _request(self) -> InputRequested:
        value_of = self._context.variables.get
        return InputRequested(
            input_request_id=self._context.make_id("req"),
            kind=Feature.FORM,
            schema=form_schema(self.wording, self._progress, value_of),
            fallback_text=self.wording.invitation(),
        )

    def brief(self) -> Brief:
        """Return the brief of the form as it is now; every field is an output of it."""
        config, progress, comma = self.config, self._progress, self._context.scene.words.comma
        (task, tone), missing = script_text(
            self._context, config.content, self._context.scene.cast.tone
        )
        answered = {*progress.filled, *progress.wrong}
        optional = (e for e in config.fields if not e.required and e.name not in answered)
        return Brief(
            task=task or config.title,
            own_text=config.content if task else config.title,
            tone=tone,
            required=tuple(each.name for each in config.fields if each.required),
            outputs=config.output,
            criteria=config.exit_criteria,
            max_rounds=config.max_rounds,
            metrics=ASK_METRICS,
            missing=missing,
            asked=self._asked(),
            values={
                "form_title": config.title,
                "form_fields": self.wording.field_lines(config.fields),
                "form_missing": comma.join(e.name for e in progress.missing(config.fields)),
                "form_invalid": self.wording.field_lines(progress.refused(config.fields)),
                "form_optional": _labels(optional, comma),
                "form_progress": self.wording.progress_line(progress),
            },
            card={
                "form": {
                    "title": config.title,
                    "fields": [_field(each, progress) for each in config.fields],
                }
            },
        )

    def _asked(self) -> AskedOutputs:
        """Return the fields as they are asked for, what does not fit first."""
        config, progress = self.config, self._progress
        fields = sorted(config.fields, key=lambda each: each.name not in progress.wrong)
        return AskedOutputs(
            outputs=tuple(
                AskedOutput(
                    name=each.name,
                    label=label_of(each),
                    question=self.wording.question(each),
                    required=each.required or each.name in progress.wrong,
                    steps=each.options if each.type is FieldType.SCALE else (),
                    least=int(each.min or 0),
                )
                for each in fields
            ),
            held={name: self._context.variables.get(name) for name in progress.filled},
            by_item=True,
        )


def _labels(fields: Iterable[FormField], comma: str) -> str:
    return comma.join(label_of(each) for each in fields)


def _field(each: FormField, progress: FormProgress) -> dict[str, JsonValue]:
    wrong = progress.wrong.get(each.name)
    state = wrong.value if wrong else "filled" if each.name in progress.filled else "open"
    return {
        "name": each.name,
        "label": label_of(each),
        "type": each.type.value,
        "options": list(each.options),
        "min": each.min,
        "max": each.max,
        "required": each.required,
        "state": state,
    }
