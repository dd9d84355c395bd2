"""The rehearsal model's answer to a prompt: a pure function of its task card."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.action_replies import ON_EXIT, Reply, ask, fill, say, think
from heartrule.model.rehearsal.agent_replies import decide
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
_ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "": "|",
        "blocked": "来访者对这个问题有些回避，先表示理解，放慢一点，再用更开放的方式问"
        "|The client is holding back: show understanding first, slow down, ask more openly",
        "off_topic": "来访者在说别的事，先用一句话接住，再轻轻回到原来的问题"
        "|The client talks about something else: receive it in a sentence, then return gently",
        "not_understood": "来访者还没有听懂，换成更短、更生活化的说法，一次只讲一个意思"
        "|The client does not follow yet: shorter, everyday words, one idea at a time",
        "easy": "可以先从最容易说的一点说起|Invite whatever is easiest to tell",
        "example": "可以举一件每天都会遇到的小事当例子|Take a small thing of every day",
        "comfort": "我感觉到这些问题可能让你不太舒服。我们不着急，"
        "想说的时候再说，先照顾好自己就好。"
        "|These questions may feel uncomfortable. There is no hurry: say what you like.",
        "why": "来访者连续几轮都不愿谈，先安抚，再继续后面的动作"
        "|The client has held back for several rounds: comfort first, then go on",
        "calm": "来访者目前平稳，愿意谈|The client is calm and willing to talk",
        "burdened": "来访者谈到了不容易的事|The client spoke of something hard",
        "node": "演示模型的回答|An answer of the rehearsal model",
        "unit": "演示模型的回答，关于：|An answer of the rehearsal model about: ",
        "plain": "用平实的短句，一次只说一个意思；轻轻回应一句就够"
        "|Short everyday sentences, one idea at a time; a short word of understanding",
        "warm": "语气放缓，先承认这确实不容易，再往下谈"
        "|Slow down, first say that this is hard, then go on",
    }
)


def watch(task: PromptTask) -> Reply:
    """Return the analysis of one round; of ai_say also whether the client understood."""
    of_say = task.kind == "ai_say_monitor"
    understanding = task.metrics.get("understanding_level", "")
    unclear = of_say and _NOT_UNDERSTOOD.search(understanding) is not None
    trouble = "not_understood" if unclear else _trouble(task)
    feedback: Reply = {"feedback_for_action": _say(task, trouble)}
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
        example = {"example_suggestion": _say(task, "example" if unclear else "")}
        return {**issue, **feedback, **example, **intervention, **orchestration}
    approach = {"modified_approach": _say(task, "easy" if trouble else "")}
    return {**intervention, **feedback, **approach, **orchestration}


def orchestrate(task: PromptTask) -> Reply:
    """Return a plan that inserts a comforting ai_say before the next action."""
    return {
        "action": "insert",
        "target_position": "before_next",
        "new_action": {"type": "ai_say", "content": _say(task, "comfort")},
        "target_instance": "",
        "modifications": {"content": ""},
        "order": [],
        "reason": _say(task, "why"),
    }


def recommend(task: PromptTask) -> Reply:
    """Return a recommendation in the directions of document 001, section 4.2.3."""
    heavy = is_heavy(task.user_input)
    style = _say(task, "warm" if heavy else "plain")
    parts = {"语言风格|Language": style, "例子类型|Examples": _say(task, "example"),
             "引导方式|Guidance": _say(task, "easy")}  # fmt: skip
    lines = (f"{task.in_language(name)}：{text}" for name, text in parts.items())
    return {
        "reasoning": {
            "userStateAnalysis": _say(task, "burdened" if heavy else "calm"),
            "keyConsiderations": [style, *sorted(task.inputs)],
            "strategyRationale": _say(task, "easy"),
        },
        "strategyPrompt": "\n".join(lines),
    }


def answer_node(task: PromptTask) -> Reply:
    """Return an answer to an LLM node of a workflow."""
    return {"answer": _say(task, "node"), "asked": task.task}


def answer_unit(task: PromptTask) -> str:
    """Return an answer in a thread: any text, or yes where that is asked."""
    if _YES_OR_NO.search(task.system):
        return "YES"
    return f"{_say(task, 'unit')}{' '.join(task.task.split())[:_QUOTED]}"


def _trouble(task: PromptTask) -> str:
    """Return `blocked`, `off_topic` or nothing."""
    if task.progress_suggestion in {"off_topic", "blocked"}:
        return task.progress_suggestion
    return "blocked" if _LOW_ENGAGEMENT.search(task.metrics.get("user_engagement", "")) else ""


def _say(task: PromptTask, name: str) -> str:
    return task.in_language(_ADVICE[name])


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
