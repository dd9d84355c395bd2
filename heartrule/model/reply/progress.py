"""The progress suggestion, synonyms included (RESOLUTIONS C16; REAL-MODELS 4.5)."""

from __future__ import annotations

import re
import unicodedata

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.domain.json_value import JsonValue

_LONGEST = 20
_GAPS = re.compile(r"[\s-]+")
_SYNONYMS = {
    ProgressSuggestion.CONTINUE_NEEDED: (
        "continue",
        "continue_need",
        "继续",
        "继续_needed",
        "需要继续",
    ),
    ProgressSuggestion.COMPLETED: ("complete", "完成", "已完成"),
    ProgressSuggestion.BLOCKED: ("block", "受阻", "抗拒"),
    ProgressSuggestion.OFF_TOPIC: ("offtopic", "跑题", "离题"),
}
_WORDS = {word: kind for kind, words in _SYNONYMS.items() for word in (kind.value, *words)}


def read_progress(value: JsonValue) -> ProgressSuggestion | None:
    """Return the suggestion a value names as a whole; None for anything else.

    A copied list of all values and whole sentences name none.
    """
    if not isinstance(value, str):
        return None
    word = _GAPS.sub("_", unicodedata.normalize("NFKC", value).strip().lower())
    return _WORDS.get(word) if len(word) <= _LONGEST else None
