"""Filling placeholders in one pass (SCRIPT-LANGUAGE, Placeholders; FACTS section 5).

Values are never scanned: what a client typed as `{{task}}` arrives in the prompt as `{{task}}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.json_value import JsonValue

_NAME = r"[^\W\d]\w*"
_PATTERN = re.compile(
    rf"\$\{{(?P<dollar>{_NAME})\}}"
    rf"|\{{\{{(?P<double>{_NAME})\}}\}}"
    rf"|\{{%(?P<system>{_NAME})%\}}"
    rf"|\{{(?P<single>{_NAME})\}}"
)


class PlaceholderForm(StrEnum):
    """The four ways to write a placeholder."""

    DOLLAR = "dollar"
    """`${x}`"""
    DOUBLE = "double"
    """`{{x}}`"""
    SYSTEM = "system"
    """`{%x%}`: always a system variable."""
    SINGLE = "single"
    """`{x}`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placeholder:
    """One placeholder of a template."""

    name: str
    """The name inside the brackets."""
    form: PlaceholderForm
    """How it is written."""
    start: int
    """Offset of its first character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
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
) -> Filled:
    """Replace each placeholder once; script variables win, except in `{%x%}`.

    Args:
        template_text: The only text that is scanned.
        system: System variables, already text.
        script: Script variables; rendered by `render_value`.
    """
    missing: dict[str, None] = {}

    def value_of(match: re.Match[str]) -> str:
        place = _placeholder(match)
        if place.form is not PlaceholderForm.SYSTEM and place.name in script:
            return render_value(script[place.name])
        if place.name in system:
            return system[place.name]
        missing[place.name] = None
        return ""

    text = _PATTERN.sub(value_of, template_text)
    return Filled(text=text, missing=tuple(missing))


def render_value(value: JsonValue) -> str:
    """Return a variable's value as prompt text: lists joined by 、, whole numbers without .0."""
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
        return "、".join(render_value(item) for item in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)


def _placeholder(match: re.Match[str]) -> Placeholder:
    form = PlaceholderForm(match.lastgroup or "")
    return Placeholder(name=match.group(form.value), form=form, start=match.start())
