"""Reads a prompt as a model would: by its labels and lines, and by nothing else of the engine.

What the reader finds is all a scripted model knows, so that a better prompt gives better replies.
Where a template says something in other words, the words belong here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage, ChatRequest
from tests.conversations.fact_sheet import Language, language_of

_LABEL = re.compile(r"^【([^】\n]+)】", re.MULTILINE)
_OUTPUT = re.compile(r"^- ([^（(：:\n]+?)(?:（|\(|：|:|$)", re.MULTILINE)
_STORED = re.compile(r"^- ([^：:\n]+)[：:] ?(.*)$", re.MULTILINE)
_FIELD = re.compile(r"^- ([A-Za-z_.]+)[：:] ?(.*)$", re.MULTILINE)
_QUOTED = re.compile(r"^> ?(.*)$", re.MULTILINE)
_SHAPE = re.compile(r"\{\".*\}(?=\s*$)")
_EXAMPLE = re.compile(r"^\{\".*\}$", re.MULTILINE)
_VERSION = re.compile(r"_v\d+$")
_OPENING = re.compile(r"这一步的?开场|this step opens|opens the step", re.IGNORECASE)
_LAST = re.compile(r"最后一[次个问轮]|last (answer|round)", re.IGNORECASE)
_FEW_WORDS = re.compile(r"metrics.*(每项几个[字词]|a few words)", re.IGNORECASE)
_DEFINED = re.compile(r"^- ([^（(：:\n]+?)(?:[（(][^）)\n]*[）)])?[：:] ?(.+)$", re.MULTILINE)
_EMPTY = re.compile(r"variables 写成空对象")
_OMITS = re.compile(r"没有?[说答][到过]的不写|leave out")
_OMITS_EMPTY = re.compile(r"没有内容的不写|leave out what is empty")
_QUOTE = re.compile(r"\bquote\b")
_OPTIONAL = re.compile(r"可以不填|optional")
_CONFIRMS = re.compile(r"^来访者先前已经说过这些，不再问：(.+?)。", re.MULTILINE)
_WHAT_SAID = re.compile(r"引擎已经替你如实答了|the engine has answered truthfully")
_ADVISED = re.compile(r"可以问：(.+)$", re.MULTILINE)
_SPOKEN = re.compile(r"^(助手|来访者|Assistant|Client)[：:] ?(.*)$", re.MULTILINE)

_TASK = (
    "这一步要问的", "这一步要讲的", "怎样介绍", "介绍", "要想的事",
    "To ask", "To tell", "How to introduce it", "To think about",
)  # fmt: skip
_OUTPUTS = ("要了解的内容", "要得出的内容", "表单的各项", "各项", "Wanted", "Items", "To conclude")
_REQUIRED = ("必须得到", "Required")
_EXIT = ("结束条件", "Exit condition")
# The beginning of a label that goes on with what to do about it.
_AHEAD = ("以后要了解的", "Wanted later")
_KNOWN = ("已经知道的", "Already known")
_MISSING = ("还缺的必填项", "还缺", "Required, still missing")
_TARGETS = ("目标变量", "Wanted variables")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPrompt:
    """A prompt as its reader understands it."""

    kind: str
    """Which template it is, such as ai_ask."""
    opening: bool
    last_answer: bool
    """True: it says that no further answer will be judged."""
    task: str
    outputs: tuple[str, ...]
    ahead: tuple[str, ...]
    """Outputs of later questions, to be noted where they are said."""
    required: tuple[str, ...]
    exit_condition: str
    words: str
    """The client's words that are answered; empty where there are none."""
    client_texts: tuple[str, ...]
    """All the client's words it shows, oldest first."""
    own_texts: tuple[str, ...]
    """The assistant's messages it shows, oldest first."""
    exchanges: tuple[tuple[str, str], ...]
    """What was asked and what the client said to it, oldest first."""
    stored: Mapping[str, str]
    """What it lists as known already."""
    lacking: tuple[str, ...] | None
    """Of a form, the fields that are still to be filled in; None: no form."""
    fields: Mapping[str, str]
    """The reply's fields and what is said about each, in order."""
    example: Mapping[str, JsonValue]
    """The first object the template shows."""
    defines: Mapping[str, str]
    """What the prompt says about each output."""
    short_metrics: bool
    """True: a few words a metric are asked for, instead of a sentence."""
    wants_quotes: bool
    omits_unsaid: bool
    """True: a variable nobody told is left out, instead of written empty."""
    omits_empty: bool
    """True: a field without content is left out."""
    confirms: str
    """What was answered before and is to be confirmed in half a sentence; empty: nothing."""
    says_what_it_is: bool
    """True: the engine has said already what it is."""
    judges: bool
    """False: there is nothing to judge, so that no variables are to be written."""
    advised: str
    """The question an advice proposes; empty where there is none."""
    language: Language
    """Of the prompt itself."""
    text: str
    """The last message."""

    @property
    def client_language(self) -> Language:
        """The language the client's words are in; that of the prompt where none are shown."""
        return language_of(" ".join(self.client_texts), self.language)


