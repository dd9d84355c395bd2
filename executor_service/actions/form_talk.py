"""Values of a form that a model took from talk: held against the fields and the client's words."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundContext
from executor_service.actions.extracting import rules_of, write_supported
from executor_service.forms.values import Checked, check_talked
from executor_service.scripts.model.actions import FormConfig
from executor_service.scripts.model.fields import FieldType, FormField, Output
from executor_service.variables.number_words import numbers_in
from executor_service.variables.quotes import LONGEST_QUOTE, Claim, Rules, Supported
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.model.reply.typed_replies import TalkReply
from heartrule.model.template_filling import render_value


def take_talked(
    context: RoundContext, config: FormConfig, reply: TalkReply
) -> tuple[Checked, Supported]:
    """Write what fits its field and the client said; return what became of the values."""
    checked = check_talked(config.fields, reply.variables)
    outputs = list(map(_claimed, config.fields, config.output))
    claims = [
        Claim.of(each, value, reply.variables[name], reply.quotes.get(name))
        for each in outputs
        if (value := checked.values.get(name := each.get)) is not None
    ]
    rules = rules_of(context, outputs)
    found = write_supported(context, claims, rules)
    wrong = {n: t for n, t in checked.wrong.items() if _was_said(reply, n, rules)}
    invented: dict[str, JsonValue] = {
        name: {"value": render_value(reply.variables[name])[:LONGEST_QUOTE], "quote": ""}
        for name in checked.wrong.keys() - wrong.keys()
    }
    found = replace(found, unsupported={**found.unsupported, **invented})
    return replace(checked, values=found.values, wrong=wrong), found


def _was_said(reply: TalkReply, name: str, rules: Rules) -> bool:
    """Return whether a value that does not fit is the client's: nobody corrects another's."""
    text, words = render_value(reply.variables[name]), rules.words
    number = any(map(words.newest_have_number, numbers_in(text)))
    return number or words.hold(reply.quotes.get(name) or text) or not rules.quotes_asked


def _claimed(field: FormField, output: Output) -> Output:
    """Return a field as the output its value is checked as: a scale's step is a choice of words."""
    worded = field.type is FieldType.SCALE and field.options
    return replace(output, type=OutputType.CHOICE) if worded else output
