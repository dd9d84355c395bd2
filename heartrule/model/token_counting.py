"""Tokens of a text: counted where its encoding is at hand, else estimated from its script.

Nothing here downloads. tiktoken's wheel holds no encodings, and fetches a missing one; so its file
is looked for first, where tiktoken itself looks, and compared with its hash.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from string import ascii_letters
from typing import TypeAlias

from heartrule.model.ports import ChatMessage

# Tokens a server adds: around each message, and before the reply.
PER_MESSAGE = 4
PER_PROMPT = 3
# Beyond it an encoder takes seconds for some texts; such a text is estimated.
_LONGEST_COUNTED = 50_000
# Texts whose count is remembered: the messages of a hundred conversations.
_REMEMBERED = 4_096

# Characters per token, on the cautious side of what vocabularies of 2023 to 2026 need. Letters of
# ASCII and spaces: English has 4.2.
_LETTERS = 3.0
# Digits, signs and line breaks: each may be a token.
_SIGNS = 1.0
_LETTERS_AND_SPACE = f"{ascii_letters} ".encode()
# Two bytes of UTF-8: Latin with accents, Greek, Cyrillic, Hebrew, Arabic.
_ALPHABETS = 1.4
# Three bytes: Chinese, Japanese, Korean, Thai, the scripts of India. Chinese has 0.77 to 1.7.
_WIDE = 0.8
# Four bytes: emoji and rare characters.
_RARE = 0.4

TextCounter: TypeAlias = Callable[[str], int]
# Tokens of a text by kinds of characters, which a model may need more or fewer of than expected.
Parts: TypeAlias = tuple[float, ...]
PartCounter: TypeAlias = Callable[[str], Parts]

# Where tiktoken keeps an encoding: the file's name (the SHA-1 of its address) and its SHA-256.
FILES: Mapping[str, tuple[str, str]] = {
    "cl100k_base": (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
    "o200k_base": (
        "fb374d419588a4632f3f557e76b4b70aebbca790",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
}


class RememberedCounts:
    """A counter that knows what it has counted; it keeps hashes and lengths, and no text."""

    def __init__(self, count: PartCounter) -> None:
        """Begin with none."""
        self._count = count
        self._known: dict[tuple[int, int], Parts] = {}

    def __call__(self, text: str) -> Parts:
        """Return the tokens of a text."""
        name = (hash(text), len(text))
        found = self._known.get(name)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[name] = self._count(text)
        return found


def _estimate(text: str) -> Parts:
    """Return the tokens of letters, signs, alphabets, wide and rare characters."""
    size, in_ascii = len(text), text.encode("ascii", "ignore")
    ascii_ = len(in_ascii)
    signs = len(in_ascii.translate(None, _LETTERS_AND_SPACE))
    letters = (ascii_ - signs) / _LETTERS
    if ascii_ == size:
        return letters, signs / _SIGNS, 0.0, 0.0, 0.0
    octets = len(text.encode("utf-8", "surrogatepass"))
    rare = len(text.encode("utf-16-le", "surrogatepass")) // 2 - size
    # Of the other characters each has two or three bytes.
    others = size - ascii_ - rare
    wide = octets - ascii_ - 4 * rare - 2 * others
    alphabets = others - wide
    return letters, signs / _SIGNS, alphabets / _ALPHABETS, wide / _WIDE, rare / _RARE


# Returns about how many tokens of each kind a text has; for most models it has fewer.
estimated_parts: PartCounter = RememberedCounts(_estimate)


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(sum(estimated_parts(text)))


def tokens_of(messages: Iterable[ChatMessage], count: TextCounter) -> int:
    """Return the tokens of a prompt, with those that a server adds."""
    return PER_PROMPT + sum(PER_MESSAGE + count(each.content) for each in messages)


def encoding_file(
    encoding: str,
    environ: Mapping[str, str] = os.environ,
    files: Mapping[str, tuple[str, str]] = FILES,
) -> Path | None:
    """Return the file of an encoding; None where it is not on this machine, or is another one."""
    if encoding not in files:
        return None
    name, sha256 = files[encoding]
    folder = environ.get("TIKTOKEN_CACHE_DIR", environ.get("DATA_GYM_CACHE_DIR"))
    if folder == "":  # tiktoken takes it for "keep nothing", and would download
        return None
    path = Path(folder or Path(tempfile.gettempdir(), "data-gym-cache")) / name
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return path if hashlib.sha256(content).hexdigest() == sha256 else None


def exact_counter(
    encoding: str,
    environ: Mapping[str, str] = os.environ,
    files: Mapping[str, tuple[str, str]] = FILES,
) -> PartCounter | None:
    """Return a counter of that encoding's tokens; None where it cannot be had without a download.

    It takes up to a second of the processor: call it once, and beside the event loop.
    """
    if encoding_file(encoding, environ, files) is None or find_spec("tiktoken") is None:
        return None
    encode = import_module("tiktoken").get_encoding(encoding).encode_ordinary

    def count(text: str) -> Parts:
        long = len(text) > _LONGEST_COUNTED
        return (float(estimated_tokens(text) if long else len(encode(text))),)

    return RememberedCounts(count)
