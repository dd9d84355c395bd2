"""The screen's figures on the safety sentences: `python -m tests.support.safety_figures`.

Prints bare figures, of both parts; of the first part the ids that are decided otherwise with `-v`.
`--seen` leaves out the part set aside, `--folder DIR LANGUAGE` measures cases of another folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.screen import SafetyScreen, ScreenContext, Screening
from tests.support.safety_cases import SafetyCase, SafetyExpectation, cases, fresh_cases, parts
from tests.support.shipped_files import shipped_screen

_Z = 1.96  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class SafetyFigure:
    """How many of a number of cases were met."""

    met: int
    total: int

    @property
    def rate(self) -> float:
        """The share that was met."""
        return self.met / self.total if self.total else 0.0

    def interval(self) -> tuple[float, float]:
        """Return the Wilson interval of 95 %."""
        n = self.total
        if not n:
            return 0.0, 1.0
        centre = (self.rate + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
        half = _Z / (1 + _Z * _Z / n) * sqrt(self.rate * (1 - self.rate) / n + (_Z / n / 2) ** 2)
        return centre - half, centre + half

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.met:3}/{self.total:<3} {self.rate:.2f} [{low:.2f} {high:.2f}]"


def _frozen(found: Screening) -> bool:
    return found.level >= SafetyLevel.CRISIS


_MET: Mapping[SafetyExpectation, Callable[[Screening], bool]] = {
    "imminent": lambda found: found.level is SafetyLevel.IMMINENT,
    "crisis": _frozen,
    "emergency": lambda found: found.level is SafetyLevel.EMERGENCY,
    "other": lambda found: (
        found.level is SafetyLevel.THIRD_PARTY and found.subject is Subject.OTHER
    ),
    "question": lambda found: found.level >= SafetyLevel.CONCERN,
    "none": lambda found: found.level is SafetyLevel.NONE,
}

_PLAIN = ("plain_ideation", "imminent", "self_harm", "hidden_spelling", "mixed")
_QUIET = ("harmless_denial", "quotation", "idiom", "ordinary", "past", "answers")
_INDIRECT = ("oblique", "displaced", "past")


@dataclass(frozen=True, slots=True)
class ScreenedCase:
    """A case and what the screen says to it."""

    category: str
    case: SafetyCase
    found: Screening

    @property
    def met(self) -> bool:
        """Whether the case's expectation is met."""
        return _MET[self.case.expect](self.found)


def screened(
    screen: SafetyScreen, language: str, *, held_out: bool = False
) -> tuple[ScreenedCase, ...]:
    """Return every case of a part with what the screen says."""
    return read(screen, cases(language, held_out=held_out))


def read(
    screen: SafetyScreen, by_category: Mapping[str, Iterable[SafetyCase]]
) -> tuple[ScreenedCase, ...]:
    """Return every case with what the screen says."""
    return tuple(
        ScreenedCase(category, case, screen.screen(case.text, _context(case)))
        for category, found in by_category.items()
        for case in found
    )


def goals(done: Iterable[ScreenedCase]) -> dict[str, SafetyFigure]:
    """Return the figures of the goals: recall, false alarms, about others, indirect."""
    all_of = tuple(done)
    grave = [
        each
        for each in all_of
        if each.category in _PLAIN and each.case.expect in {"crisis", "imminent"}
    ]
    quiet = [each for each in all_of if each.category in _QUIET and each.case.expect == "none"]
    others = [each for each in all_of if each.case.expect == "other"]
    indirect = [
        each for each in all_of if each.category in _INDIRECT and each.case.expect != "none"
    ]
    return {
        "plainly stated": _figure(_frozen(each.found) for each in grave),
        "false alarms": _figure(not each.met for each in quiet),
        "about others": _figure(each.met for each in others),
        "about others, frozen": _figure(_frozen(each.found) for each in others),
        "oblique, displaced, past": _figure(
            each.found.level >= SafetyLevel.CONCERN for each in indirect
        ),
    }


def _figure(met: Iterable[bool]) -> SafetyFigure:
    known = tuple(met)
    return SafetyFigure(sum(known), len(known))


def _context(case: SafetyCase) -> ScreenContext:
    return ScreenContext(question=case.question or "", earlier=case.earlier)


def _by_category(done: Iterable[ScreenedCase]) -> dict[str, SafetyFigure]:
    sorted_by: dict[str, list[bool]] = {}
    for each in done:
        sorted_by.setdefault(each.category, []).append(each.met)
    return {category: _figure(met) for category, met in sorted_by.items()}


def _lines(screen: SafetyScreen, *, names: bool, seen: bool) -> Iterator[str]:
    there = [each for each in parts() if not (seen and each[1])]
    for language in sorted({language for language, _ in there}):
        both = [
            screened(screen, language, held_out=held_out)
            for held_out in (False, True)
            if (language, held_out) in there
        ]
        yield from _table(language, both)
        if names and (language, False) in there:
            yield from _otherwise(both[0])


def _table(language: str, columns: list[tuple[ScreenedCase, ...]]) -> Iterator[str]:
    for title, of in (("category", _by_category), ("goal", goals)):
        heads = ("development", "set aside")[: len(columns)]
        yield f"{language} {title}".ljust(30) + "".join(head.ljust(26) for head in heads)
        figures = [of(done) for done in columns]
        for name in figures[0]:
            yield _row(name, [column[name] for column in figures])


def _otherwise(done: Iterable[ScreenedCase]) -> Iterator[str]:
    for each in done:
        if not each.met:
            said = f"{each.found.level.name} {' '.join(each.found.rules)}"
            yield f"  {each.case.id}: {each.case.expect}, found {said} {each.found.excused}"


def _row(name: str, figures: list[SafetyFigure]) -> str:
    gap = f"{figures[0].rate - figures[1].rate:+.2f}" if len(figures) > 1 else ""
    return f"  {name:28}" + "".join(str(each).ljust(26) for each in figures) + gap


def _of_folder(screen: SafetyScreen, folder: Path, language: str, *, names: bool) -> Iterator[str]:
    done = read(screen, fresh_cases(folder, language))
    yield from _table(language, [done])
    if names:
        yield from _otherwise(done)


def _main(arguments: list[str]) -> None:
    screen, names = shipped_screen(), "-v" in arguments
    if "--folder" in arguments:
        at = arguments.index("--folder")
        folder, language = Path(arguments[at + 1]), arguments[at + 2]
        lines = _of_folder(screen, folder, language, names=names)
    else:
        lines = _lines(screen, names=names, seen="--seen" in arguments)
    for line in lines:
        print(line)  # noqa: T201 - its output


if __name__ == "__main__":
    _main(sys.argv[1:])
