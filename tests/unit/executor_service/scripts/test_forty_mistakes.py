"""A script of three thousand lines with forty mistakes: all forty are told, each at its line."""

from __future__ import annotations

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult, load_script
from executor_service.scripts.model.findings import Located
from tests.support.mistaken_script import (
    ACTIONS_PER_TOPIC,
    ERRORS,
    WARNINGS,
    Kind,
    Mistake,
    script_with,
)

SEEDS = range(5)


def load(kinds: tuple[Kind, ...], count: int, seed: int) -> tuple[LoadResult, tuple[Mistake, ...]]:
    """Load a script with that many mistakes."""
    data, mistakes = script_with(kinds, count, seed)
    return load_script({"long.yaml": data}, environment=LintEnvironment()), mistakes


def told(found: Located, mistake: Mistake) -> bool:
    """Say whether a finding tells of a mistake."""
    return found.line == mistake.line and mistake.said in found.message


def test_the_script_without_mistakes_has_three_thousand_lines_and_no_findings() -> None:
    """What is found otherwise was put in; unread answers are only noted."""
    data, _ = script_with((), 0, seed=0)
    assert 3000 <= data.count(b"\n") <= 3100
    result = load_script({"long.yaml": data}, environment=LintEnvironment())
    assert not (*result.errors, *result.warnings)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kinds", [ERRORS, WARNINGS], ids=["errors", "warnings"])
def test_forty_mistakes_are_told_each_at_its_line(kinds: tuple[Kind, ...], seed: int) -> None:
    """Exactly forty findings from top to bottom, and each says what is wrong there."""
    result, mistakes = load(kinds, 40, seed)
    found = result.errors if kinds is ERRORS else result.warnings
    assert [each.line for each in found] == [each.line for each in mistakes]
    pairs = zip(found, mistakes, strict=True)
    assert [one for one in pairs if not told(*one)] == []


def test_forty_mistakes_are_of_forty_kinds() -> None:
    """Each kind of error stands once among them."""
    assert len(set(ERRORS)) == 40


@pytest.mark.parametrize("kind", [*ERRORS, *WARNINGS], ids=lambda kind: kind.written)
def test_each_mistake_alone_makes_one_finding(kind: Kind) -> None:
    """One mistake is told once, whatever else of two topics depends on what it spoils."""
    data, (mistake,) = script_with((kind,), 1, seed=7, actions=2 * ACTIONS_PER_TOPIC)
    result = load_script({"long.yaml": data}, environment=LintEnvironment())
    (found,) = (*result.errors, *result.warnings)
    assert told(found, mistake)
