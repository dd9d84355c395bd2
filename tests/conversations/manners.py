"""Eight manners in which real models answer, as small rules over what a prompt says.

They are built from the recorded replies of `tests/testdata/model_replies.yaml`: what a manner
gets wrong, some model got wrong in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

from heartrule.domain.json_value import JsonValue
from tests.conversations.obedient_talker import Reply, Talker
from tests.conversations.prompt_reading import ReadPrompt
from tests.conversations.understanding import Understood, question_about


class NeverExits(Talker):
    """Asks on and on; fences, a comma too many, at times a bare question (1.5B, order A)."""

    name: ClassVar[str] = "never-exits"

    def ends(self, prompt: ReadPrompt, seen: Understood) -> bool:
        """Never."""
        return False

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Ask for the first output, known or not."""
        if prompt.opening:
            return seen.task
        return question_about(prompt.outputs[:1], prompt, self.facts, language="zh")

    def written(self, reply: Reply, prompt: ReadPrompt) -> str:
        """Write as the recorded model did: fenced from the second reply on."""
        if self.replies % 7 == 0 and not prompt.opening:
            return str(reply.get("content", ""))
        text = json.dumps(reply, ensure_ascii=False, indent=2)
        if "metrics" in reply:
            before, end, after = text.rpartition('"\n  }')
            text = f'{before}。",{end[1:]}{after}' if end else text
        return text if prompt.opening else f"```json\n{text}\n```"


class ExitsEarly(Talker):
    """Says YES at once and asks all the same; numbers for metrics, own names (0.5B)."""

    name: ClassVar[str] = "exits-early"

    def ends(self, prompt: ReadPrompt, seen: Understood) -> bool:
        """At every answer."""
        return not prompt.opening

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Ask, whatever EXIT says."""
        if prompt.opening:
            return seen.task
        names = seen.missing or prompt.outputs[:1]
        return f"谢谢你。{question_about(names, prompt, self.facts, language='zh')}"

    def variables(self, prompt: ReadPrompt, seen: Understood) -> Reply:
        """Write one name in three in words of its own."""
        found = super().variables(prompt, seen)
        if found and self.replies % 3 == 0:
            first = next(iter(found))
            cues = (
                [cue for cue in self.facts[first].cues if cue != first]
                if (first in self.facts)
                else ["别的"]
            )
            return {(cues[0] if name == first else name): each for name, each in found.items()}
        return found

    def metric(self, prompt: ReadPrompt, name: str) -> JsonValue:
        """Return a number as text."""
        return "100%"


class CopiesExample(Talker):
    """Copies the template's example, or what it says about a field: metrics always."""

    name: ClassVar[str] = "copies-example"
    blind: ClassVar[bool] = True

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Copy the example's words in every fourth reply."""
        copied = prompt.example.get("content")
        if self.replies % 4 == 0 and isinstance(copied, str):
            return copied
        return super().content(prompt, seen, ends=ends)

    def variables(self, prompt: ReadPrompt, seen: Understood) -> Reply:
        """Fill what is missing with the example's value, or with its own definition."""
        copied = prompt.example.get("variables")
        found = super().variables(prompt, seen)
        if prompt.opening or not isinstance(copied, Mapping) or not copied:
            return found
        first = next(iter(copied.values()))
        for name in prompt.outputs:
            if name not in seen.values:
                defined = prompt.defines.get(name, "")
                found[name] = first if self.replies % 2 or not defined else defined
        return {**copied, **found}

    def metric(self, prompt: ReadPrompt, name: str) -> JsonValue:
        """Return the example's; where that is a placeholder, by turns what is said about it."""
        copied = prompt.example.get("metrics")
        described = prompt.fields.get(f"metrics.{name}", "")
        shown = copied.get(name) if isinstance(copied, Mapping) else None
        if shown is None or (self.replies % 2 and shown == "…" and described):
            return described or super().metric(prompt, name)
        return shown


class Echoes(Talker):
    """Says the client's own words, or its last message once more."""

    name: ClassVar[str] = "echoes"

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Echo and repeat by turns."""
        if self.replies % 3 == 0 and prompt.words:
            return prompt.words
        if self.replies % 3 == 1 and prompt.own_texts and not prompt.opening:
            return prompt.own_texts[-1]
        return super().content(prompt, seen, ends=ends)


class Invents(Talker):
    """Fills every output, says that it is a person, gives itself a name."""

    name: ClassVar[str] = "invents"

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Claim what it is not, now and then."""
        said = super().content(prompt, seen, ends=ends)
        if seen.asks_what_it_is:
            return f"我是人，是这里的心理医生。{said}"
        return f"我是王医生。{said}" if self.replies == 4 else said

    def valued(self, prompt: ReadPrompt, seen: Understood, name: str) -> JsonValue:
        """Return another answer of the sheet where the client gave none."""
        if name in seen.values or name not in self.facts:
            return super().valued(prompt, seen, name)
        answer = self.facts[name].told[-1].zh
        return (
            {"value": answer.value, "quote": answer.says} if prompt.wants_quotes else answer.value
        )


class Rambles(Talker):
    """Talks long, asks two things at once, writes before and after the object."""

    name: ClassVar[str] = "rambles"
    blind: ClassVar[bool] = True

    def content(self, prompt: ReadPrompt, seen: Understood, *, ends: bool) -> str:
        """Wrap the text in many words."""
        said = super().content(prompt, seen, ends=ends)
        more = question_about(seen.missing[1:2], prompt, self.facts) if seen.missing[1:] else ""
        return (
            "谢谢你愿意和我说这些，这真的需要很大的勇气。每个人都会有这样的时候，你并不孤单。"
            f"我们可以一步一步来，不用着急，也不用担心说得好不好。{said}{more if not ends else ''}"
        )

    def written(self, reply: Reply, prompt: ReadPrompt) -> str:
        """Add words around the object in every second reply."""
        text = super().written(reply, prompt)
        return f"好的，这是我的回复：\n{text}\n希望对你有帮助。" if self.replies % 2 else text


class ThinksFirst(Talker):
    """Thinks aloud before a fenced object, as reasoning models do."""

    name: ClassVar[str] = "thinks-first"

    def written(self, reply: Reply, prompt: ReadPrompt) -> str:
        """Put the thoughts first."""
        thoughts = f"来访者说的是「{prompt.words[:20]}」，我要看看还缺什么，再决定 EXIT。"
        text = json.dumps(reply, ensure_ascii=False)
        return f"<think>\n{thoughts}\n</think>\n\n```json\n{text}\n```"


MANNERS: Mapping[str, type[Talker]] = {
    each.name: each
    for each in (
        Talker,
        NeverExits,
        ExitsEarly,
        CopiesExample,
        Echoes,
        Invents,
        Rambles,
        ThinksFirst,
    )
}
