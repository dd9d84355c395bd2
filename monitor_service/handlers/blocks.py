"""The layout of a block of advice, as document 000 prints it."""

from __future__ import annotations


def advice_block(*parts: tuple[str, str], closing: str) -> str:
    """Return titled parts and a closing sentence, a blank line between them.

    A part without text is left out; without a text in the first part there is no block at all
    (RESOLUTIONS C11).
    """
    if not parts[0][1]:
        return ""
    sections = [f"【{title}】\n{text}" for title, text in parts if text]
    return "\n\n".join((*sections, closing))
