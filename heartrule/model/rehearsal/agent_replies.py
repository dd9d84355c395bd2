"""Replies of the rehearsal model to an agent: what the client's words ask for, one step at a time.

A few phrases stand for each kind of decision, so that every way through the gate can be shown
without a key: the drafts are always the same, and a wrong one is wrong on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.action_replies import (
    NO_ANSWER,
    Reply,
    judgement,
    line,
    quoted_values,
    thanks,
)
from heartrule.model.rehearsal.agent_drafts import a_change, a_node, a_plan
from heartrule.model.rehearsal.task import PromptTask
from heartrule.model.rehearsal.words import is_dangerous, sounds_like, take
from heartrule.model.reply.contract import ASK_METRICS

_Step: TypeAlias = tuple[str, list[Reply]]
"""An intent, and the decisions that answer it."""
_PLAN, _CONTINUE, _REJECTED = "create_workflow_plan", "continue", "rejected"
_RUN, _SPAWN = "execute_workflow", "spawn_subagent"
_DRAFTS = frozenset({_PLAN, "create_node", "modify_node"})
_GREETINGS = frozenset({"open", "greeting"})
# What is said behind a run that completed, by the decision that began it.
_CAME_OF: Mapping[str, str] = MappingProxyType({_RUN: "ran", _SPAWN: "found"})
# Thoughts before an answer that the client asked to be thought over.
_THOUGHTS = 2

#: What is wanted → words that ask for it, in the order in which they are looked for.
_ASKS_FOR: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "think": re.compile(r"想(一?想|清楚)再|think (it over|twice)"),
        "never_right": re.compile(r"怎么改都不对|never right"),
        "circle": re.compile(r"绕圈|in a circle"),
        "ask_first": re.compile(r"先问我|ask me first"),
        "change": re.compile(r"(改|调)(成|为|到|高|低)|\bchange\b"),
        "run": re.compile(r"^(现在)?(运行|跑)|再(运行|跑)一(次|遍)|\brun it\b"),
        "research": re.compile(r"查(一查|资料|查看)|\blook (it|this) up\b|\bresearch\b"),
        "node": re.compile(r"加一步|add a step"),
        "plan": re.compile(r"工作流|流程|起草|\b(draft|workflow)\b"),
        "unclear": re.compile(r"分析(一下)?数据|不知道从哪|analy[sz]e (the |my )?data"),
        "end": re.compile(r"谢谢|再见|先这样|\b(thanks?|thank you|bye|that's all)\b"),
        "greeting": re.compile(r"^(你好|您好|嗨|hi\b|hello\b)"),
    }
)
#: What it says; where there are several, another one each round, as nobody repeats itself.
_SAYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "open": (
            "你好，我在这里，想从哪里说起都可以。|Hello, I am here. Start wherever you like.",
        ),
        "greeting": (
            (
                "你好，很高兴见到你，今天想谈点什么？"
                "|Hello, good to see you. What would you like to talk about today?"
            ),
        ),
        "talk": (
            "嗯，我听到了，后来呢？|I see. And what happened then?",
            (
                "听起来这件事占了不少心思，最挂心的是哪一点？"
                "|That takes up a lot of room. Which part of it weighs most?"
            ),
            "这样过日子不轻松，平时你怎么应对？|That is not easy to live with. How do you cope?",
            "我明白一些了，还有什么想补充的吗？|I understand it better now. Is there more to it?",
        ),
        "thought_out": (
            (
                "我想好了，我们先挑最要紧的一件说。"
                "|I have thought about it: let us take what matters most first."
            ),
        ),
        "create_workflow_plan": (
            (
                "我起草好了，分成几步，还没有运行，你看看要不要改。"
                "|I have drafted it in a few steps, and nothing has run. Tell me what to change."
            ),
        ),
        "create_node": (
            (
                "加好了一步，草稿还没有运行，还要加吗？"
                "|One step is added, and the draft has not run. Shall I add more?"
            ),
        ),
        "modify_node": (
            (
                "改好了，草稿还没有运行，还有哪里要动？"
                "|It is changed, and the draft has not run. What else should be different?"
            ),
        ),
        "ran": (
            (
                "做完了，结果已经记下，你看看合不合适。"
                "|It is done, and the result is noted. Tell me whether it fits."
            ),
        ),
        "found": (
            (
                "查到的在上面，你想先试哪一样？"
                "|What was found is above. Which of it would you like to try first?"
            ),
        ),
        "did_not_run": (
            (
                "这次没有做成，要不要先改一改再来？"
                "|That did not work out. Shall we change it and try again?"
            ),
        ),
        "stuck": (
            (
                "这一步我没有写好，你能换个说法吗？"
                "|I did not get that right. Could you put it another way?"
            ),
            (
                "我还是没有弄对，要不先说说你最想要的结果？"
                "|I still have it wrong. Shall we begin with the result you want?"
            ),
        ),
        "end": ("好，那今天先谈到这里。|Good, let us leave it here for today.",),
        "unclear": ("你想先看哪一样？|Which would you like to look at first?",),
        "choices": ("睡眠,心情,别的|sleep,mood,something else",),
        "thought": ("先弄清楚对方最在意的是什么|First find out what matters most to the client",),
    }
)


def decide(task: PromptTask) -> Reply:
    """Return the reply of ai_agent: its next decisions, by the client's words and what became.

    A decision that the script does not allow is never made: the talk goes on instead.
    """
    wanted = _wanted(task)
    step = _STEPS.get(wanted)
    intent, decisions = _respond(task, wanted) if step is None else step(task)
    allowed = [each for each in decisions if _may(task, each)]
    if not allowed:
        intent, allowed = _respond(task, "talk")
    judged = judgement(task, _came_to(task, wanted), ASK_METRICS)
    return {
        "intent": intent,
        "decisions": [*allowed],
        "variables": _values(task, wanted),
        "metrics": judged["metrics"],
        "progress_suggestion": judged["progress_suggestion"],
    }


def _wanted(task: PromptTask) -> str:
    """Return what the client wants next; within a turn, what follows its last decision."""
    words = task.user_input.lower()
    asked = next((name for name, phrase in _ASKS_FOR.items() if phrase.search(words)), "talk")
    if is_dangerous(words):
        return "danger"
    if not task.decided:
        return "open" if task.stage == "opening" else asked
    last = task.decided[-1]
    if last.state == _REJECTED:
        mends = last.decision_type == _PLAN and asked == "circle"
        return "plan" if mends else asked if asked == "never_right" else "stuck"
    if last.decision_type == _CONTINUE:
        thoughts = sum(each.decision_type == _CONTINUE for each in task.decided)
        return "think" if asked == "think" and thoughts < _THOUGHTS else "thought_out"
    if last.decision_type in _CAME_OF and task.runs:
        is_done = task.runs[-1].state == "completed"
        return _CAME_OF[last.decision_type] if is_done else "did_not_run"
    return last.decision_type if last.decision_type in _DRAFTS else "talk"


def _may(task: PromptTask, decision: Reply) -> bool:
    return not task.allowed or decision["decision_type"] in task.allowed


def _came_to(task: PromptTask, wanted: str) -> str:
    """Return what the round came to, as notes on an ask know it."""
    if wanted == "open":
        return ""
    sounds = sounds_like(task.user_input)
    if wanted == "talk" and sounds in NO_ANSWER:
        return NO_ANSWER[sounds]
    return "answered" if wanted == "end" else "partial"


def _values(task: PromptTask, wanted: str) -> dict[str, JsonValue]:
    """Return outputs that are heard in plain talk; an order to draft something is no answer."""
    if wanted != "talk" or task.decided or _came_to(task, wanted) != "partial":
        return {}
    return quoted_values(task, take(task.user_input, task.outputs))


def _respond(task: PromptTask, says: str) -> _Step:
    intent = "greeting" if says in _GREETINGS else "simple_query"
    return intent, [_spoken(_text(task, says), intent, ends=says == "end")]


def _text(task: PromptTask, name: str) -> str:
    ways = _SAYS[name]
    return task.in_language(ways[(task.round - 1) % len(ways)])


def _spoken(text: str, intent: str, *, ends: bool = False) -> Reply:
    fields: Reply = {"response": text, "intent": intent, "confidence": 0.9}
    return _made("respond", {**fields, "requires_followup": not ends})


def _made(decision_type: str, fields: Reply) -> Reply:
    payload: Reply = {"action_type": decision_type, **fields}
    return {"decision_type": decision_type, "confidence": 0.9, "payload": payload}


def _answer(task: PromptTask) -> _Step:
    """Return the answer to plain talk: gentle where the client holds back."""
    came_to = _came_to(task, "talk")
    if came_to == "partial" or not task.user_input:
        return _respond(task, "talk")
    return "simple_query", [_spoken(line(task, came_to), "simple_query")]


def _ask_back(task: PromptTask) -> _Step:
    fields: Reply = {
        "question": _text(task, "unclear"),
        "options": [*_text(task, "choices").split(",")],
        "required_fields": ["focus"],
        "context": {"partial_intent": "data_analysis"},
    }
    return "unknown", [_made("request_clarification", fields)]


def _think(task: PromptTask) -> _Step:
    thought = _text(task, "thought")
    progress = 0.3 * (1 + len(task.decided))
    return "unknown", [_made(_CONTINUE, {"thought": thought, "progress": min(progress, 1)})]


def _plan(task: PromptTask, *, circle: bool = False) -> _Step:
    return "complex_task", [_made(_PLAN, a_plan(task, circle=circle))]


def _node(task: PromptTask) -> _Step:
    return "complex_task", [_made("create_node", a_node(task))]


def _change(task: PromptTask) -> _Step:
    changed = a_change(task)
    return ("complex_task", [_made("modify_node", changed)]) if changed else _respond(task, "stuck")


def _run(task: PromptTask) -> _Step:
    """Return that the newest workflow is run, and waited for."""
    if not task.workflows:
        return _respond(task, "stuck")
    fields: Reply = {"workflow_id": task.workflows[-1].workflow_id, "execution_mode": "sync"}
    return "workflow_request", [_made(_RUN, fields)]


def _research(task: PromptTask) -> _Step:
    """Return that the first sub-agent is asked, with the client's words as what it takes first."""
    if not task.subagents:
        return _respond(task, "talk")
    asked = task.subagents[0]
    query = dict.fromkeys(asked.takes[:1], task.user_input)
    fields: Reply = {"subagent_type": asked.name, "task_payload": {**query}}
    return "complex_task", [_made(_SPAWN, fields)]


#: What takes more than a text of `_SAYS`.
_STEPS: Mapping[str, Callable[[PromptTask], _Step]] = MappingProxyType(
    {
        "danger": lambda task: ("simple_query", [_spoken(thanks(task), "simple_query")]),
        "think": _think,
        "circle": lambda task: _plan(task, circle=True),
        "never_right": lambda task: _plan(task, circle=True),
        "plan": _plan,
        "node": _node,
        "run": _run,
        "research": _research,
        "change": _change,
        "unclear": _ask_back,
        "ask_first": lambda task: ("unknown", [*_ask_back(task)[1], *_node(task)[1]]),
        "talk": _answer,
    }
)
