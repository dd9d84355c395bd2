"""How the rehearsal model asks, says and thinks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.observations import Mood, metrics, suggestion, unjudged_metrics
from heartrule.model.rehearsal.phrases import ask_for, join, line, thanks
from heartrule.model.rehearsal.task import Task
from heartrule.model.rehearsal.values import Taken, take
from heartrule.model.rehearsal.words import (
    Sounds,
    asks_back,
    confused,
    knows_not,
    sounds_like,
    understood,
)

NO_ANSWER: Mapping[Sounds, tuple[Mood, str]] = MappingProxyType(
    {
        Sounds.REFUSAL: (Mood.REFUSED, "refused"),
        Sounds.OFF_TOPIC: (Mood.OFF_TOPIC, "off_topic"),
        Sounds.EMPTY: (Mood.EMPTY, "empty"),
    }
)
"""How a reply that answers nothing is noted and met."""
_ADDS = ("相加", "总分", "add up", "the sum")
_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
_QUOTED = 200
"""Characters of an input that ai_think repeats."""


def ask(task: Task) -> dict[str, JsonValue]:
    """Return the reply of ai_ask: the question first, later the answer taken as it is."""
    if task.stage == "opening":
        return ask_reply(task, content=softened(task, _subject(task)), mood=None)
    sounds = sounds_like(task.user_input)
    if sounds is Sounds.ANSWER:
        return _judged_answer(task, take(task.user_input, task.outputs))
    mood, lead = NO_ANSWER[sounds]
    if task.last_round:
        return ask_reply(task, content=softened(task, line(task, "leave_it")), mood=mood)
    content = join(task, line(task, lead), _subject(task))
    return ask_reply(task, content=softened(task, content), mood=mood)


def say(task: Task) -> dict[str, JsonValue]:
    """Return the reply of ai_say: the text first, later an answer to how it was received."""
    if task.stage == "opening":
        return _say_reply(task, content=_subject(task), mood=None, level=0, questions=False)
    words = task.user_input
    if sounds_like(words) is Sounds.REFUSAL and not (confused(words) or knows_not(words)):
        return _say_reply(
            task, content=line(task, "stop"), mood=Mood.REFUSED, level=40, questions=False
        )
    if understood(words) and not asks_back(words):
        content = line(task, "go_on")
        return _say_reply(task, content=content, mood=Mood.ANSWERED, level=85, questions=False)
    if confused(words) or asks_back(words):
        name = "again" if confused(words) else "asked"
        content = join(task, line(task, "plainer" if task.advice else name), _subject(task))
        return _say_reply(task, content=content, mood=Mood.CONFUSED, level=35, questions=True)
    lead = line(task, "plainer") if task.advice else thanks(task)
    content = join(task, lead, line(task, "go_on" if task.last_round else "anything_else"))
    return _say_reply(task, content=content, mood=Mood.OPEN, level=60, questions=False)


def think(task: Task) -> dict[str, JsonValue]:
    """Return the reply of ai_think: a fixed sentence over the inputs for every text output.

    Asked for a sum, it adds; a sum with a part missing stays unset.
    """
    known = " ".join(task.inputs.values())
    sentence = _over_inputs(task)
    if any(word in task.task for word in _ADDS):
        known = _sum(task)
    taken = take(known, [output for output in task.outputs if output.type != "text"])
    texts = {output.name: sentence for output in task.outputs if output.type == "text"}
    brief = "依据给出的资料整理" if task.chinese else "put together from what was given"
    return {"variables": {**texts, **taken.values}, "BRIEF": brief}


def _sum(task: Task) -> str:
    parts = list(task.inputs.values())
    if not parts or not all(_WHOLE.fullmatch(part) for part in parts):
        return ""
    return str(sum(map(int, parts)))


def _judged_answer(task: Task, taken: Taken) -> dict[str, JsonValue]:
    if not taken.missing:
        content, mood = thanks(task), Mood.ANSWERED
    elif task.last_round:
        content, mood = join(task, thanks(task), line(task, "leave_it")), Mood.PARTIAL
    else:
        content, mood = join(task, thanks(task), ask_for(task, taken.missing[0])), Mood.PARTIAL
    return ask_reply(task, content=softened(task, content), mood=mood, taken=taken)


def _subject(task: Task) -> str:
    """Return the script's own question or text; a reply always says something."""
    return task.task or line(task, "say_more")


def softened(task: Task, content: str) -> str:
    """Return the content, visibly gentler when the prompt carries a monitor's advice."""
    return join(task, line(task, "softer"), content) if task.advice else content


def ask_reply(
    task: Task, *, content: str, mood: Mood | None, taken: Taken | None = None
) -> dict[str, JsonValue]:
    """Return a reply of ai_ask or fill_form; without a mood it opens and judges nothing."""
    done = mood is Mood.ANSWERED
    reply: dict[str, JsonValue] = {
        "EXIT": "YES" if done else "NO",
        "content": content,
        "BRIEF": "" if mood is None else _brief(task, mood),
        "variables": {} if taken is None else dict(taken.values),
        "metrics": unjudged_metrics(task) if mood is None else metrics(task, mood),
        "progress_suggestion": suggestion(mood or Mood.OPEN),
    }
    if task.wants("assessment"):
        reply["assessment"] = {"understanding_level": 85 if done else 50, "has_questions": False}
    reply["exit_reason"] = _brief(task, Mood.ANSWERED) if done else ""
    return reply


def _say_reply(
    task: Task, *, content: str, mood: Mood | None, level: int, questions: bool
) -> dict[str, JsonValue]:
    reply: dict[str, JsonValue] = {
        "EXIT": "YES" if mood is Mood.ANSWERED else "NO",
        "content": content,
        "metrics": unjudged_metrics(task) if mood is None else metrics(task, mood),
        "progress_suggestion": suggestion(mood or Mood.OPEN),
    }
    if task.wants("assessment"):
        reply["assessment"] = {"understanding_level": level, "has_questions": questions}
    return reply | {"should_exit": False}


def _brief(task: Task, mood: Mood) -> str:
    if mood is Mood.ANSWERED:
        return "来访者回答了问题" if task.chinese else "the client answered"
    if mood is Mood.REFUSED:
        return "来访者暂时不想谈" if task.chinese else "the client would rather not talk about it"
    return "来访者作了回应" if task.chinese else "the client reacted"


def _over_inputs(task: Task) -> str:
    known = {name: _short(value) for name, value in task.inputs.items() if value.strip()}
    if not known:
        return "目前还没有可以整理的内容。" if task.chinese else "Nothing is known yet."
    if task.chinese:
        return f"目前了解到：{'；'.join(f'{name}是「{value}」' for name, value in known.items())}。"
    return f"Known so far: {'; '.join(f'{name} is {value!r}' for name, value in known.items())}."


def _short(value: str) -> str:
    plain = " ".join(value.split())
    return plain if len(plain) <= _QUOTED else f"{plain[:_QUOTED]}…"
