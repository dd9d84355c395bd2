"""Words of a conversation as a block of a prompt."""

from __future__ import annotations

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


def dialogue_text(lines: Iterable[DialogueLine], *, longest: int) -> str:
    """Return the dialogue, one speaker a line; what else a speaker wrote is indented below.

    So nobody can put words into another's mouth by a line break. Of a text longer than `longest`
    characters the middle is left out.
    """
    return "\n".join(f"{_SPEAKERS[line.role]}：{_indented(line.text, longest)}" for line in lines)


def replies_text(replies: Iterable[ClientReply], *, longest: int) -> str:
    """Return what a client replied, a line for each with its round; long ones as in a dialogue."""
    return "\n".join(f"第{each.round}轮：{_indented(each.text, longest)}" for each in replies)


def _indented(text: str, longest: int) -> str:
    half = longest // 2
    short = text if len(text) <= longest else f"{text[:half]}……（略）……{text[-half:]}"
    return "\n  ".join(short.splitlines())
