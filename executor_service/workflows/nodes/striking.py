"""Strikes secrets out of what a node gives: as they are, and in the spellings that servers echo."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import TypeAlias
from urllib.parse import quote, quote_plus

import orjson

from heartrule.domain.json_value import JsonValue

MARK = "***"
"""What stands in the place of a secret."""
Forms: TypeAlias = tuple[str, ...]


def forms_of(secrets: Iterable[str]) -> Forms:
    """Return all spellings of the secrets, the longest first.

    Beside the text itself: percent-encoded, escaped as in JSON, and as a part of base64.
    """
    found = (form for secret in secrets for form in _forms(secret))
    return tuple(sorted(set(found), key=len, reverse=True))


def _forms(secret: str) -> Iterable[str]:
    yield secret
    yield quote(secret, safe="")
    yield quote_plus(secret)
    yield orjson.dumps(secret).decode()[1:-1]
    raw = secret.encode()
    for before in range(3):
        # Within base64 a text has three spellings; those of its neighbours' bits are left out.
        whole = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        rest = (before + len(raw)) % 3
        kept = whole[(0, 2, 3)[before] : len(whole) - (1 if rest else 0)]
        yield kept
        yield kept.replace("+", "-").replace("/", "_")


def struck_text(text: str, forms: Forms) -> str:
    """Return a text with a mark in the place of each secret."""
    for form in forms:
        text = text.replace(form, MARK)
    return text


def struck(value: JsonValue, forms: Forms) -> JsonValue:
    """Return a value with every secret struck out of its texts, keys and numbers."""
    if isinstance(value, str):
        return struck_text(value, forms)
    if isinstance(value, Mapping):
        return {struck_text(key, forms): struck(each, forms) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [struck(each, forms) for each in value]
    if isinstance(value, int | float) and str(value) in forms:
        return MARK
    return value
