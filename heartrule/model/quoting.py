"""Quotes foreign text in a prompt, so that no part of it can pass for the prompt's own.

A prompt's headings are in 【】 at the beginning of a line. Quoted text has neither: its brackets
become 〔〕, and its lines begin with `> ` or behind words of the prompt's own. The rule uses no
random marker, so that equal prompts stay equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from heartrule.domain.conversation import Role
from heartrule.domain.monitoring import ClientReply, DialogueLine

_SPEAKERS: Mapping[Role, str] = MappingProxyType(
    {
        Role.CLIENT: "来访者",
        Role.ASSISTANT: "助手",
        Role.COUNSELLOR: "咨询师",
        Role.SYSTEM: "系统",
    }
)
# How a line of someone begins: in a dialogue, in replies by round, in a template's chat.
_SPEAKER = re.compile(
    rf"^(?:(?:{'|'.join(_SPEAKERS.values())}|第\d+轮)：|(?:user|assistant): )", re.MULTILINE
)
_BRACKETS = str.maketrans("【】", "〔〕")
_MARK = "> "


def quoted(text: str) -> str:
    """Return a text as a block of its own, each line behind `> `; an empty text stays empty."""
    return "\n".join(f"{_MARK}{line}" for line in text.translate(_BRACKETS).splitlines())


def continued(text: str) -> str:
    """Return a text that begins within a line of the prompt, its further lines behind `> `."""
    return f"\n{_MARK}".join(text.translate(_BRACKETS).splitlines())


def dialogue_text(lines: Iterable[DialogueLine], *, longest: int) -> str:
    """Return the dialogue, each message behind its speaker, so that none can invent a speaker.

    Of a text longer than `longest` characters the middle is left out.
    """
    return "\n".join(f"{_SPEAKERS[line.role]}：{_shortened(line.text, longest)}" for line in lines)


def replies_text(replies: Iterable[ClientReply], *, longest: int) -> str:
    """Return what a client replied, a line for each with its round; long ones as in a dialogue."""
    return "\n".join(f"第{each.round}轮：{_shortened(each.text, longest)}" for each in replies)


def last_speaker(text: str, begin: int, end: int) -> str:
    """Return who speaks at `end` of a dialogue, as its line begins; empty: who spoke at `begin`."""
    lines = [found[0] for found in _SPEAKER.finditer(text, begin, end) if found.start()]
    return lines[-1] if lines else ""


def _shortened(text: str, longest: int) -> str:
    half = longest // 2
    short = text if len(text) <= longest else f"{text[:half]}……（略）……{text[-half:]}"
    return continued(short)
