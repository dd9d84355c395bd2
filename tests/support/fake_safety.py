"""A screen that reads a level where its name is written, with the texts we ship."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.answers import Answer
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.safety_texts import load_safety_texts
from heartrule.safety.screen import ScreenContext, Screening


@cache
def shipped_texts() -> SafetyTexts:
    """Return the fixed texts we ship."""
    return load_safety_texts(Path(__file__).parents[2] / "_system" / "safety")


class WrittenScreen:
    """Finds the level whose name a text is, alone or behind those before it; in `NO` a denial."""

    @property
    def texts(self) -> SafetyTexts:
        """The texts we ship."""
        return shipped_texts()

    def screen(self, text: str, context: ScreenContext) -> Screening:
        """Return the level named."""
        for each in (text, "".join((*context.earlier, text))):
            if each in SafetyLevel.__members__:
                return Screening(level=SafetyLevel[each], rules=("written",))
        return Screening(answer=Answer.NO if text == "NO" else Answer.NONE)
