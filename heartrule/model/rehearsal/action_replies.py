"""Replies of the rehearsal model to actions: ask, say, fill a form, think."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import FieldSpec, OutputSpec, PromptTask
from heartrule.model.rehearsal.words import (
    Sounds,
    asks_back,
    confused,
    is_dangerous,
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

# By what a round came to: the suggestion, the level of understanding, and the one sentence that
# serves as summary and as every metric.
_NOTES: Mapping[str, tuple[str, int, str]] = MappingProxyType(
    {
        "answered": ("completed", 85, "来访者回答了问题|the client answered"),
        "partial": ("continue_needed", 60, "来访者回答了一部分|the client answered in part"),
        "refused": ("blocked", 40, "不愿多说，有些回避，投入度低|reluctant, engagement is low"),
        "off_topic": ("off_topic", 50, "来访者在说别的事|the client talks about something else"),
        "empty": ("continue_needed", 50, "来访者还没有说出内容|the client said nothing yet"),
        "confused": ("continue_needed", 35, "来访者还没有听懂|the client did not follow it yet"),
        "": ("continue_needed", 0, "尚未评估|not yet"),
    }
)
NO_ANSWER: Mapping[Sounds, str] = MappingProxyType(
    {Sounds.REFUSAL: "refused", Sounds.OFF_TOPIC: "off_topic", Sounds.EMPTY: "empty"}
)
_STOPS = ("不想填", "不填了", "不要填", "don't want to fill", "stop the form")
_NO_MORE = re.compile(r"没有?(别|其他)?的?人?了|就这些|no more|nothing else|that's all")
_ADDS = ("相加", "总分", "add up", "the sum")
_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_QUOTED = 200  # characters of words that are repeated: enough to recognise them

# Nothing here repeats a client's words, so nothing unsafe is echoed.
_LINES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "thanks": ("嗯，我听到了。|好，我记下了。", "Thank you for that.|I see, thank you."),
        "heavy": ("我听到了，这确实不好受。", "I hear you, that cannot be easy."),
        "danger": (
            "谢谢你说出来，你的安全最要紧，请先联系身边信得过的人。",
            "Thank you for saying it. Your safety comes first: please reach someone you trust.",
        ),
        "softer": ("没关系，我们可以慢一点。", "That's all right, we can take it slowly."),
        "plainer": ("我换个更贴近生活的说法。", "Let me put it more simply."),
        "refused": (
            "不着急，想到哪里说到哪里。|这确实不太好开口，怎么说都行。",
            "There is no hurry, start wherever you like.|Even a little is enough.",
        ),
        "leave_it": ("这个问题我们先放一放。", "Let us leave this for now."),
        "off_topic": (
            "这个我先记着，我们先回到刚才的问题。",
            "Let us keep that for later and come back to the question.",
        ),
        "empty": ("我在听，慢慢来。", "I am listening, take your time."),
        "say_more": ("可以再多说一点吗？", "Could you say a little more?"),
        "go_on": ("好，那我们接着往下走。", "Good, let us go on."),
        "again": ("没关系，我再说一遍，慢一点。", "No problem, let me say it again, slowly."),
        "stop": ("好，不想听也没关系，我们随时可以停。", "That's fine, we can stop at any time."),
        "anything_else": ("刚才说的，你觉得怎么样？", "Is there anything you would like to ask?"),
        "more": ("还有别的吗？", "Is there anything else?"),
        "number": ("大概是多少呢？说一个数字就好。", "About how much? A number is enough."),
    }
)


def ask(task: PromptTask) -> Reply:
    """Return the reply of ai_ask: the question first, later the answer taken as it is."""
    subject = task.task or line(task, "say_more")
    if task.stage == "opening":
        return _gathered(task, "", subject)
    if task.collects and _NO_MORE.search(task.user_input.lower()):
        return _gathered(task, "answered", thanks(task))
    sounds = sounds_like(task.user_input)
    if sounds is not Sounds.ANSWER:
        return _unanswered(task, NO_ANSWER[sounds], subject)
    values = take(task.user_input, task.outputs)
    if task.collects:
        more = line(task, "leave_it" if task.last_round else "more")
        return _gathered(task, "partial", join(task, thanks(task), more), values)
    missing = [output for output in task.outputs if output.name not in values]
    if not missing:
        return _gathered(task, "answered", thanks(task), values)
    more = line(task, "leave_it") if task.last_round else ask_for(task, missing[0])
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
        return _unanswered(task, NO_ANSWER[sounds], _question(task, wanted))
    left = [field for field in wanted if field.name not in values]
    if not left:
        return _gathered(task, "answered", join(task, thanks(task), line(task, "go_on")), values)
    more = line(task, "leave_it") if task.last_round else _question(task, left)
    return _gathered(task, "partial", join(task, thanks(task) if values else "", more), values)


def say(task: PromptTask) -> Reply:
    """Return the reply of ai_say: the text first, later an answer to how it was received."""
    words, subject = task.user_input, task.task or line(task, "say_more")
    if task.stage == "opening":
        return _said(task, "", subject)
    if sounds_like(words) is Sounds.REFUSAL and not confused(words) and "知道" not in words:
        return _said(task, "refused", line(task, "stop"))
    if understood(words) and not asks_back(words):
        return _said(task, "answered", line(task, "go_on"))
    if confused(words) or asks_back(words):
        lead = line(task, "plainer" if task.advice else "again")
        return _said(task, "confused", join(task, lead, subject))
    lead = line(task, "plainer") if task.advice else thanks(task)
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
    brief = task.in_language("依据给出的资料整理|put together from what was given")
    return {"variables": {**texts, **values}, "BRIEF": brief}


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
    brief = task.in_language(_NOTES[came_to][-1]) if came_to else ""
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
    suggestion, level, note = _NOTES[came_to]
    notes: dict[str, JsonValue] = dict.fromkeys(metrics, task.in_language(note))
    if came_to and is_heavy(task.user_input):
        notes["emotional_intensity"] = task.in_language("用词沉重，情绪明显|heavy words")
    judgement: Reply = {"metrics": notes, "progress_suggestion": suggestion}
    if task.asks is None or "assessment" in task.asks:
        questions = came_to == "confused"
        judgement["assessment"] = {"understanding_level": level, "has_questions": questions}
    return judgement


def _question(task: PromptTask, wanted: Sequence[FieldSpec]) -> str:
    """Return the question for the first field that is wanted, with its place in the form."""
    if not wanted:
        return ""
    field = wanted[0]
    place = f"{task.fields.index(field) + 1}/{len(task.fields)}"
    label, choices = field.label or field.name, _choices(task, field)
    if task.chinese:
        return f"（{place}）{label}{f'：{choices}' if choices else '？'}"
    return f"({place}) {label}{f': {choices}' if choices else '?'}"


def _choices(task: PromptTask, field: FieldSpec) -> str:
    """Return what may be answered, in the form's words."""
    comma = "，" if task.chinese else ", "
    if field.type == "scale" and field.options:
        first = int(field.min or 0)
        return comma.join(f"{step} {word}" for step, word in enumerate(field.options, first))
    if field.min is not None and field.max is not None:
        return f"{field.min:g}–{field.max:g}"
    return comma.join(field.options)


