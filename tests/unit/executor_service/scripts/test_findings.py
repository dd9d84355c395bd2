"""How findings are printed, and the error a caller gets."""

from __future__ import annotations

from executor_service.scripts.model.findings import (
    MAX_FINDINGS,
    At,
    Findings,
    FindingSeverity,
    Located,
    invalid_script,
)
from heartrule.words.words import say


def error(line: int, message: str = "wrong") -> Located:
    """Return an error of a file."""
    return Located(file="a.yaml", line=line, column=2, message=message)


def test_an_error_prints_its_place_and_its_message() -> None:
    """`file:line:column: what is wrong, and what would be right`; a warning says it is one."""
    warning = Located(
        file="a.yaml", line=3, column=4, message="look", severity=FindingSeverity.WARNING
    )
    assert str(error(1)) == "a.yaml:1:2: wrong"
    assert str(warning) == "a.yaml:3:4: warning: look"


def test_findings_come_from_top_to_bottom_each_once() -> None:
    """The order of checking does not show."""
    findings = Findings("a.yaml")
    findings.report("idle_exit", At(3, 1))
    for _ in range(2):
        findings.error(At(1, 9), "b")
    findings.error(At(1, 2), "a")
    assert [found.message for found in findings.sorted()] == [
        "a",
        "b",
        str(say("idle_exit")),
    ]


def test_too_many_findings_are_as_bad_as_those_left_out() -> None:
    """A thousand notes refuse nothing; an error among what is not listed refuses."""
    findings = Findings("a.yaml")
    for line in range(1, MAX_FINDINGS + 3):
        findings.report("unused_output", At(line, 1), name="n")
    found = findings.sorted()
    assert (len(found), found[-1].severity) == (MAX_FINDINGS + 1, FindingSeverity.NOTE)
    findings.error(At(9_999, 1), "e")
    last = findings.sorted()[-1]
    assert (last.severity, last.line) == (FindingSeverity.ERROR, MAX_FINDINGS + 1)
    assert "too many findings" in last.message


def test_the_callers_error_carries_every_violation() -> None:
    """The place is the violation's field, the message its description."""
    raised = invalid_script([error(1, "one"), error(2, "two")])
    assert [(violation.field, violation.description) for violation in raised.violations] == [
        ("a.yaml:1:2", "one"),
        ("a.yaml:2:2", "two"),
    ]
    assert "a.yaml:1:2: one (and 1 more)" in raised.message


def test_a_status_carries_the_first_and_the_total() -> None:
    """Twenty violations fit a trailer; the total is in the metadata."""
    raised = invalid_script([error(line) for line in range(1, 58)], at_most=20)
    assert (len(raised.violations), raised.metadata["error_count"]) == (20, "57")


def test_warnings_are_no_violations() -> None:
    """A caller is refused for errors only."""
    warning = Located(
        file="a.yaml", line=3, column=4, message="look", severity=FindingSeverity.WARNING
    )
    assert len(invalid_script([warning, error(1)]).violations) == 1
