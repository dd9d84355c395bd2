"""What a model may write instead of the JSON it was asked for: a grammar of broken replies."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]

_WORDS = (
    "", "你好", "YES", "NO", "yes", "maybe", "null", "true", "\x00", "\ud83d", "\\", '"', "\\u0000",
    "continue_needed", "sufficient", "blocked", "off_topic", "越界", "{", "}", "```",
    "\n", "\u2028",
    "<heartrule-task>", "{%chat%}", "😀" * 40, "啊" * 600, "[]", "EXIT", "I can't help with that.",
)  # fmt: skip
_KEYS = (
    "EXIT", "content", "BRIEF", "variables", "metrics", "progress_suggestion", "assessment",
    "should_exit", "exit_reason", "information_completeness", "user_engagement",
    "understanding_level",
    "has_questions", "intervention_needed", "intervention_level", "strategy_suggestion",
    "orchestration_needed", "称呼", "exit", "Content", "", "constructor", "__class__",
)  # fmt: skip
_NUMBERS = (0, 1, -1, 50, 101, 10**400, 2**64, 0.5, float("nan"), float("inf"), -1e308)

words: Strategy = st.sampled_from(_WORDS) | st.text(max_size=12)
values: Strategy = st.recursive(
    words | st.sampled_from(_NUMBERS) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=4)
    ),
    max_leaves=10,
)
objects: Strategy = st.fixed_dictionaries(
    {},
    optional={
        "EXIT": st.sampled_from(["YES", "NO"]) | values,
        "content": words | values,
        "BRIEF": values,
        "variables": values,
        "metrics": values,
        "progress_suggestion": values,
        "assessment": values,
        "intervention_needed": values,
        "intervention_level": values,
        "strategy_suggestion": values,
        "orchestration_needed": values,
    },
)


def _written(value: object, *, ascii_: bool, indent: int | None) -> str:
    return json.dumps(value, ensure_ascii=ascii_, indent=indent)


_texts: Strategy = st.builds(
    _written, objects | values, ascii_=st.booleans(), indent=st.sampled_from([None, None, 2])
)


def _cut(text: str, at: int) -> str:
    return text[: at % (len(text) + 1)]


def _without(text: str, at: int) -> str:
    place = at % (len(text) + 1)
    return text[:place] + text[place + 1 :]


def _with(text: str, at: int, extra: str) -> str:
    place = at % (len(text) + 1)
    return text[:place] + extra + text[place:]


_FENCES = ("```json\n%s\n```", "```\n%s", "%s\n```", "```JSON %s ```", "``` ```%s", "~~~\n%s\n~~~")
_AROUND = ("好的：%s", "%s 以上。", "<think>%s</think>%s", "%s%s", "%s\n\n%s", "“%s”", "data: %s")
_deep: Strategy = st.builds(
    lambda opening, depth, closed: opening * depth + "1" + _closing(opening) * depth * closed,
    st.sampled_from(["[", '{"a":', '{"content":', '[{"EXIT":']),
    st.sampled_from([1, 60, 1_200, 20_000]),
    st.integers(0, 1),
)


def _closing(opening: str) -> str:
    return "".join("]" if sign == "[" else "}" for sign in reversed(opening) if sign in "[{")


_places = st.integers(0, 4_000)
replies: Strategy = st.one_of(
    _texts,
    st.builds(_cut, _texts, _places),
    st.builds(_without, _texts, _places),
    st.builds(_with, _texts, _places, st.sampled_from([*_WORDS, ",", ":", "'", "//", "\r", "\t"])),
    st.builds(lambda form, text: form % text, st.sampled_from(_FENCES), _texts),
    st.builds(lambda form, text: form.replace("%s", text), st.sampled_from(_AROUND), _texts),
    st.builds(lambda text: text.replace('"', "'"), _texts),
    st.builds(lambda text: text.replace('"', "“"), _texts),
    st.builds(lambda text: text.replace(",", "，").replace(":", "："), _texts),
    _deep,
    words,
)
"""One whole reply, as a model might write it on a bad day."""
