"""Divides a text into sentences, and long ones into pieces that overlap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# Sentences end here; a comma ends a clause only.
# A question and its short answer are one: 自杀?没有. A sentence ends behind its quotation mark.
_NO = (
    "没有|没想|没那|不会|怎么会|哪有|才不|当然不|不可能|不,|不是,|不存在|不至于|从来没|从没|绝对没"
    "|真没|谁会|哪能|哪会|哪里会|别逗|我可不|我才不|我哪|我怎么[会可]|我没|我可没|我不会"
    "| ?(?:no|nope|nah|never|not|me(?! (?:too|as well)))\\b"
)
_SENTENCE = re.compile(rf"(?!\?(?:{_NO}))[.!?。!?;\n…~]+(?![\"”])")
# Longer sentences are looked at in pieces, which overlap by more than a pattern is long.
_LONGEST = 600
_OVERLAP = 80
# Characters before a sentence in which a person may be named whom it is about.
_BEFORE = 160


def sentence_pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield each sentence, long ones in overlapping pieces, with the text before it."""
    start = 0
    for low, high in (*(end.span() for end in _SENTENCE.finditer(text)), (len(text),) * 2):
        sentence, before = text[start:low], text[max(0, start - _BEFORE) : start]
        start = high
        for piece in _parts(sentence):
            yield piece, before


def _parts(sentence: str) -> Iterable[str]:
    if len(sentence) <= _LONGEST:
        return (sentence,)
    lows = range(0, len(sentence) - _OVERLAP, _LONGEST - _OVERLAP)
    return dict.fromkeys(sentence[low : low + _LONGEST] for low in lows)
