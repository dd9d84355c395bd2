"""Lines of a prompt about outputs: which are asked for, and which answers are confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.scripts.model.fields import Output
from heartrule.domain.skipping import KnownAnswer
from heartrule.model.quoting import continued
from heartrule.model.template_filling import render_value


def output_list(outputs: Sequence[Output]) -> str:
    """Return the outputs, one line each, with type, options and how to recognise them."""
    lines = []
    for output in outputs:
        options = f"，只能是：{'、'.join(output.options)}" if output.options else ""
        define = f"：{output.define}" if output.define else ""
        lines.append(f"- {output.get}（{output.type.value}{options}）{define}")
    return "\n".join(lines)


def confirmation_line(answers: Sequence[KnownAnswer]) -> str:
    """Return what an opening says about questions that were not put; empty for none."""
    if not answers:
        return ""
    known = "；".join(f"{each.variable}：{render_value(each.value)}" for each in answers)
    return f"来访者先前已经说过这些，不再问：{continued(known)}。先用半句话确认，听错了对方会更正。"
