"""What a model makes of a prompt: which values were said, what is missing, what to say next."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.conversations.fact_sheet import (
    Answer,
    Facts,
    Language,
    Value,
    asked_in,
    asks,
    last_asked,
    plain,
)
from tests.conversations.prompt_reading import ReadPrompt

_REFUSED = re.compile(r"不想|不愿|跳过|随便|don't want|rather not")
_MAY_REFUSE = re.compile(r"不想|不愿|说不上来|没有|不知道|想不出")
_WHAT_IT_IS = re.compile(r"人还是机器|真人|机器人|human|a machine|a person")
_CLOSINGS: Mapping[Language, tuple[str, ...]] = {
    "zh": tuple(
        f"{first}{then}"
        for then in (
            "这些我都记下了，我们接着往下走。",
            "听起来这对你很要紧。",
            "我明白你的意思了。",
        )
        for first in (
            "谢谢你愿意告诉我，",
            "嗯，我听到了，",
            "好，就照你说的，",
            "谢谢你说得这么清楚，",
        )
    ),
    "en": tuple(
        f"{first} {then}"
        for then in ("I have noted that, let us go on.", "I hear how much this matters.")
        for first in ("Thank you for telling me.", "All right, I see.", "Thanks for saying that.")
    ),
}
_ALLOWS: Mapping[Language, tuple[str, ...]] = {
    "zh": (
        "没关系，不想说的可以不说。", "好，不勉强，你说了算。", "可以只说一点，也可以先放一放。",
        "先放一放也行，我们不着急。",
    ),
    "en": ("That is all right, you need not say it. ", "No need to, you decide. "),
}  # fmt: skip
_HEARD: Mapping[Language, tuple[str, ...]] = {
    "zh": (
        "嗯，我听到了，谢谢你说出来。", "谢谢你，这样我就更明白一些了。", "我在听，你慢慢说就好。",
        "不着急，想到哪里说到哪里。", "好的，我大致听明白了。",
    ),
    "en": ("Thank you for telling me that. ", "I see, that helps. ", "All right, take your time. "),
}  # fmt: skip
_SILENT = re.compile(r"^[\W_]*$")


@dataclass(frozen=True, slots=True)
class Said:
    """A value and the words it comes from."""

    value: Value
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """What the client's words give, and what may be said now."""

    values: Mapping[str, Said]
    missing: tuple[str, ...]
    """Outputs nobody told yet, the required ones alone where some are."""
    enough: bool
    """All is said, or the condition lets the client decline."""
    received: tuple[str, ...]
    """Half a sentence that takes up what was said, in several wordings."""
    closing: str
    task: str
    """The action's own text, in the language of the reply."""
    asks_what_it_is: bool


def understand(prompt: ReadPrompt, facts: Facts) -> Understood:
    """Return what an attentive reader of the prompt understands."""
    english = prompt.client_language == "en"
    values = _values(prompt, facts)
    needed = prompt.required or prompt.outputs
    missing = tuple(each for each in needed if _is_missing(each, values, prompt))
    refused = _REFUSED.search(prompt.words) is not None
    what = _WHAT_IT_IS.search(prompt.words) is not None and not prompt.says_what_it_is
    declined = refused and _MAY_REFUSE.search(prompt.exit_condition) is not None
    return Understood(
        values=values,
        missing=missing,
        enough=declined or (not missing and not _SILENT.match(prompt.words) and not what),
        received=_received(english=english, refused=refused, what=what),
        closing=_closing(prompt, english=english),
        task=_task(prompt, facts, english=english),
        asks_what_it_is=what,
    )


def unsaid(wordings: Sequence[str], prompt: ReadPrompt) -> str:
    """Return the first wording that the shown messages do not hold; the first where all do."""
    said = "\n".join(prompt.own_texts)
    return next((each for each in wordings if each not in said), wordings[0])


def question_about(
    names: Sequence[str], prompt: ReadPrompt, facts: Facts, *, language: Language | None = None
) -> str:
    """Return a question for the first of these, in other words each time it is asked."""
    spoken = language or prompt.client_language
    name = next((each for each in names if each in facts), "")
    if not name:
        return "Would you like to add anything?" if spoken == "en" else "你还想补充什么吗？"
    wordings = facts[name].ask[spoken]
    before = sum(name in asked_in(text, facts) for text in prompt.own_texts)
    return wordings[before % len(wordings)]


def _values(prompt: ReadPrompt, facts: Facts) -> dict[str, Said]:
    """Return the newest value of each output that the client's words hold."""
    names = [name for name in (*prompt.outputs, *prompt.ahead) if name in facts]
    found: dict[str, Said] = {}
    for before, text in prompt.exchanges:
        asked = last_asked([before], facts)
        if asked in names and (short := _short(asked, plain(text), facts)) is not None:
            found[asked] = short
    for text in prompt.client_texts:
        for name in names:
            if (said := _said(name, plain(text), facts)) is not None:
                found[name] = said
    return found


def _is_missing(name: str, values: Mapping[str, Said], prompt: ReadPrompt) -> bool:
    """Return whether neither the client's words nor the prompt's lists have a value."""
    if prompt.lacking is not None and name not in prompt.lacking:
        return False
    stored = plain(prompt.stored.get(name, ""))
    known = bool(stored) and any(stored in plain(text) for text in prompt.client_texts)
    return name not in values and not known


def _said(name: str, words: str, facts: Facts) -> Said | None:
    for told in reversed(facts[name].told):
        for answer in (told.zh, told.en):
            if plain(answer.says) in words:
                return Said(answer.value, answer.says)
    return None


def _short(name: str, words: str, facts: Facts) -> Said | None:
    for told in facts[name].told:
        for answer in (told.zh, told.en):
            if plain(answer.short) in words:
                return _as_said(answer)
    return None


def _as_said(answer: Answer) -> Said:
    """Return a short answer: of a text the words themselves, else the typed value."""
    value = answer.short if isinstance(answer.value, str) else answer.value
    return Said(value, answer.short)


def _received(*, english: bool, refused: bool, what: bool) -> tuple[str, ...]:
    if what:
        return ("I am a program. ",) if english else ("我是一个程序，不是真人。",)
    if refused:
        return _ALLOWS["en" if english else "zh"]
    return _HEARD["en" if english else "zh"]


def _closing(prompt: ReadPrompt, *, english: bool) -> str:
    """Return a closing sentence, one that was not said yet where there is one."""
    known = _CLOSINGS["en" if english else "zh"]
    return unsaid(known, prompt)


def _task(prompt: ReadPrompt, facts: Facts, *, english: bool) -> str:
    """Return the text of the action; for an English client in English."""
    lines = prompt.task
    if prompt.kind == "fill_form":
        lines += question_about(prompt.outputs, prompt, facts)
    if not english or not re.search(r"[\u3400-\u9fff]", prompt.task):
        return lines
    names = asked_in(prompt.task, facts) or (prompt.outputs if prompt.kind != "ai_say" else ())
    if names:
        return question_about(names[-1:], prompt, facts)
    said = "Let us look at this together, step by step."
    return f"{said} Is that all right?" if asks(prompt.task) else said
