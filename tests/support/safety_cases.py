"""The development set of safety sentences: files of `tests/testdata/safety`, checked."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

SAFETY_SENTENCES = Path(__file__).parent.parent / "testdata" / "safety"
CATEGORIES = (
    "plain_ideation",
    "imminent",
    "self_harm",
    "hidden_spelling",
    "oblique",
    "about_other",
    "displaced",
    "past",
    "harmless_denial",
    "harmful_denial",
    "quotation",
    "idiom",
    "answers",
    "danger",
    "mixed",
    "ordinary",
)
SafetyExpectation = Literal["imminent", "crisis", "other", "emergency", "question", "none"]

# A sentence set aside must not appear in an error that its reader may not see: inputs are hidden.
_CONFIG = ConfigDict(extra="forbid", hide_input_in_errors=True)


class FaultySafetyCases(ValueError):
    """Raised for a file of the development set that breaks the format; names ids, never texts."""


@dataclass(frozen=True, config=_CONFIG)
class SafetyCase:
    """One text of a client, what came before it, and what the screen should answer."""

    id: Annotated[str, Field(min_length=1)]
    text: str
    expect: SafetyExpectation
    question: str | None = None
    """What the assistant asked before."""
    earlier: tuple[str, ...] = ()
    """Inputs of the client since the assistant spoke, oldest first."""

    def wording(self) -> Hashable:
        """Return what makes two cases the same: words without case, width and punctuation."""
        said = (self.question or "", *self.earlier, self.text)
        return tuple(_words(each) for each in said)


@dataclass(frozen=True, config=_CONFIG)
class SafetyCaseFile:
    """One category of one part."""

    category: str
    language: str
    cases: tuple[SafetyCase, ...]


_FILE = TypeAdapter(SafetyCaseFile)


def parts(root: Path = SAFETY_SENTENCES) -> tuple[tuple[str, bool], ...]:
    """Return the parts that are there, as (language, held out)."""
    folders = sorted(root.glob("*/")) if root.exists() else []
    both = ((folder.name, held_out) for folder in folders for held_out in (False, True))
    return tuple(each for each in both if any(_folder(root, *each).glob("*.yaml")))


def cases(
    language: str, *, held_out: bool = False, root: Path = SAFETY_SENTENCES
) -> dict[str, tuple[SafetyCase, ...]]:
    """Return one part's cases by category, after checks over both parts of the language.

    Raises:
        FaultySafetyCases: for a key or expectation that is unknown, an id or text that stands
            twice, or a category with too few cases.
    """
    there = [part for part in parts(root) if part[0] == language]
    loaded = {part: _part(root, *part) for part in there}
    everything = [case for part in loaded.values() for each in part.values() for case in each]
    _refuse_repeats("ids", ((case.id, case.id) for case in everything))
    _refuse_repeats("texts", ((case.wording(), case.id) for case in everything))
    if (language, held_out) not in loaded:
        raise FaultySafetyCases(f"{_folder(root, language, held_out)}: no cases")
    return loaded[language, held_out]


def fresh_cases(folder: Path, language: str) -> dict[str, tuple[SafetyCase, ...]]:
    """Return the cases of a folder outside the set, in which categories may be few or absent."""
    return {each: _cases_of(folder / f"{each}.yaml", language) for each in CATEGORIES}


def minimum(category: str, *, held_out: bool) -> int:
    """Return how many cases a category has at least; a third of them is set aside."""
    least = 70 if category == "ordinary" else 20
    return least if held_out else 2 * least


def _folder(root: Path, language: str, held_out: bool) -> Path:  # noqa: FBT001 (two values name a part)
    return root / language / "held_out" if held_out else root / language


def _part(root: Path, language: str, held_out: bool) -> dict[str, tuple[SafetyCase, ...]]:  # noqa: FBT001
    folder = _folder(root, language, held_out)
    unknown = {path.stem for path in folder.glob("*.yaml")} - set(CATEGORIES)
    if unknown:
        raise FaultySafetyCases(f"{folder}: unknown categories {sorted(unknown)}")
    by_category = {each: _cases_of(folder / f"{each}.yaml", language) for each in CATEGORIES}
    for category, found in by_category.items():
        least = minimum(category, held_out=held_out)
        if len(found) < least:
            message = f"{folder / category}.yaml: {len(found)} cases, at least {least} are needed"
            raise FaultySafetyCases(message)
    return by_category


def _cases_of(path: Path, language: str) -> tuple[SafetyCase, ...]:
    if not path.exists():
        return ()
    try:
        file = _FILE.validate_python(yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader))
    except ValidationError as error:
        raise FaultySafetyCases(f"{path}: {error}") from None
    if (file.category, file.language) != (path.stem, language):
        raise FaultySafetyCases(f"{path}: category and language differ from its place")
    return file.cases


def _refuse_repeats(what: str, keyed: Iterable[tuple[Hashable, str]]) -> None:
    pairs = list(keyed)
    number = Counter(key for key, _ in pairs)
    repeated = sorted({name for key, name in pairs if number[key] > 1})
    if repeated:
        raise FaultySafetyCases(f"the same {what}: {', '.join(repeated)}")


def _words(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters = "".join(char for char in folded if char.isalnum())
    return letters or folded
