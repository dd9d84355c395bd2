"""The rehearsal model's answer to a prompt: a pure function of its task card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.action_replies import ON_EXIT, Reply, ask, fill, say, think
from heartrule.model.rehearsal.agent_replies import decide
from heartrule.model.rehearsal.lines import line
from heartrule.model.rehearsal.task import PromptTask, Refusal, read_task
from heartrule.model.rehearsal.words import is_heavy

_LOW_ENGAGEMENT = re.compile(
    r"投入度?(较)?低|回避|敷衍|不愿|抗拒"
    r"|reluctant|withdrawn|engagement is low|low engagement|evasive"
)
_NOT_UNDERSTOOD = re.compile(r"没有听懂|听不懂|不理解|不明白|困惑|did not follow|confused")
_YES_OR_NO = re.compile(r"\bYES\b.*\bNO\b")
# Characters of what a unit is asked that its answer repeats.
_QUOTED = 60


def watch(task: PromptTask) -> Reply:
    """Return the analysis of one round; of ai_say also whether the client understood."""
    of_say = task.kind == "ai_say_monitor"
    understanding = task.metrics.get("understanding_level", "")
    unclear = of_say and _NOT_UNDERSTOOD.search(understanding) is not None
    trouble = "not_understood" if unclear else _trouble(task)
    feedback: Reply = {
        "feedback_for_action": line(task, f"advise_{trouble}" if trouble else "advise")
    }
    strategy = "comfort" if of_say and trouble == "blocked" else "rephrase" if trouble else ""
    intervention: Reply = {
        "intervention_needed": bool(trouble),
        "intervention_reason": trouble,
        "intervention_level": "action_feedback" if trouble else "",
        "strategy_suggestion": strategy,
    }
    orchestration: Reply = {"orchestration_needed": False, "orchestration_reason": ""}
    if of_say:
        issue: Reply = {
            "understanding_issue": unclear,
            "issue_type": "too_abstract" if unclear else "",
        }
        example = {"example_suggestion": line(task, "example" if unclear else "advise")}
        return {**issue, **feedback, **example, **intervention, **orchestration}
    approach = {"modified_approach": line(task, "easy" if trouble else "advise")}
    return {**intervention, **feedback, **approach, **orchestration}


def orchestrate(task: PromptTask) -> Reply:
    """Return a plan that inserts a comforting ai_say before the next action."""
    return {
        "action": "insert",
        "target_position": "before_next",
        "new_action": {"type": "ai_say", "content": line(task, "comfort")},
        "target_instance": "",
        "modifications": {"content": ""},
        "order": [],
        "reason": line(task, "why"),
    }


def recommend(task: PromptTask) -> Reply:
    """Return a recommendation in the directions of document 001, section 4.2.3."""
    heavy = is_heavy(task.user_input)
    style = line(task, "warm" if heavy else "plain")
    parts = {"语言风格|Language": style, "例子类型|Examples": line(task, "example"),
             "引导方式|Guidance": line(task, "easy")}  # fmt: skip
    lines = (f"{task.in_language(name)}：{text}" for name, text in parts.items())
    return {
        "reasoning": {
            "userStateAnalysis": line(task, "burdened" if heavy else "calm"),
            "keyConsiderations": [style, *sorted(task.inputs)],
            "strategyRationale": line(task, "easy"),
        },
        "strategyPrompt": "\n".join(lines),
    }


def answer_node(task: PromptTask) -> Reply:
    """Return an answer to an LLM node of a workflow."""
    return {"answer": line(task, "node"), "asked": task.task}


def answer_unit(task: PromptTask) -> str:
    """Return an answer in a thread: any text, or yes where that is asked."""
    if _YES_OR_NO.search(task.system):
        return "YES"
    return f"{line(task, 'unit')}{' '.join(task.task.split())[:_QUOTED]}"


def _trouble(task: PromptTask) -> str:
    """Return `blocked`, `off_topic` or nothing."""
    if task.progress_suggestion in {"off_topic", "blocked"}:
        return task.progress_suggestion
    return "blocked" if _LOW_ENGAGEMENT.search(task.metrics.get("user_engagement", "")) else ""


_UNIT = "thread_unit"
_POLICIES: Mapping[str, Callable[[PromptTask], Reply]] = MappingProxyType(
    {
        "ai_agent": decide,
        "ai_ask": ask,
        "ai_say": say,
        "ai_think": think,
        "fill_form": fill,
        "strategy_generation": recommend,
        "topic_orchestrator": orchestrate,
        "workflow_node": answer_node,
    }
)


def answer(messages: Sequence[ChatMessage]) -> str | Refusal:
    """Return the reply to a prompt as one JSON object, of a thread as text; or why there is none.

    Only the last task card of the last message is read; equal cards give equal replies.
    """
    task = read_task(messages, (*_POLICIES, _UNIT))
    if isinstance(task, Refusal):
        return task
    if task.kind == _UNIT:
        return answer_unit(task)
    policy = _POLICIES.get(task.kind, watch)  # any other kind that is known is a monitor's
    reply = policy(task)
    if task.reply is not None:
        exits = reply.get("EXIT") == "YES"
        reply = {
            name: value
            for name, value in reply.items()
            if name in task.reply or (exits and name in ON_EXIT)
        }
    return json.dumps(reply, ensure_ascii=False)
