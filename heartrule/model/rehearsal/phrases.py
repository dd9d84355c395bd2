"""What the rehearsal model says: short kind sentences in two languages, chosen by a hash.

Nothing here repeats a client's words, so nothing unsafe is echoed.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from heartrule.model.rehearsal.task import OutputSpec, Task
from heartrule.model.rehearsal.words import is_dangerous, is_heavy

_LINES: Mapping[str, tuple[Sequence[str], Sequence[str]]] = MappingProxyType(
    {
        "thanks": (
            ("谢谢你告诉我。", "好，我记下了。", "嗯，我听到了。", "谢谢你愿意说这些。"),
            ("Thank you for telling me.", "I see, thank you.", "Thank you for sharing that."),
        ),
        "heavy": (
            (
                "听起来这段时间挺不容易的，谢谢你愿意说出来。",
                "这样的日子一定很辛苦，谢谢你告诉我。",
                "我听到了，这确实不好受。",
            ),
            (
                "That sounds hard. Thank you for telling me.",
                "I hear you, that cannot be easy.",
            ),
        ),
        "danger": (
            ("谢谢你说出来，你的安全最要紧，请先联系身边信得过的人。",),
            ("Thank you for saying it. Your safety comes first: please reach someone you trust.",),
        ),
        "softer": (("没关系，我们可以慢一点。",), ("That's all right, we can take it slowly.",)),
        "plainer": (("我换个更贴近生活的说法。",), ("Let me put it more simply.",)),
        "refused": (
            (
                "不想细说也可以，说一点点就好。",
                "这确实不太好开口，怎么说都行。",
                "不着急，想到哪里说到哪里。",
            ),
            (
                "Even a little is enough.",
                "I understand, this is not easy to say. Any words will do.",
                "There is no hurry, start wherever you like.",
            ),
        ),
        "leave_it": (
            ("这个问题我们先放一放。", "这个先不谈，以后想说了再说。"),
            ("Let us leave this for now.",),
        ),
        "off_topic": (
            ("这个我先记着，我们先回到刚才的问题。",),
            ("Let us keep that for later and come back to the question.",),
        ),
        "empty": (("我在听，慢慢来。",), ("I am listening, take your time.",)),
        "say_more": (("可以再多说一点吗？",), ("Could you say a little more?",)),
        "go_on": (
            ("好，那我们接着往下走。", "好的，我们继续。", "嗯，那就这样，我们往下谈。"),
            ("Good, let us go on.", "All right, we continue."),
        ),
        "again": (
            ("没关系，我再说一遍，慢一点。", "我再说一次，哪里不清楚随时告诉我。"),
            ("No problem, let me say it again, slowly.", "Let me say it once more."),
        ),
        "asked": (
            ("这个问题问得好，意思是这样。", "谢谢你问，刚才想说的是这样。"),
            ("Good question. What I mean is this.", "Thank you for asking. More concretely."),
        ),
        "stop": (
            ("好，不想听也没关系，我们随时可以停。",),
            ("That's fine, we can stop whenever you like.",),
        ),
        "anything_else": (
            ("关于刚才说的，还有什么想问的吗？", "刚才说的，你觉得怎么样？"),
            ("Is there anything you would like to ask about it?",),
        ),
        "number": (("大概是多少呢？说一个数字就好。",), ("About how much? A number is enough.",)),
        "integer": (("大概是几呢？说一个整数就好。",), ("About how many? A whole number.",)),
        "boolean": (("可以说「是」或者「不是」吗？",), ("Would you say yes or no?",)),
        "date": (
            ("是哪一天呢？可以照 2020-05-01 的样子写。",),
            ("Which day? You can write it like 2020-05-01.",),
        ),
    }
)


def line(task: Task, name: str) -> str:
    """Return one of the sentences of that name, always the same one for the same task."""
    chinese, english = _LINES[name]
    choices = chinese if task.chinese else english
    # By round first: the same refusal twice is not met with the same sentence twice.
    return choices[(zlib.crc32(task.task.encode()) + task.round) % len(choices)]


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
