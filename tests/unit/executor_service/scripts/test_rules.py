"""Every finding names the rule it breaks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model import rules
from executor_service.scripts.model.rules import CheckRule
from executor_service.scripts.model.texts import CODES
from heartrule.words.language import ReaderLanguage
from tests.support.catalogues import braces, messages

Load = Callable[..., LoadResult]
WORDS = messages(ReaderLanguage.ENGLISH)
FOLDER = Path(rules.__file__).parents[1]
# Workflows lie in bundles, so their files are told of in the same words.
FILES = sorted((*FOLDER.rglob("*.py"), *FOLDER.with_name("workflows").glob("*.py")))
REPORTS = frozenset({"error", "report", "report_key"})


def reports(path: Path) -> list[ast.Call]:
    """Return the calls of a module that report a finding."""
    calls = (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call))
    return [
        call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in REPORTS
    ]


def test_whoever_reports_a_finding_names_its_code() -> None:
    """A finding without one would count as `other`."""
    calls = {
        f"{path.name}:{call.lineno}": call
        for path in FOLDER.rglob("*.py")
        for call in reports(path)
    }
    assert len(calls) > 70
    assert [
        place for place, call in calls.items() if ast.unparse(call.func).endswith("error")
    ] == []
    assert [place for place, call in calls.items() if unknown_code(call)] == []


def unknown_code(call: ast.Call) -> bool:
    """Return whether a call names a code that the catalogue lacks; a variable's are not seen."""
    return isinstance(call.args[0], ast.Constant) and call.args[0].value not in CODES


def test_every_code_is_reported() -> None:
    """A code that no check reports any more is gone."""
    used = "".join(path.read_text("utf-8") for path in FILES)
    assert [code for code in CODES if f'"{code}"' not in used] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_report_gives_the_facts_its_text_names(path: Path) -> None:
    """One that is missing would be an exception instead of a finding."""
    for call in reports(path):
        code = call.args[0]
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            fields = braces(WORDS[code.value])
            given = {each.arg for each in call.keywords}
            assert None in given or fields <= given, f"{path.name}:{call.lineno}"


def test_every_rule_has_a_finding() -> None:
    """A rule nobody breaks any more is gone."""
    used = "".join(path.read_text("utf-8") for path in FILES)
    filed = {code.rule for code in CODES.values()} | {
        rule for rule in CheckRule if f"CheckRule.{rule.name}" in used
    }
    assert [rule.name for rule in CheckRule if rule not in filed] == []


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
