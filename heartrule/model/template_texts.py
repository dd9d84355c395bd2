"""What a template's text is to a reply: the shape it is asked in, and pieces it may copy. Pure.

A value that equals a piece is the template's, and nobody's answer (RESOLUTIONS C36).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from heartrule.model.reply.prose import bare

# Where a sentence of a template ends; a colon ends what it introduces.
_SENTENCE_END = re.compile(r"[\n。；！？：]|[:.;!?](?=\s|$)")
_QUOTATION = re.compile(r"「([^」\n]+)」|“([^”\n]+)”")
# A name of the contract, such as `action_feedback`, which a reply is to hold.
_WORD = re.compile(r"[-*\s]*\w+", re.ASCII)
# Shorter ones are words that an answer may well be: 没有, 得了, mild.
_SHORTEST_SENTENCE = 8
_SHORTEST_QUOTATION = 4
_SHORTEST_EXAMPLE = 2


def template_pieces(texts: Iterable[str]) -> frozenset[str]:
    """Return the sentences, quotations and example values of texts, bare of spaces and signs."""
    return frozenset(piece for text in texts for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        yield from _long_enough(sentence, _SHORTEST_SENTENCE)
    for quotation in _QUOTATION.finditer(text):
        yield from _long_enough(quotation[1] or quotation[2], _SHORTEST_QUOTATION)
    for line in text.splitlines():
        if line.startswith('{"'):
            for value in _texts_in(line):
                yield from _long_enough(value, _SHORTEST_EXAMPLE)


def _texts_in(line: str) -> Iterator[str]:
    """Return the texts of an example, which stands as JSON on one line."""
    try:
        values: list[object] = [json.loads(line)]
    except ValueError:
        return
    while values:
        value = values.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            values += value.values()
        elif isinstance(value, list):
            values += value


def _long_enough(text: str, least: int) -> Iterator[str]:
    plain = bare(text)
    if len(plain) >= least and not _WORD.fullmatch(text.strip()):
        yield plain


_DOTS = "…"
#: A decision of an agent; its payload differs by its type.
_DECISION = {"decision_type": _DOTS, "confidence": _DOTS, "payload": {_DOTS: _DOTS}}


def reply_shape(names: Iterable[str], *, quotes: bool) -> str:
    """Return the JSON object of some fields, in their order.

    Args:
        names: Dotted names, as in a template's front matter.
        quotes: True where a variable stands beside the client's words that say it.
    """
    shape: dict[str, object] = {}
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        group, _, inner = name.partition(".")
        if inner:
            shape[group] = groups.setdefault(group, {})
            groups[group][inner] = _DOTS
        elif name == "variables":
            shape[name] = {_DOTS: {"value": _DOTS, "quote": _DOTS} if quotes else _DOTS}
        elif name == "decisions":
            shape[name] = [_DECISION]
        else:
            shape[name] = _DOTS
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
