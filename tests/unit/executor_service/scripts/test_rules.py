"""Every finding names the rule it breaks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model import rules
from executor_service.scripts.model.rules import CheckRule

Load = Callable[..., LoadResult]
FOLDER = Path(rules.__file__).parents[1]
REPORTS = frozenset({"error", "warning", "note", "refuse_all"})


def reports(path: Path) -> list[ast.Call]:
    """Return the calls of a module that report a finding."""
    calls = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call))
    return [
        call
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in REPORTS
        and "findings" in ast.unparse(call.func.value)
    ]


def test_whoever_reports_a_finding_names_its_rule() -> None:
    """The third argument; a finding without one would count as `other`."""
    found = {
        f"{path.name}:{call.lineno}": len(call.args)
        for path in FOLDER.rglob("*.py")
        for call in reports(path)
    }
    assert len(found) > 70
    assert [place for place, arguments in found.items() if arguments < 3] == []


def test_every_rule_has_a_finding() -> None:
    """A rule nobody breaks any more is gone."""
    used = "".join(path.read_text("utf-8") for path in FOLDER.rglob("*.py"))
    assert [rule.name for rule in CheckRule if f"CheckRule.{rule.name}" not in used] == []


@pytest.mark.parametrize(
    ("config", "rule"),
    [
        ("{contnet: 你好}", CheckRule.UNKNOWN_KEY),
        ("{content: 3}", CheckRule.WRONG_VALUE),
        ("{}", CheckRule.MISSING_KEY),
        ("{content: 你好, content: 你好}", CheckRule.DUPLICATE_KEY),
        ("{content: 你好, output: [{get: EXIT}]}", CheckRule.RESERVED_NAME),
        ("{question_template: 你好}", CheckRule.OLDER_NAME),
        ('{content: "{天气}"}', CheckRule.EMPTY_VARIABLE),
    ],
)
def test_a_finding_bears_the_name_of_its_rule(
    load_config: Load, config: str, rule: CheckRule
) -> None:
    """One mistake, one rule."""
    (found,) = load_config("ai_ask", config).findings
    assert found.rule is rule
