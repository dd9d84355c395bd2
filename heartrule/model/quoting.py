"""Quotes foreign text in a prompt, so that no part of it can pass for the prompt's own.

A prompt's headings are in 【】 at the beginning of a line. Quoted text has neither: its brackets
become 〔〕, and its lines begin with `> ` or behind words of the prompt's own. The rule uses no
random marker, so that equal prompts stay equal.
"""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.domain.monitoring import ClientReply, DialogueLine
from heartrule.model.prompt_words import PromptWords

_BRACKETS = str.maketrans("【】", "〔〕")
_MARK = "> "


def quoted(text: str) -> str:
    """Return a text as a block of its own, each line behind `> `; an empty text stays empty."""
    return "\n".join(f"{_MARK}{line}" for line in text.translate(_BRACKETS).splitlines())


def continued(text: str) -> str:
    """Return a text that begins within a line of the prompt, its further lines behind `> `."""
    return f"\n{_MARK}".join(text.translate(_BRACKETS).splitlines())


def dialogue_text(lines: Iterable[DialogueLine], words: PromptWords, *, longest: int) -> str:
    """Return the dialogue, each message behind its speaker, so that none can invent a speaker.

    Of a text longer than `longest` characters the middle is left out.
    """
    said = ((words.speakers.of(line.role), line.text) for line in lines)
    return _labelled(said, words, longest)


def replies_text(replies: Iterable[ClientReply], words: PromptWords, *, longest: int) -> str:
    """Return what a client replied, a line for each with its round; long ones as in a dialogue."""
    said = ((words.round.format(round=each.round), each.text) for each in replies)
    return _labelled(said, words, longest)


def last_speaker(text: str, begin: int, end: int, words: PromptWords) -> str:
    """Return who speaks at `end` of a dialogue, as its line begins; empty: who spoke at `begin`."""
    starts = words.dialogue_starts().finditer(text, begin, end)
    lines = [found[0] for found in starts if found.start()]
    return lines[-1] if lines else ""


def _labelled(said: Iterable[tuple[str, str]], words: PromptWords, longest: int) -> str:
    shortened = ((who, _shortened(text, words, longest)) for who, text in said)
    return "\n".join(f"{who}{words.colon}{text}" for who, text in shortened)


def _shortened(text: str, words: PromptWords, longest: int) -> str:
    half = longest // 2
    short = text if len(text) <= longest else f"{text[:half]}{words.left_out}{text[-half:]}"
    return continued(short)
