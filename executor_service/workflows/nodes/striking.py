"""Strikes secrets out of what a node gives: as they are, and in the spellings that servers echo."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias
from urllib.parse import quote, quote_plus

import orjson

from executor_service.workflows.nodes.node_access import LEAST_HIDDEN
from heartrule.domain.json_value import JsonValue

MARK = "***"
"""What stands in the place of a secret."""
Forms: TypeAlias = tuple[str, ...]
# Characters that percent-encoding leaves: none, those of Python's and of JavaScript's function.
_LEFT = ("", "/", "!'()*")
_ESCAPE = re.compile("%[0-9A-F]{2}")
# Of the beginning of a secret; fewer characters tell nothing.
_LEAST_PART = 4


def forms_of(secrets: Iterable[str]) -> Forms:
    """Return all spellings of the secrets, the longest first.

    Beside the text itself: on one line, percent-encoded, escaped as in JSON or HTML, and as a part
    of base64.
    """
    found = {form for secret in secrets for form in _forms(secret) if len(form) >= LEAST_HIDDEN}
    return tuple(sorted(filter(str.strip, found), key=len, reverse=True))


def _forms(secret: str) -> Iterable[str]:
    yield secret
    yield " ".join(secret.split())
    for encoded in (quote_plus(secret), *(quote(secret, safe=each) for each in _LEFT)):
        yield encoded
        yield _ESCAPE.sub(lambda found: found[0].lower(), encoded)
    yield orjson.dumps(secret).decode()[1:-1]
    ascii_json = json.dumps(secret)[1:-1]
    yield ascii_json
    yield ascii_json.replace("/", "\\/")
    yield html.escape(secret)
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


def struck_end(text: str, forms: Forms) -> str:
    """Return a text that may have been cut, without the beginning of a secret at its end."""
    text = text.rstrip("\ufffd")  # half a character, where bytes were cut
    sizes = (
        size
        for form in forms
        for size in range(_LEAST_PART, min(len(form), len(text)) + 1)
        if text.endswith(form[:size])
    )
    size = max(sizes, default=0)
    return text[:-size] + MARK if size else text


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
