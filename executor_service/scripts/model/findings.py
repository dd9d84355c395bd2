"""What checking a script finds: each finding at its `file:line:column`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from executor_service.scripts.model.repairs import FindingRepair
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.texts import CODES
from heartrule.domain.decisions import FindingCode
from heartrule.domain.errors import FieldViolation, InvalidScript
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Fact, Said, Words, say

# A file with more is no script; without a limit a generated one would fill the memory.
MAX_FINDINGS = 1_000


class FindingSeverity(StrEnum):
    """Whether a script with this finding can run."""

    ERROR = "error"
    """The script is refused."""
    WARNING = "warning"
    """The script runs; its author should look."""
    NOTE = "note"
    """The script runs, and may well be meant so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePlace:
    """A place in a file, both counted from 1; columns count characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Located(SourcePlace):
    """One finding: what is wrong, and what would be right."""

    message: str
    """In English, until it is told in a language."""
    severity: FindingSeverity = FindingSeverity.ERROR
    rule: CheckRule | FindingCode = CheckRule.OTHER
    """What it is about; in a workflow it is the gate's code."""
    repair: FindingRepair | None = None
    """What puts it right in the file; None where its author must."""
    words: Words | None = None
    """The message by its code; None where the catalogues do not have it."""

    @property
    def is_error(self) -> bool:
        """True when the script cannot run."""
        return self.severity is FindingSeverity.ERROR

    def told(self, language: ReaderLanguage) -> Located:
        """Return the finding with its message in a language, as far as the catalogues have it."""
        return self if self.words is None else replace(self, message=self.words.told(language))

    @property
    def where(self) -> str:
        """The place as `file:line:column`."""
        return SourcePlace.__str__(self)

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"

    @property
    def text(self) -> str:
        """The message, with `warning: ` or `note: ` before one that is no error."""
        return self.message if self.is_error else f"{self.severity.value}: {self.message}"


class Spot(Protocol):
    """Anything that has a place in a file."""

    @property
    def line(self) -> int:
        """Counted from 1."""

    @property
    def column(self) -> int:
        """Counted from 1."""


@dataclass(frozen=True, slots=True)
class At:
    """A bare spot."""

    line: int = 1
    column: int = 1


class Findings:
    """Collects the findings of one file while it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: list[Located] = []
        self._errors = 0

    @property
    def has_errors(self) -> bool:
        """True once an error was reported."""
        return self._errors > 0

    @property
    def is_full(self) -> bool:
        """True when further findings are no longer kept."""
        return len(self._found) > MAX_FINDINGS

    def error(
        self, spot: Spot, message: Said, rule: CheckRule | FindingCode = CheckRule.OTHER
    ) -> None:
        """Report an error that the catalogue of the script language does not have."""
        self._add(spot, message, FindingSeverity.ERROR, rule)

    def place(self, spot: Spot) -> SourcePlace:
        """Return a spot of the file as a place that the script keeps."""
        return SourcePlace(file=self.file, line=spot.line, column=spot.column)

    def report(
        self, code: str, spot: Spot, repair: FindingRepair | None = None, /, **facts: Fact
    ) -> None:
        """Report at `spot` what the catalogue has under a code, its braces filled with facts."""
        severity, rule = CODES[code]
        self._add(spot, say(code, **facts), FindingSeverity(severity), rule, repair)

    def clear(self) -> None:
        """Forget what was found so far."""
        self._found.clear()
        self._errors = 0

    def sorted(self) -> tuple[Located, ...]:
        """Return all findings from top to bottom, each once."""
        unique = dict.fromkeys(self._found)
        return tuple(sorted(unique, key=lambda found: (found.line, found.column)))

    def _add(
        self,
        spot: Spot,
        message: Said,
        severity: FindingSeverity,
        rule: CheckRule | FindingCode,
        repair: FindingRepair | None = None,
    ) -> None:
        self._errors += severity is FindingSeverity.ERROR
        if self.is_full:
            last = self._found[-1]
            if severity is FindingSeverity.ERROR and not last.is_error:
                self._found[-1] = replace(last, severity=severity)  # it represents errors too
            return
        if len(self._found) == MAX_FINDINGS:
            message, rule = say("too_many_findings"), CheckRule.TOO_LARGE
            repair = None
        self._found.append(
            Located(
                file=self.file,
                line=spot.line,
                column=spot.column,
                message=str(message),
                severity=severity,
                rule=rule,
                repair=repair,
                words=message if isinstance(message, Words) else None,
            )
        )


def invalid_script(
    findings: Sequence[Located],
    *,
    at_most: int | None = None,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> InvalidScript:
    """Return the error a caller gets for a script with errors.

    Args:
        findings: What checking found; warnings are left out.
        at_most: Violations to carry; None carries all. A status holds the first 20.
        language: Of the messages.

    Returns:
        An error whose metadata `error_count` is the total, however many it carries.
    """
    errors = [found.told(language) for found in findings if found.is_error]
    carried = errors if at_most is None else errors[:at_most]
    first = str(errors[0]) if errors else say("errors.none")
    more = say("errors.more", count=len(errors) - 1) if len(errors) > 1 else ""
    refusal = say("errors.script", first=first, more=more)
    return InvalidScript(
        refusal.told(language),
        reason="INVALID_SCRIPT",
        metadata={"error_count": str(len(errors))},
        violations=tuple(
            FieldViolation(field=found.where, description=found.message) for found in carried
        ),
    )
