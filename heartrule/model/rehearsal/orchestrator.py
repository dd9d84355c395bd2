"""How the rehearsal model changes a queue: a word of comfort before what comes next."""

from __future__ import annotations

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import Task

_COMFORT = (
    "我感觉到这些问题可能让你不太舒服。我们不着急，想说的时候再说，先照顾好自己就好。",
    "These questions may feel uncomfortable. There is no hurry: say what you like, when you like.",
)
_REASON = (
    "来访者连续几轮都不愿谈，先安抚，再继续后面的动作",
    "The client has held back for several rounds: comfort first, then go on",
)


def orchestrate(task: Task) -> dict[str, JsonValue]:
    """Return a plan that inserts a comforting ai_say before the next action."""
    language = 0 if task.chinese else 1
    return {
        "action": "insert",
        "target_position": "before_next",
        "new_action": {"type": "ai_say", "content": _COMFORT[language]},
        "target_instance": "",
        "modifications": {"content": ""},
        "order": [],
        "reason": _REASON[language],
    }
