"""How the rehearsal model fills a form: field by field, or several values in one reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.observations import Mood
from heartrule.model.rehearsal.phrases import join, line, thanks
from heartrule.model.rehearsal.talk import NO_ANSWER, ask_reply, softened
from heartrule.model.rehearsal.task import FieldSpec, OutputSpec, Task
from heartrule.model.rehearsal.values import Taken, take
from heartrule.model.rehearsal.words import Sounds, sounds_like

_BETWEEN = re.compile(r"[\s，,、;；]+")
_STOPS = ("不想填", "不填了", "不要填", "don't want to fill", "stop the form")


def fill(task: Task) -> dict[str, JsonValue]:
    """Return the reply of fill_form: the first open field is asked for, its answer taken."""
    wanted = [field for field in task.fields if field.required and field.state != "filled"]
    if task.stage == "opening":
        content = join(task, task.task or line(task, "say_more"), _question(task, wanted))
        return ask_reply(task, content=softened(task, content), mood=None)
    if any(phrase in task.user_input.lower() for phrase in _STOPS):
        stopped = ask_reply(task, content=line(task, "stop"), mood=Mood.REFUSED)
        return stopped | {"EXIT": "YES"}
    sounds = sounds_like(task.user_input)
    values = _values(task.user_input, wanted)
    if not values and sounds is not Sounds.ANSWER:
        mood, lead = NO_ANSWER[sounds]
        asked = line(task, "leave_it") if task.last_round else _question(task, wanted)
        content = asked if task.last_round else join(task, line(task, lead), asked)
        return ask_reply(task, content=softened(task, content), mood=mood)
    left = [field for field in wanted if field.name not in values]
    return _reply(task, values, left)


def _reply(
    task: Task, values: Mapping[str, JsonValue], left: list[FieldSpec]
) -> dict[str, JsonValue]:
    taken = Taken(values=values, missing=())
    if not left:
        content = join(task, thanks(task), line(task, "go_on"))
        return ask_reply(task, content=content, mood=Mood.ANSWERED, taken=taken)
    ends = line(task, "leave_it") if task.last_round else _question(task, left, again=not values)
    content = join(task, thanks(task) if values else "", ends)
    return ask_reply(task, content=softened(task, content), mood=Mood.PARTIAL, taken=taken)


def _question(task: Task, wanted: Sequence[FieldSpec], *, again: bool = False) -> str:
    """Return the question for the first field that is wanted, with its place in the form."""
    if not wanted:
        return ""
    field = wanted[0]
    place = f"（{task.fields.index(field) + 1}/{len(task.fields)}）"
    choices = _choices(task, field)
    if task.chinese:
        lead = "这一项要再说清楚一点。" if again or field.state not in {"open", "filled"} else ""
        return f"{lead}{place}{field.label}{f'：{choices}' if choices else '？'}"
    lead = "Once more, please. " if again or field.state not in {"open", "filled"} else ""
    return f"{lead}({place[1:-1]}) {field.label}{f': {choices}' if choices else '?'}"


def _choices(task: Task, field: FieldSpec) -> str:
    """Return what may be answered, as the form says it."""
    comma = "，" if task.chinese else ", "
    if field.type == "choice":
        return comma.join(field.options)
    if field.type == "scale" and field.options:
        first = int(field.min or 0)
        return comma.join(f"{step} {word}" for step, word in enumerate(field.options, first))
    if field.min is not None and field.max is not None:
        return f"{field.min:g}–{field.max:g}"
    if field.type == "boolean":
        return "是或否" if task.chinese else "yes or no"
    return "例如 2020-05-01" if task.chinese and field.type == "date" else ""


def _values(words: str, wanted: Sequence[FieldSpec]) -> dict[str, JsonValue]:
    """Return the values of a reply: one for each piece where all fit, else one for all of it."""
    pieces = [piece for piece in _BETWEEN.split(words) if piece]
    if 1 < len(pieces) <= len(wanted):
        each = [_value(piece, field) for piece, field in zip(pieces, wanted, strict=False)]
        if all(value is not None for value in each) and not _is_prose(wanted[: len(pieces)]):
            return {field.name: value for field, value in zip(wanted, each, strict=False)}
    if not wanted:
        return {}
    value = _value(words, wanted[0])
    return {} if value is None else {wanted[0].name: value}


def _is_prose(fields: Sequence[FieldSpec]) -> bool:
    return any(field.type == "text" for field in fields)


def _value(words: str, field: FieldSpec) -> JsonValue:
    """Return the value of a field in somebody's words; None where it would not fit."""
    if field.type == "text" and sounds_like(words) is not Sounds.ANSWER:
        return None
    if field.type == "scale":
        named = take(words, (OutputSpec(name="step", type="choice", options=field.options),))
        if "step" in named.values:
            return int(field.min or 0) + field.options.index(str(named.values["step"]))
    kind = "integer" if field.type == "scale" else field.type
    output = OutputSpec(name="value", type=kind, options=field.options)
    value = take(words, (output,)).values.get("value")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = field.min is not None and value < field.min
        high = field.max is not None and value > field.max
        return None if low or high else value
    return value
