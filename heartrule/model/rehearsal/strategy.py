"""How the rehearsal model recommends: four plain sentences, chosen by how the client sounds."""

from __future__ import annotations

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import Task
from heartrule.model.rehearsal.words import is_heavy

_CHINESE = {
    "plain": "用平实的短句，一次只说一个意思",
    "heavy": "语气放缓，少用术语，先停一停",
    "example": "举一件每天都会遇到的小事",
    "light_touch": "轻轻回应一句就够，不必多安慰",
    "warm": "先承认这确实不容易，再往下谈",
    "lead": "给一个容易答的方向，让对方自己选深浅",
    "calm": "来访者目前平稳，愿意谈",
    "burdened": "来访者谈到了不容易的事",
    "why": "负担小的说法最容易接上",
}
_ENGLISH = {
    "plain": "short everyday sentences, one idea at a time",
    "heavy": "slow down, few terms, leave a pause",
    "example": "take a small thing of every day",
    "light_touch": "a short word of understanding is enough",
    "warm": "first say that this is hard, then go on",
    "lead": "offer one easy direction and let the client choose how deep",
    "calm": "The client is calm and willing to talk",
    "burdened": "The client spoke of something hard",
    "why": "What costs little effort is the easiest to answer",
}


def recommend(task: Task) -> dict[str, JsonValue]:
    """Return a recommendation in the four directions of document 001, section 4.2.3."""
    words = _CHINESE if task.chinese else _ENGLISH
    heavy = is_heavy(task.user_input)
    style, touch = ("heavy", "warm") if heavy else ("plain", "light_touch")
    names = ("语言风格", "例子类型", "共鸣策略", "引导方式")
    if not task.chinese:
        names = ("Language", "Examples", "Resonance", "Guidance")
    told = (words[style], words["example"], words[touch], words["lead"])
    known: list[JsonValue] = [*sorted(task.inputs)]
    return {
        "reasoning": {
            "userStateAnalysis": words["burdened" if heavy else "calm"],
            "keyConsiderations": [words[touch], *known],
            "strategyRationale": words["why"],
        },
        "strategyPrompt": "\n".join(f"{n}：{t}" for n, t in zip(names, told, strict=True)),
    }
