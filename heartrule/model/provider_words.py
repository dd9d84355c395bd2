"""What a provider itself says of a failure, made fit to be shown: no key, no prompt, one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from heartrule.domain.json_value import JsonValue
from heartrule.model.context_errors import MOST_READ, parsed_body

_LONGEST_MESSAGE = 200
_LONGEST_CODE = 64
_REDACTED = "[key]"
# Keys as providers write and repeat them, whole or with stars in their middle.
_KEYS = re.compile(
    r"(?i:bearer)\s+[^\s\"',;]+"
    r"|\b(?:sk|pk|ak|rk|gsk|xai|key|tok)[-_][^\s\"',;.)]{4,}"
    r"|[\w-]*\*{2,}[\w*-]*"
    # A word of random letters and digits; a model's name has no twenty of them in a row.
    r"|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{20,}\b"
)
# Signs in a row that a message and a prompt have in common by no chance; a Chinese one counts two.
_ECHO = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderWords:
    """An error as its provider puts it."""

    message: str = ""
    code: str = ""
    is_json: bool = False
    """Whether it came as an API writes errors; a page of HTML did not."""


def provider_words(
    error: bytes | JsonValue, *, key: str = "", sent: Sequence[str] = ()
) -> ProviderWords:
    """Return what an error says.

    Args:
        error: The body of a response, or the error in a stream.
        key: The key that was sent; neither it nor anything that looks like one is returned.
        sent: The texts of the prompt; what an error repeats of them is left out.
    """
    value = parsed_body(error) if isinstance(error, bytes) else error
    if not isinstance(value, dict):
        text = value if isinstance(value, str) and not _is_markup(value) else ""
        return ProviderWords(message=_shown(text, key, sent))
    inner = value.get("error", value)
    fields = inner if isinstance(inner, dict) else {"message": inner}
    message = fields.get("message") or fields.get("detail") or value.get("message") or ""
    code = fields.get("code") or fields.get("type") or ""
    return ProviderWords(
        message=_shown(message if isinstance(message, str) else "", key, sent),
        code=_shown(str(code), key, sent)[:_LONGEST_CODE],
        is_json=True,
    )


def shown_url(url: str) -> str:
    """Return an address without user, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def is_page(beginning: bytes) -> bool:
    """Return whether an answer is a page for people; events begin with another sign."""
    return beginning.lstrip().startswith(b"<")


def _is_markup(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("<")


def _shown(text: str, key: str, sent: Sequence[str]) -> str:
    text = text[:MOST_READ]
    if key:
        text = text.replace(key, _REDACTED)
    line = " ".join(_without(_KEYS.sub(_REDACTED, text), sent).split())
    plain = "".join(sign for sign in line if sign.isprintable())
    return plain if len(plain) <= _LONGEST_MESSAGE else plain[: _LONGEST_MESSAGE - 1] + "…"


def _without(text: str, sent: Sequence[str]) -> str:
    """Return a text without the runs of signs that a prompt has too."""
    repeated = [False] * len(text)
    for begin in range(len(text)):
        end, weight = begin, 0
        while end < len(text) and weight < _ECHO:
            weight += 1 if text[end].isascii() else 2
            end += 1
        if weight >= _ECHO and any(text[begin:end] in each for each in sent):
            repeated[begin:end] = [True] * (end - begin)
    signs = ("\0" if gone else sign for sign, gone in zip(text, repeated, strict=True))
    return re.sub("\0+", "…", "".join(signs))
