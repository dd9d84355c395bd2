"""How the rehearsal model watches: it intervenes where a round stalled, else it keeps still."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import Task

_LOW_ENGAGEMENT = (
    *("投入度低", "投入低", "投入度较低", "回避", "敷衍", "不愿", "抗拒", "reluctant", "withdrawn"),
    *("engagement is low", "low engagement", "avoids", "evasive"),
)
_NOT_UNDERSTOOD = (
    *("没有听懂", "听不懂", "不理解", "不明白", "困惑", "did not follow", "confused"),
    *("does not understand",),
)
_ADVICE: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "blocked": (
            "来访者对这个问题有些回避，先表示理解，放慢一点，再用更开放的方式问",
            "The client is holding back: show understanding first, slow down, ask more openly",
        ),
        "blocked_how": (
            "可以先说不着急，再请对方从最容易说的一点说起",
            "Say there is no hurry, then invite whatever is easiest to tell",
        ),
        "off_topic": (
            "来访者在说别的事，先用一句话接住，再轻轻回到原来的问题",
            "The client talks about something else: receive it in a sentence, then return gently",
        ),
        "off_topic_how": (
            "可以说这个我记下了，等一会儿再谈，先回到刚才的问题",
            "Say that you keep it for later, and come back to the question",
        ),
        "unclear": (
            "来访者还没有听懂，换成更短、更生活化的说法，一次只讲一个意思",
            "The client does not follow yet: shorter, everyday words, one idea at a time",
        ),
        "unclear_how": (
            "可以举一件每天都会遇到的小事当例子",
            "Take a small thing of every day as the example",
        ),
        "unwilling": (
            "来访者暂时不想听，先停一停，问问对方现在的感受，再决定要不要继续",
            "The client does not want to listen now: pause and ask how they feel before going on",
        ),
    }
)


def watch_ask(task: Task) -> dict[str, JsonValue]:
    """Return the analysis of one round of ai_ask."""
    trouble = _trouble(task)
    feedback = _say(task, trouble) if trouble else ""
    return {
        "intervention_needed": bool(trouble),
        "intervention_reason": trouble,
        "intervention_level": "action_feedback" if trouble else "",
        "strategy_suggestion": "rephrase" if trouble else "",
        "feedback_for_action": feedback,
        "modified_approach": _say(task, f"{trouble}_how") if trouble else "",
        "orchestration_needed": False,
        "orchestration_reason": "",
    }


def watch_say(task: Task) -> dict[str, JsonValue]:
    """Return the analysis of one round of ai_say."""
    unclear = _occurs(task.metrics.get("understanding_level", ""), _NOT_UNDERSTOOD)
    trouble = "unclear" if unclear else _trouble(task)
    text = {"": "", "blocked": "unwilling"}.get(trouble, trouble)
    strategy = {"": "", "blocked": "comfort"}.get(trouble, "rephrase")
    return {
        "understanding_issue": unclear,
        "issue_type": "too_abstract" if unclear else "",
        "feedback_for_action": _say(task, text) if text else "",
        "example_suggestion": _say(task, "unclear_how") if unclear else "",
        "intervention_needed": bool(trouble),
        "intervention_reason": "not_understood" if unclear else trouble,
        "intervention_level": "action_feedback" if trouble else "",
        "strategy_suggestion": strategy,
        "orchestration_needed": False,
        "orchestration_reason": "",
    }


def _trouble(task: Task) -> str:
    """Return `blocked`, `off_topic` or nothing."""
    if task.progress_suggestion == ProgressSuggestion.OFF_TOPIC:
        return "off_topic"
    low = _occurs(task.metrics.get("user_engagement", ""), _LOW_ENGAGEMENT)
    return "blocked" if low or task.progress_suggestion == ProgressSuggestion.BLOCKED else ""


def _occurs(text: str, phrases: tuple[str, ...]) -> bool:
    lower = text.lower()
    return any(phrase in lower for phrase in phrases)


def _say(task: Task, name: str) -> str:
    return _ADVICE[name][0 if task.chinese else 1]
