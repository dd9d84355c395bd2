"""What the doctor finds: lines of sections, each fine, doubtful or wrong. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule_cli.style import Style
from heartrule_cli.text import clean, padded, width


class FindingLevel(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


_EXIT_CODES = {FindingLevel.OK: 0, FindingLevel.WARNING: 1, FindingLevel.ERROR: 2}
_INDENT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """One thing that was looked at."""

    subject: str
    text: str
    """What is the case, in a sentence or less."""
    level: FindingLevel = FindingLevel.OK
    remedy: str = ""
    """What its reader can do; empty where all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorSection:
    """Findings of one kind."""

    title: str
    findings: tuple[DoctorFinding, ...]


def exit_code(sections: Iterable[DoctorSection]) -> int:
    """Return 2 where anything is wrong, 1 where anything is doubtful, else 0."""
    return max((_EXIT_CODES[each.level] for one in sections for each in one.findings), default=0)


def section_lines(section: DoctorSection, style: Style) -> Iterator[str]:
    """Yield a heading and a line for each finding; remedies stand below what they mend."""
    yield style.bold(section.title)
    columns = max((width(clean(each.subject)) for each in section.findings), default=0)
    for each in section.findings:
        mark = "" if each.level is FindingLevel.OK else f"{each.level}: "
        subject = padded(clean(each.subject), columns)
        text = clean(f"{mark}{each.text}").replace("\n", " ")
        yield f"  {subject}  {style.warn(text) if mark else text}"
        if each.remedy:
            yield " " * (columns + _INDENT) + clean(f"→ {each.remedy}")


def closing_line(sections: Iterable[DoctorSection]) -> str:
    """Return how many findings ask for something."""
    levels = [each.level for one in sections for each in one.findings]
    counts = [
        (levels.count(level), level.value) for level in (FindingLevel.ERROR, FindingLevel.WARNING)
    ]
    told = [f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counts if count]
    return ", ".join(told) or "all is well"


def page_json(sections: Iterable[DoctorSection]) -> dict[str, JsonValue]:
    """Return the page for tools."""
    whole = tuple(sections)
    return {
        "exit_code": exit_code(whole),
        "sections": [
            {
                "title": one.title,
                "findings": [
                    {
                        "subject": each.subject,
                        "level": each.level.value,
                        "text": each.text,
                        "remedy": each.remedy,
                    }
                    for each in one.findings
                ],
            }
            for one in whole
        ],
    }
