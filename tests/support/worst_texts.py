"""Long texts that make a screen work: hits without end, disguises, words that are all different."""

from __future__ import annotations

_UNITS = {
    "one letter": "a",
    "a hit without end": "我不想活了",
    "a hit in each clause": "I want to die but ",
    "a hit of another": "my friend said he wants to die. ",
    "reported hits": "我朋友说他不想活了，",
    "spaced letters": "s u i c i d e ",
    "stars": "s*",
    "accents": "e\u0301",
    "invisible marks": "自\u200b杀",
    "sounds": "zisha bxhl ",
    "negations": "not ",
    "full stops": "。",
    "quotation marks": '"',
    "emoji": "🔪🩸",
    "numbers": "1234567890 ",
}


def worst_texts(size: int) -> dict[str, str]:
    """Return texts of at most `size` bytes, by what makes them slow."""
    texts = {name: unit * (size // len(unit.encode())) for name, unit in _UNITS.items()}
    return texts | {"different words": " ".join(f"w{n}x" for n in range(size // 8))[:size]}
