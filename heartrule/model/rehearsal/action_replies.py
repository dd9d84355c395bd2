"""Replies of the rehearsal model to actions: ask, say, fill a form, think."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.lines import join, line, thanks
from heartrule.model.rehearsal.task import FieldSpec, OutputSpec, PromptTask
from heartrule.model.rehearsal.words import (
    Sounds,
    asks_back,
    confused,
    is_heavy,
    sounds_like,
    take,
    take_fields,
    understood,
)
from heartrule.model.reply.contract import ASK_METRICS, SAY_METRICS

Reply = dict[str, JsonValue]
#: Fields that a reply of a talk has where it ends the action.
ON_EXIT = frozenset({"BRIEF", "exit_reason"})

# By what a round came to: the suggestion, and the level of understanding.
_JUDGED: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "": ("continue_needed", 0),
        "answered": ("completed", 85),
        "partial": ("continue_needed", 60),
        "refused": ("blocked", 40),
        "off_topic": ("off_topic", 50),
        "empty": ("continue_needed", 50),
        "confused": ("continue_needed", 35),
    }
)
_STOPS = ("不想填", "不填了", "不要填", "don't want to fill", "stop the form")
_NO_MORE = re.compile(r"没有?(别|其他)?的?人?了|就这些|no more|nothing else|that's all")
_ADDS = ("相加", "总分", "add up", "the sum")
_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_QUOTED = 200  # characters of words that are repeated: enough to recognise them


def ask(task: PromptTask) -> Reply:
    """Return the reply of ai_ask: the question first, later the answer taken as it is."""
    subject = task.task or line(task, "say_more")
    if task.stage == "opening":
        return _gathered(task, "", subject)
    if task.collects and _NO_MORE.search(task.user_input.lower()):
        return _gathered(task, "answered", thanks(task))
    sounds = sounds_like(task.user_input)
    if sounds is not Sounds.ANSWER:
        return _unanswered(task, sounds, subject)
    values = take(task.user_input, task.outputs)
    missing = [output for output in task.outputs if output.name not in values]
    if not task.collects and not missing:
        return _gathered(task, "answered", thanks(task), values)
    more = line(task, "more") if task.collects else _ask_for(task, missing[0])
    more = line(task, "leave_it") if task.last_round else more
    return _gathered(task, "partial", join(task, thanks(task), more), values)


def fill(task: PromptTask) -> Reply:
    """Return the reply of fill_form: the first open field is asked for, its answer taken."""
    wanted = [field for field in task.fields if field.required and field.state != "filled"]
    if task.stage == "opening":
        subject = task.task or line(task, "say_more")
        return _gathered(task, "", join(task, subject, _question(task, wanted)))
    if any(phrase in task.user_input.lower() for phrase in _STOPS):
        return _gathered(task, "refused", line(task, "stop")) | {"EXIT": "YES"}
    sounds = sounds_like(task.user_input)
    values = take_fields(task.user_input, wanted)
    if not values and sounds is not Sounds.ANSWER:
        return _unanswered(task, sounds, _question(task, wanted))
    left = [field for field in wanted if field.name not in values]
    if not left:
        return _gathered(task, "answered", join(task, thanks(task), line(task, "go_on")), values)
    more = line(task, "leave_it") if task.last_round else _question(task, left)
    return _gathered(task, "partial", join(task, thanks(task) if values else "", more), values)


def say(task: PromptTask) -> Reply:
    """Return the reply of ai_say: the text first, later an answer to how it was received."""
    words, subject = task.user_input, task.task or line(task, "say_more")
    lost = confused(words) or asks_back(words)
    if task.stage == "opening":
        return _said(task, "", subject)
    if sounds_like(words) is Sounds.REFUSED and not confused(words) and "知道" not in words:
        return _said(task, "refused", line(task, "stop"))
    if understood(words) and not lost:
        return _said(task, "answered", line(task, "go_on"))
    lead = line(task, "plainer") if task.advice else line(task, "again") if lost else thanks(task)
    if lost:
        return _said(task, "confused", join(task, lead, subject))
    more = line(task, "go_on" if task.last_round else "anything_else")
    return _said(task, "partial", join(task, lead, more))


def think(task: PromptTask) -> Reply:
    """Return the reply of ai_think: a sentence over the inputs for each text, else what they hold.

    Asked for a sum, it adds; a sum with a part missing stays unset.
    """
    known = " ".join(task.inputs.values())
    if any(word in task.task for word in _ADDS):
        parts = task.inputs.values()
        whole = bool(parts) and all(_WHOLE.fullmatch(part) for part in parts)
        known = str(sum(map(int, parts))) if whole else ""
    values = take(known, [output for output in task.outputs if output.type != "text"])
    texts = {each.name: _over_inputs(task) for each in task.outputs if each.type == "text"}
    return {"variables": {**texts, **values}, "BRIEF": line(task, "thought_over")}


def _unanswered(task: PromptTask, came_to: str, question: str) -> Reply:
    if task.last_round:
        return _gathered(task, came_to, line(task, "leave_it"))
    return _gathered(task, came_to, join(task, line(task, came_to), question))


def _gathered(
    task: PromptTask, came_to: str, content: str, values: Mapping[str, JsonValue] | None = None
) -> Reply:
    """Return a reply of ai_ask or fill_form, visibly gentler under a monitor's advice."""
    done = came_to == "answered"
    gentle = line(task, "softer") if task.advice and content != line(task, "stop") else ""
    brief = line(task, f"noted_{came_to}") if came_to else ""
    return {
        "EXIT": "YES" if done else "NO",
        "content": join(task, gentle, content),
        "variables": quoted_values(task, values or {}),
        **judgement(task, came_to, ASK_METRICS),
        "BRIEF": brief,
        "exit_reason": brief if done else "",
    }


