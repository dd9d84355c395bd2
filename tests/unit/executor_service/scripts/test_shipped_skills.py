"""The techniques that ship: each loads without a word, and says what it hands out."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.lint_installation import lint_environment
from executor_service.scripts.loading.loader import LoadResult, load_script
from executor_service.scripts.model.script import Technique
from heartrule.model.template_store import TemplateStore

SYSTEM = Path(__file__).parents[4] / "_system"
NAMES = sorted(path.stem for path in (SYSTEM / "skills").glob("*.yaml"))

SCRIPT = """\
session:
  session_id: s
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
      - {{action_type: use_skill, action_id: a, skill: {skill}, input: [{inputs}]}}
"""


def use(skill: str, inputs: tuple[str, ...] = ()) -> LoadResult:
    """Load a script that uses a technique of the installation."""
    given = ", ".join(f"{{name: {name}, value: x}}" for name in inputs)
    text = SCRIPT.format(skill=skill, inputs=given)
    environment = lint_environment(TemplateStore(SYSTEM / "config"), SYSTEM / "skills")
    return load_script({"s.yaml": text.encode()}, environment=environment)


def technique(skill: str) -> Technique:
    """Return a technique, given whatever it needs."""
    needed = {"thought_record": ("情境",)}
    result = use(skill, needed.get(skill, ()))
    assert not result.findings
    assert result.script is not None
    return result.script.techniques[skill]


def test_three_techniques_ship() -> None:
    """Breathing, a thought record and a safe place."""
    assert NAMES == ["breathing_relaxation", "safe_place", "thought_record"]


@pytest.mark.parametrize("name", NAMES)
def test_a_technique_loads_clean_and_hands_something_out(name: str) -> None:
    """Its id is its file's name, and whoever uses it can take a result."""
    found = technique(name)
    assert found.technique_id == name
    assert found.output_variables
    assert found.technique_name


def test_the_thought_record_needs_a_situation() -> None:
    """There is nothing to record without one."""
    (error,) = use("thought_record").errors
    assert "needs the input `情境`" in error.message


def test_the_safe_place_brings_the_breathing_along() -> None:
    """A technique in a technique: both are pinned by the bundle."""
    added = ["_system/skills/breathing_relaxation.yaml", "_system/skills/safe_place.yaml"]
    assert sorted(use("safe_place").added) == added


def test_a_misspelt_skill_is_guessed_from_those_that_ship() -> None:
    """They cannot be seen beside the script."""
    (error,) = use("thought_recrod").errors
    assert "did you mean `thought_record`?" in error.message
