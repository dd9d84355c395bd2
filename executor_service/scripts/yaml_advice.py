"""Turns a YAML parser's complaint into advice for someone who does not know YAML."""

from __future__ import annotations

from dataclasses import dataclass

_QUOTED_STARTS = "{[%@`*&!>|"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxProblem:
    """Where and why the parser gave up."""

    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    problem: str
    """What the parser said."""
    text: str
    """The line it stands on."""


def advice(found: SyntaxProblem) -> str:
    """Return one sentence: what is wrong, and what would be right."""
    text, value = found.text, _value_part(found.text)
    if "\t" in text[: len(text) - len(text.lstrip())]:
        return "a tab stands at the beginning of the line; indent with spaces"
    if "end of stream" in found.problem:
        return "a quotation mark is never closed before the end of the file"
    if value[:1] in ("'", '"') and value.count(value[0]) > 2:
        return f"a quotation mark {value[0]} stands inside the quoted text; use 「」 or “” inside"
    if value and value[0] in _QUOTED_STARTS:
        return f"a text that begins with {value[0]} must stand in quotes: '{value[:30]}'"
    if "：" in text and ": " not in text and not text.rstrip().endswith(":"):
        return "a key is followed by the half-width colon `:` and a space, not by `：`"
    if ": " in value or value.endswith(":"):
        return "a text with `: ` in it must stand in quotes"
    if "mapping values" in found.problem:
        return "a key is not expected here; the line may be indented too far"
    if "entries are not allowed" in found.problem:
        return "a list item `-` must begin a line of its own"
    return f"not readable as YAML ({found.problem}); look at indentation and quotes near here"


def _value_part(line: str) -> str:
    """Return what follows the first `key: ` or `- ` of a line."""
    rest = line.strip().removeprefix("- ").lstrip()
    key, colon, value = rest.partition(": ")
    return value.strip() if colon and not key.startswith(("'", '"')) else rest