def read_prompt(request: ChatRequest) -> ReadPrompt:
    """Return what a model sees in a request."""
    system, last = request.messages[0].content, request.messages[-1].content
    labels = _sections(last)
    history = request.messages[1:-1]
    words = "\n".join(_QUOTED.findall(last))
    shown = [each.content for each in history if each.role == "user"]
    return ReadPrompt(
        kind=_VERSION.sub("", request.prompt_type),
        opening=_OPENING.search(_QUOTED.sub("", last)) is not None,
        last_answer=_LAST.search(last) is not None,
        task=_first(labels, _TASK),
        outputs=_names(_first(labels, _OUTPUTS)) or _listed(_first_line(last, _TARGETS)),
        ahead=_names(_first_like(labels, _AHEAD)),
        required=_listed(_first(labels, _REQUIRED)) or _not_optional(_first(labels, _OUTPUTS)),
        exit_condition=_first(labels, _EXIT),
        words=words,
        client_texts=(*shown, words) if words else tuple(shown),
        own_texts=_own(history),
        exchanges=_exchanges(history, words),
        stored=dict(_STORED.findall(_first(labels, _KNOWN))),
        lacking=_lacking(labels),
        fields=_asked_fields(system, last),
        example=_example(system) or _shape(last),
        defines=dict(_DEFINED.findall(_first(labels, _OUTPUTS))),
        short_metrics=_FEW_WORDS.search(system) is not None,
        wants_quotes=_QUOTE.search(system) is not None or _QUOTE.search(last) is not None,
        omits_unsaid=_OMITS.search(_fields(system).get("variables", "")) is not None,
        judges=_EMPTY.search(last) is None and "variables" in _asked_fields(system, last),
        omits_empty=_OMITS_EMPTY.search(system) is not None,
        confirms="".join(_CONFIRMS.findall(last)[-1:]),
        says_what_it_is=_WHAT_SAID.search(last) is not None,
        advised="".join(_ADVISED.findall(last)[-1:]),
        language=_system_language(system),
        text=last,
    )


def dialogue_of(text: str) -> list[tuple[bool, str]]:
    """Return the lines of a dialogue shown to a monitor; True: the client speaks."""
    return [(who in {"来访者", "Client"}, said) for who, said in _SPOKEN.findall(text)]


def _sections(text: str) -> dict[str, str]:
    parts = _LABEL.split(text)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def _first(labels: Mapping[str, str], names: Sequence[str]) -> str:
    return next((labels[name] for name in names if name in labels), "")


def _first_like(labels: Mapping[str, str], beginnings: tuple[str, ...]) -> str:
    return next((text for name, text in labels.items() if name.startswith(beginnings)), "")


def _first_line(text: str, names: Sequence[str]) -> str:
    for name in names:
        if found := re.search(rf"^- {name}[：:](.*)$", text, re.MULTILINE):
            return found.group(1)
    return ""


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in _OUTPUT.findall(text)))


def _not_optional(text: str) -> tuple[str, ...]:
    """Return the fields of a form that have to be filled in; none where all have to."""
    lines = text.splitlines()
    if not any(_OPTIONAL.search(line) for line in lines):
        return ()
    return _names("\n".join(line for line in lines if not _OPTIONAL.search(line)))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in re.split(r"[、,]", text) if each.strip())


def _own(history: Sequence[ChatMessage]) -> tuple[str, ...]:
    return tuple(each.content for each in history if each.role == "assistant")


def _exchanges(history: Sequence[ChatMessage], words: str) -> tuple[tuple[str, str], ...]:
    said = [(each.role, each.content) for each in history] + [("user", words)]
    return tuple(
        (before, text)
        for (asker, before), (speaker, text) in pairwise(said)
        if asker == "assistant" and speaker == "user" and text
    )


def _lacking(labels: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the fields that are named as still missing."""
    return _listed(_first(labels, _MISSING)) or None


def _asked_fields(system: str, last: str) -> Mapping[str, str]:
    """Return the fields to write: those of a shape in the task, else all that are described."""
    described, shape = _fields(system), _shape(last)
    if not shape:
        return described
    names: dict[str, str] = {}
    for key, value in shape.items():
        inner = value if key != "variables" and isinstance(value, dict) else {}
        dotted = [f"{key}.{each}" for each in inner] or [key]
        names.update({each: described.get(each, "") for each in dotted})
    return names


def _shape(last: str) -> Mapping[str, JsonValue]:
    """Return the object a task shows as the form of its reply."""
    found: Mapping[str, JsonValue] = json.loads((_SHAPE.findall(last) or ["{}"])[-1])
    return found


# System texts are few and long: each is read once.
@cache
def _fields(system: str) -> Mapping[str, str]:
    return dict(_FIELD.findall(f"\n{system}".rpartition("\n# ")[2]))


@cache
def _example(system: str) -> Mapping[str, JsonValue]:
    for line in _EXAMPLE.findall(system):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            return found
    return {}


@cache
def _system_language(system: str) -> Language:
    return language_of(system, "zh")
