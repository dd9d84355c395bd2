"""Replies that no client sees: thoughts, recommendations, plans, and the monitor's judgement."""

from __future__ import annotations

import json
import re
from random import Random

from heartrule.domain.json_value import JsonValue
from tests.conversations.fact_sheet import Facts, asked_in, plain
from tests.conversations.prompt_reading import ReadPrompt, dialogue_of

Reply = dict[str, JsonValue]

_COUNTS = re.compile(r"^- [^：:\n]+[：:] ?(\d+)$", re.MULTILINE)
_INTEGER = re.compile(r"整数|integer")
_COMPLAINS = re.compile(r"说过了|有没有在听|烦|I said so")
_REFUSED = re.compile(r"不想|不愿|跳过")
_SILENT = re.compile(r"^[\W_]*$")
_THOUGHT = "我听到你说的这些，你正在用自己的办法面对它"


def thought(prompt: ReadPrompt) -> Reply:
    """Return what an inner step works out: a sum where a number is asked for, else a sentence."""
    counts = [int(each) for each in _COUNTS.findall(prompt.text)]
    whole = _INTEGER.search(prompt.text) is not None
    value: JsonValue = (sum(counts) if len(counts) > 8 else "") if whole else _THOUGHT
    return {"variables": dict.fromkeys(prompt.outputs, value), "BRIEF": "依据来访者说过的内容"}


def recommendation() -> Reply:
    """Return what the strategy engine's model writes."""
    reasoning: Reply = {
        "userStateAnalysis": "来访者愿意谈",
        "keyConsiderations": ["一次只问一件事"],
        "strategyRationale": "短句负担最小",
    }
    return {"reasoning": reasoning, "strategyPrompt": "语言风格：短句口语。引导方式：一次一问。"}


def plan(prompt: ReadPrompt, manner: str) -> Reply:
    """Return no change; a model that copies proposes the template's."""
    if manner == "copies-example":
        return dict(prompt.example)
    return {"action": "none", "reason": "不必打断"}


def judgement(prompt: ReadPrompt, manner: str, facts: Facts, random: Random) -> Reply:
    """Return the analysis of one round in a manner, without what the prompt says to leave out."""
    found = _judged(prompt, manner, facts, random)
    if manner == "copies-example" or not prompt.omits_empty:
        return found
    return {name: each for name, each in found.items() if each != "" and not _unneeded(name, each)}


def _unneeded(name: str, value: JsonValue) -> bool:
    return name == "orchestration_needed" and not value


def _judged(prompt: ReadPrompt, manner: str, facts: Facts, random: Random) -> Reply:
    reply: Reply = dict.fromkeys(prompt.fields, "")
    reply |= {"intervention_needed": False, "orchestration_needed": False}
    if "understanding_issue" in reply:
        reply["understanding_issue"] = False
    if manner == "copies-example":
        return dict(prompt.example)
    if manner in {"never-exits", "rambles", "invents"}:
        return reply | _ask_again(prompt, facts, random)
    if manner == "echoes":
        # Recorded: an advice that its own analysis calls needless.
        return reply | {"feedback_for_action": "请再问一次同样的问题，换一个说法"}
    return reply if manner == "exits-early" else reply | _attentive(prompt, facts)


def _ask_again(prompt: ReadPrompt, facts: Facts, random: Random) -> Reply:
    """Advise to ask for an output, whether it is known or not."""
    known = [name for name in prompt.outputs if name in facts]
    name = random.choice(known) if known else ""
    wording = facts[name].ask["zh"][-1] if name else "你听到这里有什么想法？"
    return _intervention("insufficient", "来访者说得还不够具体，请继续追问细节", wording)


def _attentive(prompt: ReadPrompt, facts: Facts) -> Reply:
    """Advise where the dialogue has an obstacle, and on nothing else."""
    said = [text for is_client, text in dialogue_of(prompt.text) if is_client]
    last = said[-1] if said else ""
    if _COMPLAINS.search(last):
        return _intervention("emotional", "来访者不耐烦了，先道歉，不要再问说过的事", "")
    if _REFUSED.search(last):
        return _intervention("blocked", "来访者不想说这个，先表示理解，不追问", "")
    open_ones = [
        name
        for name in prompt.outputs
        if name in facts and not any(_told(name, text, facts) for text in said)
    ]
    if _SILENT.match(last) and open_ones:
        wording = facts[open_ones[0]].ask["zh"][-1]
        return _intervention("insufficient", "来访者没有说话，换一个容易答的问法", wording)
    return {}


def _told(name: str, text: str, facts: Facts) -> bool:
    return any(
        plain(answer.says) in plain(text)
        for told in facts[name].told
        for answer in (told.zh, told.en)
    )


def _intervention(reason: str, feedback: str, wording: str) -> Reply:
    return {
        "intervention_needed": True,
        "intervention_reason": reason,
        "intervention_level": "action_feedback",
        "strategy_suggestion": "rephrase" if wording else "comfort",
        "feedback_for_action": feedback,
        "modified_approach": f"可以问：{wording}" if wording else "",
    }


def asks_for(text: str, facts: Facts) -> tuple[str, ...]:
    """Return the variables an advice would have asked for."""
    return asked_in(text.partition("可以问：")[2], facts)


def as_json(reply: Reply) -> str:
    """Return a reply as it is written."""
    return json.dumps(reply, ensure_ascii=False)
