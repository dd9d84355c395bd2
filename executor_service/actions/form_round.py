"""One round of a form: what came in, what was written, and which request stays open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.forms import wording
from executor_service.forms.progress import FormProgress, names, remembered
from executor_service.forms.schema import form_schema
from executor_service.forms.values import Checked, check_submission
from executor_service.scripts.model.actions import FormConfig
from heartrule.domain.conversation import Feature
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Degradation

#: Requests of one action of which a late answer still counts.
_REMEMBERED = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FormInputs:
    """A client's inputs, the forms among them apart."""

    text: str
    """The text of the inputs; also what stands for a form that is none of this action's."""
    submitted: tuple[Mapping[str, JsonValue], ...] = ()
    """Values of each form, in order."""


def form_inputs(context: RoundContext, requests: tuple[str, ...]) -> FormInputs:
    """Return what the inputs of a round hold; `requests` are those this action has made."""
    if not context.inputs:
        return FormInputs(text=context.reply or "")
    texts, submitted = [], []
    for message in context.inputs:
        for part in message.parts:
            if part.form is not None and message.input_request_id in requests:
                submitted.append(part.form.values)
            else:
                texts.append(part.plain_text())
    return FormInputs(text="\n".join(texts), submitted=tuple(submitted))


class FormRound:
    """The form of one action in one round; what it takes in is written at once."""

    def __init__(self, context: RoundContext, config: FormConfig) -> None:
        """Begin where the action's memory left off."""
        memory = context.instance.memory
        self._context = context
        self.config = config
        self.progress = remembered(memory)
        self.requests = names(memory.get("requests"))
        self.values: dict[str, JsonValue] = {}
        self.degradations: tuple[Degradation, ...] = ()
        self._before: FormProgress | None = self.progress if self.requests else None

    @property
    def complete(self) -> str:
        """In texts that the form is filled in; empty while it is not."""
        done = self.progress.complete(self.config.fields)
        return wording.completed(self.config) if done else ""

    def submit(self, values: Mapping[str, JsonValue]) -> None:
        """Take in a submitted form; the next request shows its state."""
        checked = check_submission(self.config.fields, values)
        if checked.unknown:
            metadata = {"unknown": str(checked.unknown)}
            unknown = Degradation(stage="variables", reason="FORM_FIELD_UNKNOWN", metadata=metadata)
            self.degradations += (unknown,)
        self.take(checked)
        self._before = None

    def take(self, checked: Checked) -> None:
        """Write what fits, and note what does not; neither repeats what stood there."""
        context = self._context
        for name, value in checked.values.items():
            context.variables.write(
                name, value, action_id=context.action.action_id, now=context.scene.now
            )
        self.values.update(checked.values)
        self.degradations += tuple(
            Degradation(
                stage="variables",
                reason="FORM_VALUE_REFUSED",
                metadata={"variable": name, "trouble": trouble.value},
            )
            for name, trouble in checked.wrong.items()
        )
        self.progress = self.progress.after(checked)

    def correction(self, *, wrong_only: bool = False) -> str:
        """Return what is wrong and what is missing; empty where nothing is."""
        return wording.correction(self.config, self.progress, wrong_only=wrong_only)

    def facts(self) -> dict[str, JsonValue]:
        """Return what the result records of the form."""
        return self.progress.facts(self.config.fields)

    def going_on(self, outcome: RoundOutcome) -> RoundOutcome:
        """Return the outcome with the form's memory, and a fresh request where the form changed."""
        result = replace(outcome.result, metadata={**outcome.result.metadata, **self.facts()})
        if result.completed:
            memory = {**outcome.memory, **self.progress.memory()}
            return replace(outcome, result=result, memory=memory)
        requested = None if self.progress == self._before else self._request()
        made = (requested.input_request_id,) if requested else ()
        requests = (*self.requests, *made)[-_REMEMBERED:]
        return replace(
            outcome,
            result=result,
            memory={**outcome.memory, **self.progress.memory(), "requests": list(requests)},
            requested=requested,
            open_request=requests[-1],
        )

    def _request(self) -> InputRequested:
        value_of = self._context.variables.get
        return InputRequested(
            input_request_id=self._context.make_id("req"),
            kind=Feature.FORM,
            schema=form_schema(self.config, self.progress, value_of),
            fallback_text=wording.invitation(self.config),
        )
