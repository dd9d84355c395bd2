"""docs/reference/checking.md tells every rule of the check, and the keys of its JSON."""

from __future__ import annotations

import json

from executor_service.scripts.model.findings import FindingSeverity, Located
from executor_service.scripts.model.rules import CheckRule
from heartrule_cli.commands.check import JSON_VERSION, CheckReport, json_lines
from tests.support.documents import page

PAGE = page("docs/reference/checking.md")
KINDS = (*("The file", "Keys", "Values", "What belongs together", "What a script can run with"),)


def test_every_rule_has_its_row() -> None:
    """In the order of the code; `other` is none."""
    told = [row[0].strip("`") for kind in KINDS for row in PAGE.table(kind)]
    assert told == [rule.value for rule in CheckRule if rule is not CheckRule.OTHER]


def test_every_severity_on_the_page_is_one() -> None:
    """error, warning or note."""
    told = {row[1] for kind in KINDS for row in PAGE.table(kind)}
    assert told == {kind.value for kind in FindingSeverity}


def test_every_key_of_the_json_is_told() -> None:
    """A tool's author finds what each means."""
    severity, rule = FindingSeverity.ERROR, CheckRule.BAD_ID
    one = Located(file="a", line=1, column=1, severity=severity, rule=rule, message="m")
    (text,) = json_lines(CheckReport(files=("a",), findings=(one,)))
    document = json.loads(text)
    keys = {*document, *document["findings"][0]} - {"message"}
    told = {word.strip("` ") for row in PAGE.table("As JSON") for word in row[0].split(",")}
    assert (keys - told, told - keys, document["version"]) == (set(), set(), JSON_VERSION)