def quoted_values(task: PromptTask, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return values with the client's words beside them, where the template asks for these."""
    if task.asks is None or "quotes" not in task.asks:
        return dict(values)
    words = task.user_input
    return {
        name: {"value": value, "quote": words[:_QUOTED] if isinstance(value, str) else words}
        for name, value in values.items()
    }


def _said(task: PromptTask, came_to: str, content: str) -> Reply:
    """Return a reply of ai_say."""
    return {
        "EXIT": "YES" if came_to == "answered" else "NO",
        "content": content,
        "variables": {},
        **judgement(task, came_to, SAY_METRICS),
        "should_exit": False,
    }


def judgement(task: PromptTask, came_to: str, metrics: Sequence[str]) -> Reply:
    """Return what a reply says about the client, in the templates' order."""
    suggestion, level = _JUDGED[came_to]
    note = line(task, f"noted_{came_to}" if came_to else "noted")
    notes: dict[str, JsonValue] = dict.fromkeys(metrics, note)
    if came_to and is_heavy(task.user_input):
        notes["emotional_intensity"] = line(task, "noted_heavy")
    judged: Reply = {"metrics": notes, "progress_suggestion": suggestion}
    if task.asks is None or "assessment" in task.asks:
        questions = came_to == "confused"
        judged["assessment"] = {"understanding_level": level, "has_questions": questions}
    return judged


def _question(task: PromptTask, wanted: Sequence[FieldSpec]) -> str:
    """Return the question for the first field that is wanted, with its place in the form."""
    if not wanted:
        return ""
    field = wanted[0]
    place = f"{task.fields.index(field) + 1}/{len(task.fields)}"
    label, choices = field.label or field.name, _choices(field, task.in_language("，|, "))
    if task.chinese:
        return f"（{place}）{label}{f'：{choices}' if choices else '？'}"
    return f"({place}) {label}{f': {choices}' if choices else '?'}"


def _choices(field: FieldSpec, comma: str) -> str:
    """Return what may be answered, in the form's words."""
    if field.type == "scale" and field.options:
        first = int(field.min or 0)
        return comma.join(f"{step} {word}" for step, word in enumerate(field.options, first))
    if field.min is not None and field.max is not None:
        return f"{field.min:g}–{field.max:g}"
    return comma.join(field.options)


def _over_inputs(task: PromptTask) -> str:
    known = {name: " ".join(text.split())[:_QUOTED] for name, text in task.inputs.items() if text}
    if not known:
        return task.in_language("目前还没有可以整理的内容。|Nothing is known yet.")
    if task.chinese:
        return f"目前了解到：{'；'.join(f'{name}是「{text}」' for name, text in known.items())}。"
    return f"Known so far: {'; '.join(f'{name} is {text!r}' for name, text in known.items())}."


def _ask_for(task: PromptTask, output: OutputSpec) -> str:
    """Return the question for a value that was not found in the words."""
    if output.type != "choice":
        return line(task, "number" if output.type in {"number", "integer"} else "say_more")
    if task.chinese:
        return f"下面哪一个最接近：{'、'.join(output.options)}？"
    return f"Which is closest: {', '.join(output.options)}?"
