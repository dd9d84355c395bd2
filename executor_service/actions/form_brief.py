"""What a prompt is told of a form: its fields, and how far it is filled."""

from __future__ import annotations

from executor_service.actions.context import RoundContext
from executor_service.actions.prompting import Brief, script_text
from executor_service.forms.progress import FormProgress
from executor_service.forms.wording import field_lines, label_of, progress_line
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FormField
from heartrule.domain.json_value import JsonValue


def form_brief(context: RoundContext, config: FormConfig, progress: FormProgress) -> Brief:
    """Return the brief of a form as it stands; every field is an output of it."""
    (task, tone), missing = script_text(context, config.content, context.scene.tone)
    optional = [
        each
        for each in config.fields
        if not each.required and each.name not in {*progress.filled, *progress.wrong}
    ]
    return Brief(
        task=task or config.title,
        tone=tone,
        required=tuple(each.name for each in config.fields if each.required),
        outputs=config.output,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        missing=missing,
        values={
            "form_title": config.title,
            "form_fields": field_lines(config.fields),
            "form_missing": _labels(progress.missing(config.fields)),
            "form_invalid": field_lines(progress.refused(config.fields)),
            "form_optional": _labels(optional),
            "form_progress": progress_line(config, progress),
        },
        card={"form": _card(config, progress)},
    )


def _labels(fields: tuple[FormField, ...] | list[FormField]) -> str:
    return "、".join(label_of(each) for each in fields)


def _card(config: FormConfig, progress: FormProgress) -> dict[str, JsonValue]:
    return {
        "title": config.title,
        "fields": [_field(each, progress) for each in config.fields],
    }


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
