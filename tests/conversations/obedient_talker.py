"""A scripted model that does what its prompt asks; every manner is a change of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import ClassVar

from heartrule.domain.json_value import JsonValue
from tests.conversations.fact_sheet import Facts, asked_in
from tests.conversations.prompt_reading import ReadPrompt
from tests.conversations.understanding import Understood, question_about, understand, unsaid

Reply = dict[str, JsonValue]

_METRICS = {
    "information_completeness": (
        "对照要了解的内容，这一轮说出了一部分，其余还没有提到",
        "说了一部分",
    ),
    "user_engagement": ("愿意回答，话不算多，能接着往下说", "愿意谈"),
    "emotional_intensity": ("语气平稳，没有明显的起伏", "平稳"),
    "reply_relevance": ("回答围绕着刚才的问题，大体切题", "切题"),
    "understanding_level": ("大致明白，没有提出疑问", "大致明白"),
}


@dataclass(slots=True)
class Talker:
    """Writes the replies of one conversation; this one does what the prompt asks."""

    name: ClassVar[str] = "obeys"
    blind: ClassVar[bool] = False
    """True: takes up an advice that asks for what was said already."""

    facts: Facts
    random: Random
    replies: int = field(default=0, init=False)
    said: str = field(default="", init=False)
    """The text for the client in the newest reply."""

    def reply(self, prompt: ReadPrompt) -> str:
        """Return the whole reply to a prompt that talks with the client."""
        self.replies += 1
        seen = understand(prompt, self.facts)
        ends = self.ends(prompt, seen)
        self.said = self.content(prompt, seen, ends=ends)
        written: Reply = {
            "EXIT": "YES" if ends else "NO",
            "content": self.said,
            "variables": self.variables(prompt, seen),
        }
        return self.written(self._filled(prompt, written, ends=ends), prompt)

    def ends(self, prompt: ReadPrompt, seen: Understood) -> bool:
        """Return the model's judgement whether the action is over."""
        return not prompt.opening and (prompt.last_answer or seen.enough)

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Return the text for the client."""
        if prompt.opening:
            return self.opening(prompt, seen)
        if ends:
            return seen.closing
        asked = question_about(seen.missing, prompt, self.facts)
        if prompt.advised and (self.blind or not self._answers(prompt.advised, seen)):
            asked = prompt.advised
        return unsaid([f"{first}{asked}" for first in seen.received], prompt)

    def _answers(self, question: str, seen: Understood) -> bool:
        return any(name not in seen.missing for name in asked_in(question, self.facts))

    def opening(self, prompt: ReadPrompt, seen: Understood) -> str:
        """Return the action's text, behind a confirmation where one is asked for."""
        if not prompt.confirms:
            return seen.task
        noted = "I have noted" if prompt.client_language == "en" else "我记下了"
        return f"{noted}：{prompt.confirms}。{seen.task}"

    def variables(self, prompt: ReadPrompt, seen: Understood) -> Reply:
        """Return the values understood, as the format asks for them."""
        if not prompt.judges:
            return {}
        later = [name for name in prompt.ahead if name in seen.values]
        names = (*prompt.outputs, *later)
        found = {name: self.valued(prompt, seen, name) for name in names}
        if prompt.omits_unsaid:
            return {
                name: each
                for name, each in found.items()
                if each not in _UNSAID and not _listed(name, prompt, seen)
            }
        return found

    def valued(self, prompt: ReadPrompt, seen: Understood, name: str) -> JsonValue:
        """Return one value; empty where nothing was said."""
        found = seen.values.get(name)
        if found is None:
            return {"value": "", "quote": ""} if prompt.wants_quotes else ""
        return {"value": found.value, "quote": found.quote} if prompt.wants_quotes else found.value

    def metric(self, prompt: ReadPrompt, name: str) -> JsonValue:
        """Return one metric, as long as it is asked for."""
        long, few = _METRICS.get(name, ("看起来还好", "还好"))
        return few if prompt.short_metrics else long

    def written(self, reply: Reply, prompt: ReadPrompt) -> str:
        """Return the reply as the model writes it."""
        del prompt
        return json.dumps(reply, ensure_ascii=False)

    def _filled(self, prompt: ReadPrompt, written: Reply, *, ends: bool) -> Reply:
        """Return the fields the template asks for, in its order."""
        reply: Reply = {}
        for dotted in prompt.fields:
            name, _, inner = dotted.partition(".")
            if name == "metrics":
                metrics = reply.setdefault("metrics", {})
                assert isinstance(metrics, dict)
                metrics[inner] = "尚未评估" if prompt.opening else self.metric(prompt, inner)
            elif name == "assessment":
                reply["assessment"] = {"understanding_level": 75, "has_questions": False}
            else:
                reply[name] = written.get(name, _OTHER.get(name, ""))
        if "progress_suggestion" in reply and ends:
            reply["progress_suggestion"] = "completed"
        return reply


def _listed(name: str, prompt: ReadPrompt, seen: Understood) -> bool:
    """Return whether the prompt lists the value already, and the newest words do not repeat it."""
    said = seen.values.get(name)
    known = said is not None and str(said.value) == prompt.stored.get(name)
    return known and said is not None and said.quote not in prompt.words


_UNSAID: tuple[JsonValue, ...] = ("", {"value": "", "quote": ""})
_OTHER: Mapping[str, JsonValue] = {
    "BRIEF": "来访者回答了一部分",
    "progress_suggestion": "continue_needed",
    "should_exit": False,
}
