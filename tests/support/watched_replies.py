"""Replies of a model in a watched session: numbers, links, promises, goodbyes among words."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from heartrule.safety.guard import GuardRules

_PIECES = st.sampled_from(
    [
        *"0123456789 .,-—/:@。！？!?\n…“”（）()\u200b幺二三打四九",
        "988",
        "911",
        "12356",
        "call ",
        "拨打",
        "热线",
        "text ",
        "1-800-",
        "https://",
        "www.",
        ".com",
        "example",
        "Promise me ",
        "you won't ",
        "die",
        "答应我",
        "不自杀",
        "保证",
        "goodbye",
        "Good ",
        "night",
        "再",
        "见",
        "祝",
        "你",
        "I hear you. ",
        "我在听。",
        "nine ",
        "eight ",
        "one, ",
        "take care",
        "３",
        "⑨",
        "٣",
    ]
)
watched_replies: st.SearchStrategy[str] = st.lists(_PIECES, max_size=40).map("".join)
_LINK = re.compile(r"https?://\w|www\.\w|\bexample\.com")
_NUMBER = re.compile(r"\d{5,}")


def forbidden_in(text: str, rules: GuardRules, *, own: str) -> str:
    """Return what of a text must not have left; `own` is the line that stands for a promise."""
    left = text.casefold()
    if link := _LINK.search(left):
        return link.group()
    said = left.replace(own.casefold(), "")
    if promise := rules.promise.search(said) or rules.goodbye.search(said):
        return promise.group()
    return next((each for each in _NUMBER.findall(left) if each not in rules.numbers), "")
