"""Replies of the rehearsal model to an agent: what the client's words ask for, one step at a time.

A few phrases stand for each kind of decision, so that every way through the gate can be shown
without a key: the drafts are always the same, and a wrong one is wrong on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.action_replies import Reply, judgement, quoted_values
from heartrule.model.rehearsal.lines import line, thanks
from heartrule.model.rehearsal.task import PromptTask
from heartrule.model.rehearsal.words import Sounds, is_dangerous, sounds_like, take
from heartrule.model.reply.contract import ASK_METRICS

_PLAN, _NODE, _CHANGE = "create_workflow_plan", "create_node", "modify_node"
_CONTINUE, _RUN, _SPAWN = "continue", "execute_workflow", "spawn_subagent"
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
_INTENTS: Mapping[str, str] = MappingProxyType(
    {_CONTINUE: "unknown", "request_clarification": "unknown", _RUN: "workflow_request"}
)

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# Above this an answer is freer than the document's own example asks for.
_FREER = 0.9
_LLM = "LLM"
# Steps of the sales workflow of document 002: type, name, what it gives, configuration, in which
# `${before}` is what the step before gave.
_STEPS: tuple[tuple[str, str, str, str, str], ...] = (
    ("DATABASE", "获取销售数据|Fetch the sales", "data", "query",
     "SELECT month, SUM(amount) AS amount FROM sales GROUP BY month"),
    (_LLM, "分析趋势|Find the trend", "text", "prompt",
     "说说这些销售数据的趋势：${before}|Describe the trend of these sales: ${before}"),
    (_LLM, "写成报告|Write the report", "text", "prompt",
     "把趋势写成一页报告：${before}|Write a report of a page on the trend: ${before}"),
)  # fmt: skip


def decide(task: PromptTask) -> Reply:
    """Return the reply of ai_agent: its next decisions, by the client's words and what became.

    A decision that the script does not allow is never made: the talk goes on instead.
    """
    wanted = _wanted(task)
    made = [each for each in _decisions(task, wanted) if _may(task, each)]
    decisions = made or [_spoken(task, "talk")]
    judged = judgement(task, _came_to(task, wanted), ASK_METRICS)
    return {
        "intent": _intent(wanted, str(decisions[0]["decision_type"])),
        "decisions": [*decisions],
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
    if last.state == "rejected":
        mends = last.decision_type == _PLAN and asked == "circle"
        return "plan" if mends else asked if asked == "never_right" else "stuck"
    if last.decision_type == _CONTINUE:
        thoughts = sum(each.decision_type == _CONTINUE for each in task.decided)
        return "think" if asked == "think" and thoughts < _THOUGHTS else "thought_out"
    if last.decision_type in _CAME_OF and task.runs:
        is_done = task.runs[-1].state == "completed"
        return _CAME_OF[last.decision_type] if is_done else "did_not_run"
    return last.decision_type if last.decision_type in {_PLAN, _NODE, _CHANGE} else "talk"


def _may(task: PromptTask, decision: Reply) -> bool:
    return not task.allowed or decision["decision_type"] in task.allowed


def _came_to(task: PromptTask, wanted: str) -> str:
    """Return what the round came to, as notes on an ask know it."""
    if wanted == "open":
        return ""
    sounds = sounds_like(task.user_input)
    if wanted == "talk" and sounds is not Sounds.ANSWER:
        return sounds
    return "answered" if wanted == "end" else "partial"


def _values(task: PromptTask, wanted: str) -> dict[str, JsonValue]:
    """Return outputs that are heard in plain talk; an order to draft something is no answer."""
    if wanted != "talk" or task.decided or _came_to(task, wanted) != "partial":
        return {}
    return quoted_values(task, take(task.user_input, task.outputs))


def _intent(wanted: str, decision_type: str) -> str:
    """Return the intent that the answer names."""
    if decision_type == "respond":
        return "greeting" if wanted in {"open", "greeting"} else "simple_query"
    return _INTENTS.get(decision_type, "complex_task")


def _decisions(task: PromptTask, wanted: str) -> list[Reply]:
    match wanted:
        case "think":
            thought: Reply = {"thought": line(task, "thought")}
            return [_made(_CONTINUE, thought | {"progress": 0.3 * (1 + len(task.decided))})]
        case "plan" | "circle" | "never_right":
            return [_made(_PLAN, _plan(task, circle=wanted != "plan"))]
        case "node":
            return [_node(task)]
        case "unclear":
            return [_question(task)]
        case "ask_first":
            return [_question(task), _node(task)]
        case "change" | "run" | "research":
            return [_on_what_is_there(task, wanted)]
        case _:
            return [_spoken(task, wanted)]


def _on_what_is_there(task: PromptTask, wanted: str) -> Reply:
    """Return a decision on the newest workflow, or the first sub-agent; without one, an answer."""
    if wanted == "research" and task.subagents:
        asked = task.subagents[0]
        query: Reply = {**dict.fromkeys(asked.takes[:1], task.user_input)}
        return _made(_SPAWN, {"subagent_type": asked.name, "task_payload": query})
    if wanted == "run" and task.workflows:
        newest = task.workflows[-1].workflow_id
        return _made(_RUN, {"workflow_id": newest, "execution_mode": "sync"})
    nodes = task.workflows[-1].nodes if wanted == "change" and task.workflows else ()
    node_id = next((each.node_id for each in reversed(nodes) if each.type == _LLM), "")
    if node_id:
        number = _NUMBER.search(task.user_input)
        value = float(number.group()[:9]) if number else _FREER
        return _made(_CHANGE, {"node_id": node_id, "updates": {"config.temperature": value}})
    return _spoken(task, "talk" if wanted == "research" else "stuck")


def _spoken(task: PromptTask, says: str) -> Reply:
    """Return an answer in words: gentle where the client holds back, and danger comes first."""
    came_to = _came_to(task, says)
    held_back = says == "talk" and task.user_input and came_to != "partial"
    text = thanks(task) if says == "danger" else line(task, came_to if held_back else says)
    fields: Reply = {"response": text, "intent": _intent(says, "respond"), "confidence": 0.9}
    return _made("respond", {**fields, "requires_followup": says != "end"})


def _made(decision_type: str, fields: Reply) -> Reply:
    payload: Reply = {"action_type": decision_type, **fields}
    return {"decision_type": decision_type, "confidence": 0.9, "payload": payload}


def _question(task: PromptTask) -> Reply:
    fields: Reply = {
        "question": line(task, "unclear"),
        "options": [*line(task, "choices").split(",")],
        "required_fields": ["focus"],
        "context": {"partial_intent": "data_analysis"},
    }
    return _made("request_clarification", fields)


def _node(task: PromptTask) -> Reply:
    prompt = task.in_language("用三句话写个小结：${before}|Sum up in three sentences: ${before}")
    name = task.in_language("写小结|Sum up")
    return _made(_NODE, {"node_type": _LLM, "node_name": name, "config": {"prompt": prompt}})


def _plan(task: PromptTask, *, circle: bool) -> Reply:
    """Return the fields of a plan: steps of allowed types one after the other, or in a circle."""
    allowed = [step for step in _STEPS if not task.node_types or step[0] in task.node_types]
    ids = [f"node_{number}" for number in range(1, len(allowed) + 1)]
    nodes: list[Reply] = []
    for node_id, (kind, name, _, key, written) in zip(ids, allowed, strict=True):
        text = task.in_language(written) if "|" in written else written
        node: Reply = {"node_id": node_id, "type": kind, "name": task.in_language(name)}
        if nodes:
            given = f"${{{nodes[-1]['node_id']}.output.{allowed[len(nodes) - 1][2]}}}"
            nodes.append({**node, "config": {key: text}, "input_mapping": {"before": given}})
        else:  # nothing ran before it
            nodes.append({**node, "config": {key: re.sub(r"[：:] ?\$\{before\}", "", text)}})
    ends = [*ids[1:], *(ids[:1] if circle else ())]
    return {
        "name": task.in_language("销售数据分析工作流|Sales analysis"),
        "description": task.in_language(
            "获取销售数据、分析趋势、写成报告|Fetch the sales, find the trend, write a report"
        ),
        "nodes": [*nodes],
        "edges": [{"source": a, "target": b} for a, b in zip(ids, ends, strict=False)],
    }
