"""The data of the crisis path as one: the rules of the screen, and the fixed texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from heartrule.domain.errors import FieldViolation
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.data_files import InvalidSafetyFile, refuse_faults
from heartrule.safety.safety_files import load_screen
from heartrule.safety.safety_texts import load_safety_texts
from heartrule.safety.screen import SafetyScreen, ScreenContext, Screening

T = TypeVar("T")


class ClientScreen(Protocol):
    """The rules of the crisis path: how grave a client's text is, and what is said then."""

    @property
    def texts(self) -> SafetyTexts:
        """The fixed texts."""

    def screen(self, text: str, context: ScreenContext) -> Screening:
        """Return what a text means behind a question and earlier inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisRules:
    """What decides how grave a text is, and what is said then."""

    screen: SafetyScreen
    texts: SafetyTexts


def load_crisis_rules(folder: Path) -> CrisisRules:
    """Read all files of the crisis path.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: Files are absent or break their rules; one error has all faults of all.
    """
    violations: list[FieldViolation] = []
    screen = _read(load_screen, folder, violations)
    texts = _read(load_safety_texts, folder, violations)
    refuse_faults(violations)
    assert screen is not None, "what was not read has faults"
    assert texts is not None, "what was not read has faults"
    return CrisisRules(screen=screen, texts=texts)


def _read(load: Callable[[Path], T], folder: Path, violations: list[FieldViolation]) -> T | None:
    try:
        return load(folder)
    except InvalidSafetyFile as error:
        violations += error.violations
        return None
