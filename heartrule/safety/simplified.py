"""Traditional Chinese in simplified characters (the tables of OpenCC)."""

from __future__ import annotations

from functools import cache

import opencc


def simplified(text: str) -> str:
    """Return the text with traditional characters and words simplified."""
    return str(_converter().convert(text))


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")
