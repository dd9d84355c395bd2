"""How much work a JSON text is: nothing else of the process runs while it is read."""

from __future__ import annotations

import re

MOST_WEIGHT = 500_000
"""Of an output: what is read within 50 ms, whatever it is made of."""
# A list or object takes as long as so many plain values, the garbage collector's part included.
_CONTAINER = 10
_TEXT = re.compile(rb'"(?:[^"\\]+|\\.)*+"')


def weight_of(written: bytes) -> int:
    """Return the number of values, a list or object counted as ten; at most a few too many.

    Where that is much, texts are passed over, which may hold the same signs.
    """
    rough = _signs(written, 0, len(written))
    if rough <= MOST_WEIGHT:
        return rough
    weight = at = 0
    for text in _TEXT.finditer(written):
        weight += _signs(written, at, text.start())
        at = text.end()
        if weight > MOST_WEIGHT:
            return weight
    return weight + _signs(written, at, len(written))


def _signs(written: bytes, start: int, end: int) -> int:
    containers = written.count(b"[", start, end) + written.count(b"{", start, end)
    return written.count(b",", start, end) + _CONTAINER * containers
