"""Lines of a prompt about outputs: which are asked for, and which answers are confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.scripts.model.fields import Output
from heartrule.domain.output_type import OutputType
from heartrule.domain.skipping import KnownAnswer
from heartrule.model.prompt_words import PromptWords
from heartrule.model.quoting import continued
from heartrule.model.template_filling import render_value


def output_list(outputs: Sequence[Output], words: PromptWords) -> str:
    """Return the outputs, one line each: type and options, but of a text, and the definition."""
    lines = []
    for output in outputs:
        listed = words.comma.join(output.options)
        options = words.options.format(options=listed) if listed else ""
        define = f"{words.colon}{output.define}" if output.define else ""
        is_text = output.type is OutputType.TEXT
        kind = "" if is_text else words.brackets.format(text=f"{output.type.value}{options}")
        lines.append(f"- {output.get}{kind}{define}")
    return "\n".join(lines)


def required_some(required: Sequence[str], listed: Sequence[Output], words: PromptWords) -> str:
    """Return the outputs that have to be known; empty where these are all that are listed."""
    return words.comma.join(required) if len(required) < len(listed) else ""


def confirmation_line(answers: Sequence[KnownAnswer], words: PromptWords) -> str:
    """Return what an opening says about questions that were not put; empty for none."""
    if not answers:
        return ""
    said = (f"{each.variable}{words.colon}{render_value(each.value)}" for each in answers)
    return words.confirm.format(known=continued(words.semicolon.join(said)))
