"""Turns a YAML parser's complaint into advice for someone who does not know YAML."""

from __future__ import annotations

from dataclasses import dataclass

_QUOTED_STARTS = "{[%@`*&!>|"
_FULL_WIDTH = "a key is followed by the half-width colon `:` and a space, not by `：`"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxProblem:
    """Where and why the parser gave up."""

    lines: tuple[str, ...]
    """All lines of the file."""
    line: int
    """Counted from 1; may be one past the last."""
    column: int
    """Counted from 1."""
    problem: str
    """The parser's own message."""

    @property
    def text(self) -> str:
        """The line itself."""
        return self.lines[self.line - 1] if self.line <= len(self.lines) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxAdvice:
    """What is wrong, and what would be right; a parser notices some mistakes a line too late."""

    line: int
    column: int
    message: str


def advise(found: SyntaxProblem) -> SyntaxAdvice:
    """Return one sentence about a syntax error, at the place an author should look at."""
    for line in (found.line - 1, found.line):
        text = found.lines[line - 1] if 1 <= line <= len(found.lines) else ""
        if _is_full_width_key(text):
            return SyntaxAdvice(line=line, column=text.index("：") + 1, message=_FULL_WIDTH)
    return SyntaxAdvice(line=found.line, column=found.column, message=_message(found))


def _is_full_width_key(text: str) -> bool:
    head, colon, _ = text.strip().removeprefix("- ").partition("：")
    return bool(colon) and head.replace("_", "").isascii() and head.replace("_", "").isalnum()


def _message(found: SyntaxProblem) -> str:
    text, value = found.text, _value_before(found.text, found.column)
    if "\t" in text[: len(text) - len(text.lstrip())]:
        return "a tab stands at the beginning of the line; indent with spaces"
    if "end of stream" in found.problem:
        return "a quotation mark is never closed before the end of the file"
    if "mapping values" in found.problem:
        return _about_colon(text[: found.column - 1])
    if "entries are not allowed" in found.problem:
        return "a list item `-` must begin a line of its own"
    if value[:1] in {"'", '"'} and value.count(value[0]) > 2:
        return f"a quotation mark {value[0]} stands inside the quoted text; use 「」 or “” inside"
    if value and value[0] in _QUOTED_STARTS:
        return f"a text that begins with {value[0]} must stand in quotes: '{value[:30]}'"
    return f"not readable as YAML ({found.problem}); look at indentation and quotes near here"


def _about_colon(before: str) -> str:
    if ": " in before:
        return "a text with `: ` in it must stand in quotes"
    return "a key is not expected here; the line may be indented too far or too little"


def _value_before(line: str, column: int) -> str:
    """Return what follows the first `key: ` or `- ` of a line, if it begins before `column`."""
    rest = line.strip().removeprefix("- ").lstrip()
    key, colon, value = rest.partition(": ")
    found = value.strip() if colon and not key.startswith(("'", '"')) else rest
    return found if line.find(found) < column else ""
