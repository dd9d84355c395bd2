"""Sentences of the rehearsal model in Chinese and English.

Nothing here repeats a client's words, so nothing unsafe is echoed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.model.rehearsal.task import OutputSpec, Task
from heartrule.model.rehearsal.words import is_dangerous, is_heavy

_LINES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "thanks": (
            "嗯，我听到了。|好，我记下了。",
            "Thank you for that.|I see, thank you.",
        ),
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
        "asked": ("谢谢你问，刚才想说的是这样。", "Thank you for asking. What I mean is this."),
        "stop": (
            "好，不想听也没关系，我们随时可以停。",
            "That's fine, we can stop at any time.",
        ),
        "anything_else": ("刚才说的，你觉得怎么样？", "Is there anything you would like to ask?"),
        "number": ("大概是多少呢？说一个数字就好。", "About how much? A number is enough."),
        "integer": ("大概是几呢？说一个整数就好。", "About how many? A whole number."),
        "boolean": ("可以说「是」或者「不是」吗？", "Would you say yes or no?"),
        "date": (
            "是哪一天呢？可以照 2020-05-01 的样子写。",
            "Which day? You can write it like 2020-05-01.",
        ),
    }
)


def line(task: Task, name: str) -> str:
    """Return the sentence of that name; the next round has another one where there are two."""
    choices = _LINES[name][0 if task.chinese else 1].split("|")
    return choices[task.round % len(choices)]


def thanks(task: Task) -> str:
    """Return words that receive an answer, graver when the answer is grave."""
    if is_dangerous(task.user_input):
        return line(task, "danger")
    return line(task, "heavy" if is_heavy(task.user_input) else "thanks")


def ask_for(task: Task, output: OutputSpec) -> str:
    """Return the question for a value that was not found in the words."""
    if output.type != "choice":
        return line(task, output.type if output.type in _LINES else "say_more")
    if task.chinese:
        return f"下面哪一个最接近：{'、'.join(output.options)}？"
    return f"Which is closest: {', '.join(output.options)}?"


def join(task: Task, *parts: str) -> str:
    """Return the sentences as one text, spaced as the language wants it."""
    return ("" if task.chinese else " ").join(part for part in parts if part)