def _over_inputs(task: PromptTask) -> str:
    known = {name: " ".join(text.split())[:_QUOTED] for name, text in task.inputs.items() if text}
    if not known:
        return "目前还没有可以整理的内容。" if task.chinese else "Nothing is known yet."
    if task.chinese:
        return f"目前了解到：{'；'.join(f'{name}是「{text}」' for name, text in known.items())}。"
    return f"Known so far: {'; '.join(f'{name} is {text!r}' for name, text in known.items())}."


def line(task: PromptTask, name: str) -> str:
    """Return the sentence of that name; the next round has another one where there are two."""
    choices = _LINES[name][0 if task.chinese else 1].split("|")
    return choices[task.round % len(choices)]


def thanks(task: PromptTask) -> str:
    """Return the acknowledgement of an answer, graver when the answer is grave."""
    if is_dangerous(task.user_input):
        return line(task, "danger")
    return line(task, "heavy" if is_heavy(task.user_input) else "thanks")


def ask_for(task: PromptTask, output: OutputSpec) -> str:
    """Return the question for a value that was not found in the words."""
    if output.type != "choice":
        return line(task, "number" if output.type in {"number", "integer"} else "say_more")
    if task.chinese:
        return f"下面哪一个最接近：{'、'.join(output.options)}？"
    return f"Which is closest: {', '.join(output.options)}?"


def join(task: PromptTask, *parts: str) -> str:
    """Return the sentences as one text, spaced by the language's rule."""
    return ("" if task.chinese else " ").join(part for part in parts if part)
