"""What the doctor finds: lines of sections, each fine, doubtful or wrong. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.json_value import JsonValue
from heartrule.words.failures import failure_sentence
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, say, told
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

    subject: Said
    text: Said = ""
    """What is the case, in a sentence or less; what begins it where a model failed."""
    failure: Mapping[str, str] = field(default_factory=dict)
    """The facts of a model that gave no answer; their sentence ends with the remedy."""
    level: FindingLevel = FindingLevel.OK
    remedy: Said = ""
    """What its reader can do; empty where all is well."""

    def told(self, language: ReaderLanguage) -> str:
        """Return what is the case, on one line."""
        said = told(self.text, language) + failure_sentence(self.failure, language)
        return clean(said).replace("\n", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorSection:
    """Findings of one kind."""

    title: Said
    findings: tuple[DoctorFinding, ...]


def exit_code(sections: Iterable[DoctorSection]) -> int:
    """Return 2 where anything is wrong, 1 where anything is doubtful, else 0."""
    return max((_EXIT_CODES[each.level] for one in sections for each in one.findings), default=0)


def section_lines(
    section: DoctorSection, style: Style, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield a heading and a line for each finding; remedies stand below what they mend."""
    yield style.bold(told(section.title, language))
    subjects = [clean(told(each.subject, language)) for each in section.findings]
    columns = max(map(width, subjects), default=0)
    for each, subject in zip(section.findings, subjects, strict=True):
        text = _marked(each, language)
        is_fine = each.level is FindingLevel.OK
        yield f"  {padded(subject, columns)}  {text if is_fine else style.warn(text)}"
        if each.remedy:
            yield " " * (columns + _INDENT) + clean(f"→ {told(each.remedy, language)}")


def _marked(finding: DoctorFinding, language: ReaderLanguage) -> str:
    """Return a finding's sentence behind the word for its level, where it is not fine."""
    text = finding.told(language)
    if finding.level is FindingLevel.OK:
        return text
    return say(f"cli.doctor.{finding.level}", text=text).told(language)


def closing_line(
    sections: Iterable[DoctorSection], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return how many findings ask for something."""
    levels = [each.level for one in sections for each in one.findings]
    counts = tuple(
        say(f"count.{level}", count=levels.count(level))
        for level in (FindingLevel.ERROR, FindingLevel.WARNING)
        if level in levels
    )
    closing = say("cli.list", items=counts) if counts else say("cli.doctor.all_well")
    return closing.told(language)


def page_json(
    sections: Iterable[DoctorSection], language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> dict[str, JsonValue]:
    """Return the page for tools."""
    whole = tuple(sections)
    return {
        "exit_code": exit_code(whole),
        "sections": [
            {
                "title": told(one.title, language),
                "findings": [
                    {
                        "subject": told(each.subject, language),
                        "level": each.level.value,
                        "text": each.told(language),
                        "remedy": told(each.remedy, language),
                    }
                    for each in one.findings
                ],
            }
            for one in whole
        ],
    }
