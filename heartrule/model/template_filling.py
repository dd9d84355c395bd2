"""Filling placeholders in one pass (SCRIPT-LANGUAGE, Placeholders).

Values are never scanned: what a client typed as `{{task}}` arrives in the prompt as `{{task}}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from heartrule.domain.json_value import JsonValue

# Texts and lines whose placeholders are known; there are few, and they are used every turn.
_REMEMBERED = 2_048
# How a line without placeholders ends that names the lines below it.
_LABEL_ENDS = ("】", "：", ":")
# How the lines below it begin.
_OF_A_LABEL = ("{", "- ")
_NAME = r"[^\W\d]\w*"
_PATTERN = re.compile(
    rf"\$\{{(?P<dollar>{_NAME})\}}"
    rf"|\{{\{{(?P<double>{_NAME})\}}\}}"
    rf"|\{{%(?P<system>{_NAME})%\}}"
    rf"|\{{(?P<single>{_NAME})\}}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """One placeholder of a template."""

    name: str
    """The name inside the brackets."""
    written: str
    """The whole of it: `${x}`, `{{x}}`, `{x}` or `{%x%}`."""
    system_only: bool
    """True for `{%x%}`, which never reads a script variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledTemplate:
    """A template after filling."""

    text: str
    """The text with every placeholder replaced."""
    missing: tuple[str, ...] = ()
    """Names nothing filled, each once, in order; they were left empty."""


def placeholders(text: str) -> tuple[Placeholder, ...]:
    """List the placeholders of a template, from left to right."""
    return tuple(_placeholder(match) for match in _PATTERN.finditer(text))


def fill(
    template_text: str,
    system: Mapping[str, str],
    script: Mapping[str, JsonValue],
    *,
    written: Callable[[str], str] = str,
) -> FilledTemplate:
    """Replace each placeholder once; script variables win, except in `{%x%}`.

    Args:
        template_text: The only text that is scanned.
        system: System variables, already text.
        script: Script variables; rendered by `value_in_text`.
        written: What the text of a script variable becomes; a prompt quotes it.
    """
    if "{" not in template_text:
        return FilledTemplate(text=template_text)
    missing: dict[str, None] = {}
    pieces: list[str] = []
    for before, name, always_system in _pieces(template_text):
        pieces.append(before)
        if not always_system and name in script:
            pieces.append(written(value_in_text(script[name])))
        elif name in system:
            pieces.append(system[name])
        elif name:
            missing[name] = None
    return FilledTemplate(text="".join(pieces), missing=tuple(missing))


def fill_lines(
    section: str,
    system: Mapping[str, str],
    script: Mapping[str, JsonValue],
    *,
    written: Callable[[str], str] = str,
) -> FilledTemplate:
    """Fill a template's section; the arguments are those of `fill`.

    A line whose placeholders are all empty is left out. So is a label where all its lines are: a
    line without placeholders that ends in a colon or in 】. Its lines are those below it that begin
    with a placeholder or with `- `.
    """
    kept, missing = _KeptLines(), dict[str, None]()
    for line in section.split("\n"):
        if len(_pieces(line)) == 1:
            kept.plain(line)
            continue
        filled = fill(line, system, script, written=written)
        missing.update(dict.fromkeys(filled.missing))
        if not line.startswith(_OF_A_LABEL):
            kept.end_label()
        kept.filled(filled.text if _says_something(line, system, script) else None)
    return FilledTemplate(text="\n".join(kept.end_label()), missing=tuple(missing))


class _KeptLines:
    def __init__(self) -> None:
        self._kept: list[str] = []
        self._label: list[str] = []
        self._left_out = False

    def plain(self, line: str) -> None:
        self.end_label()
        (self._label if line.endswith(_LABEL_ENDS) else self._kept).append(line)

    def filled(self, text: str | None) -> None:
        if text is None:
            self._left_out = True
            return
        self._kept += [*self._label, text]
        self._label = []

    def end_label(self) -> list[str]:
        """Return the lines so far; a label whose lines were all left out is none of them."""
        if not self._left_out:
            self._kept += self._label
        self._label, self._left_out = [], False
        return self._kept


def _says_something(line: str, system: Mapping[str, str], script: Mapping[str, JsonValue]) -> bool:
    for _, name, always_system in _pieces(line):
        by_script = not always_system and name in script
        if render_value(script[name]) if by_script else system.get(name):
            return True
    return False


@lru_cache(maxsize=_REMEMBERED)
def _pieces(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Cut a text at its placeholders: the text before each, its name, whether it is `{%x%}`.

    The last piece has no name.
    """
    cut: list[tuple[str, str, bool]] = []
    done = 0
    for match in _PATTERN.finditer(text):
        place = _placeholder(match)
        cut.append((text[done : match.start()], place.name, place.system_only))
        done = match.end()
    return (*cut, (text[done:], "", True))


def value_in_text(value: JsonValue) -> str:
    """Return a variable's value as people and models read it: a record without JSON's signs.

    Records of a list are parted by a semicolon. The signs are Chinese where a value or a name is.
    """
    records = value if isinstance(value, list | tuple) else (value,)
    parts = [
        [(str(name), render_value(part)) for name, part in each.items()]
        for each in records
        if isinstance(each, Mapping)
    ]
    if not parts or len(parts) < len(records):
        return render_value(value)
    plain = all(map(str.isascii, chain.from_iterable(chain.from_iterable(parts))))
    colon, comma, end = (": ", ", ", "; ") if plain else ("：", "，", "；")
    return end.join(comma.join(map(colon.join, each)) for each in parts)


def render_value(value: JsonValue) -> str:
    """Return a variable's value as text: whole numbers without .0, lists joined by 、 or a comma.

    The comma stands in a list that has ASCII characters alone.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Sequence):
        items = [render_value(item) for item in value]
        return (", " if all(map(str.isascii, items)) else "、").join(items)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)


def _placeholder(match: re.Match[str]) -> Placeholder:
    form = match.lastgroup or ""
    return Placeholder(name=match[form], written=match[0], system_only=form == "system")
