"""Choices compared with a word that is none of their options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.checking.lint_reads import owners
from executor_service.scripts.checking.placeholders import spot_in
from executor_service.scripts.model.findings import Spot
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Script
from executor_service.scripts.model.wording import nearest, quoted
from heartrule.domain.output_type import OutputType

_NAME = r"\{(?P<name>[^\W\d]\w*)\}"
_EQUALS = re.compile(_NAME + r"""\s*[!=]=\s*(?P<texts>'[^'\\]*'|"[^"\\]*")""")
_AMONG = re.compile(_NAME + r"\s+in\s+\[(?P<texts>[^\]]*)\]")
_TEXT = re.compile(r"""'([^'\\]*)'|"([^"\\]*)\"""")
_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class _Comparison:
    name: str
    word: str
    spot: Spot


def check_options(script: Script, context: ReadContext) -> None:
    """Warn where a choice is compared with what it can never be, often a misspelt option."""
    compared = tuple(_comparisons(context))
    options = _options(script, context) if compared else {}
    for found in compared:
        allowed = options.get(found.name)
        if allowed and found.word not in allowed:
            meant = nearest(found.word, allowed)
            known = "、".join(list(allowed)[:_MOST_SHOWN])
            hint = f"did you mean '{meant}'?" if meant else f"its options: {known}"
            context.findings.warning(
                found.spot,
                f"`{found.name}` is never {quoted(found.word)}; {hint}",
                Rule.NEVER_EQUAL,
            )


def _comparisons(context: ReadContext) -> Iterator[_Comparison]:
    for name, word, spot in context.compared:
        yield _Comparison(name, word, spot)
    for node in context.conditions:
        for pattern in (_EQUALS, _AMONG):
            for match in pattern.finditer(node.text):
                for text in _TEXT.finditer(match["texts"]):
                    at = match.start("texts") + text.start()
                    word = text[1] if text[1] is not None else text[2]
                    yield _Comparison(match["name"], word, spot_in(node, at, context.text))


def _options(script: Script, context: ReadContext) -> dict[str, dict[str, None]]:
    """Return what each choice can be; a name something else may set as well is left out."""
    found: dict[str, dict[str, None]] = {}
    free = set(context.given)
    for _, _, _, action in script.walk():
        for output in action.config.output:
            if output.type is OutputType.CHOICE and output.options:
                found.setdefault(output.get, {}).update(dict.fromkeys(output.options))
            else:
                free.add(output.get)
    for owner in owners(script):
        for declaration in context.board.of(owner):
            if isinstance(declaration.value, str):
                found.get(declaration.var, {})[declaration.value] = None
    return {name: options for name, options in found.items() if name not in free}
