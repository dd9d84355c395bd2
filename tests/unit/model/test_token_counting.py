"""Tokens counted without a download."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from heartrule.model.ports import ChatMessage
from heartrule.model.token_counting import (
    encoding_file,
    estimated_tokens,
    exact_counter,
    tokens_of,
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("The quick brown fox jumps over the lazy dog.", 15),
        ("我最近总是睡不好", 10),
        ("9f8a", 3),
        ("a\nb", 2),
        ("Я плохо сплю", 8),
        ("😀😀", 5),
        ("睡不好 at all 😀", 9),
        ("\ud83d", 1),
    ],
)
def test_estimates_by_script(text: str, tokens: int) -> None:
    """An estimate follows from how many characters of each script a text has."""
    assert estimated_tokens(text) == tokens


def test_messages_cost_more_than_their_text() -> None:
    """A server adds tokens around each message and before the reply."""
    messages = [ChatMessage(role="user", content="你好")] * 2
    assert tokens_of(messages, len) == 3 + 2 * (4 + 2)


@pytest.mark.parametrize("content", [None, b"another file"])
def test_no_encoding_without_its_file(content: bytes | None, tmp_path: Path) -> None:
    """An encoding whose file is absent, or is another one, is never asked for."""
    name = hashlib.sha1(b"", usedforsecurity=False).hexdigest()
    if content is not None:
        for known in ("9b5ad71b2ce5302211f9c61530b329a4922fc6a4", name):
            (tmp_path / known).write_bytes(content)
    environ = {"TIKTOKEN_CACHE_DIR": str(tmp_path)}
    assert encoding_file("cl100k_base", environ) is None
    assert exact_counter("cl100k_base", environ) is None


def test_an_encoding_at_hand_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where library and file are on the machine a text is counted; a very long one is not."""
    library = "class E:\n    encode_ordinary = list\ndef get_encoding(name):\n    return E\n"
    (tmp_path / "tiktoken.py").write_text(library)
    (tmp_path / "file").write_bytes(b"ranks")
    monkeypatch.delitem(sys.modules, "tiktoken", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    files = {"tiny": ("file", hashlib.sha256(b"ranks").hexdigest())}
    count = exact_counter("tiny", {"TIKTOKEN_CACHE_DIR": str(tmp_path)}, files)
    monkeypatch.delitem(sys.modules, "tiktoken", raising=False)
    assert count is not None
    assert (count("abcdef"), count("x" * 60_000)) == ((6.0,), (20_000.0,))


def test_a_cache_that_is_off_has_no_file() -> None:
    """An empty folder's name makes tiktoken download each time, so it counts nothing."""
    assert encoding_file("cl100k_base", {"TIKTOKEN_CACHE_DIR": ""}) is None


def test_unknown_encodings_have_no_file() -> None:
    """An encoding we know no file of is estimated."""
    assert exact_counter("", {}) is None
