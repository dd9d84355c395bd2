"""The reference's own examples are right, and it names every key there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, indent

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.actions import CONFIGS
from executor_service.scripts.model.exits import (
    AgentCriteria,
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.fields import Form, FormField, Output, SkillInput, SkillOutput
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.script import (
    Action,
    GlobalsFile,
    InputParameter,
    Phase,
    Script,
    ScriptFile,
    Technique,
    Topic,
)
from executor_service.scripts.model.settings import (
    Declaration,
    InputSettings,
    RoleDefinition,
    StrategyKeys,
)

Load = Callable[..., LoadResult]

PAGE = (Path(__file__).parents[4] / "docs/reference/script-language.md").read_text("utf-8")
FENCED = re.findall(r"^( *)```(yaml\S*)\n(.*?)^ *```$", PAGE, re.DOTALL | re.MULTILINE)
MODELS = [
    *(ScriptFile, Script, Phase, Topic, Action, StrategyKeys, InputSettings, Declaration, Output),
    *(CustomCondition, GlobalsFile, RoleDefinition, ExitPolicyKeys, Form, FormField, SkillInput),
    *(
        SkillOutput,
        Technique,
        InputParameter,
        ExitCriteria,
        FormCriteria,
        SayCriteria,
        AgentCriteria,
        *CONFIGS.values(),
    ),
]


def blocks(kind: str) -> list[str]:
    """Return the examples of one kind."""
    return [dedent(body) for _, found, body in FENCED if found == kind]


def test_whole_scripts_of_the_reference_load_clean(load: Load) -> None:
    """What a reader copies works."""
    (script,) = blocks("yaml")
    assert load(script).findings == ()


def test_the_global_file_of_the_reference_loads_clean(load: Load) -> None:
    """global.yaml beside the smallest script."""
    assert load(blocks("yaml")[0], {"global.yaml": blocks("yaml-global")[0]}).findings == ()


@pytest.mark.parametrize("action", [b for b in blocks("yaml-fragment") if b.startswith("- ")])
def test_actions_of_the_reference_load(load_actions: Load, action: str) -> None:
    """Alone in a topic they may read what nothing gathers, but they have no errors."""
    technique = blocks("yaml-technique")[0].encode()
    environment = LintEnvironment(skill={"breathing_relaxation": technique}.get)
    assert load_actions(action, environment).errors == ()


@pytest.mark.parametrize("start", ["output:", "exit_criteria:", "content:"])
def test_parts_of_a_config_load(load_config: Load, start: str) -> None:
    """Outputs, criteria and block text, each in an ai_ask."""
    (part,) = (block for block in blocks("yaml-fragment") if block.startswith(start))
    content = "" if start == "content:" else "content: x\n"
    assert load_config("ai_ask", content + part).errors == ()


@pytest.mark.parametrize("start", ["declare:", "input:", "roles:"])
def test_parts_of_a_session_load(load_session: Load, start: str) -> None:
    """Declarations and input settings."""
    (part,) = (block for block in blocks("yaml-fragment") if block.startswith(start))
    assert load_session(part).errors == ()


def test_an_exit_policy_of_the_reference_loads(load_actions: Load) -> None:
    """It stands on the action."""
    (part,) = (block for block in blocks("yaml-fragment") if block.startswith("exit_policy:"))
    action = "- action_type: ai_ask\n  action_id: a\n  content: x\n  " + part
    assert load_actions(action).errors == ()


def test_both_ways_to_write_a_strategy_load(load: Load) -> None:
    """A text, and the three keys."""
    (both,) = (block for block in blocks("yaml-fragment") if block.startswith("strategy:"))
    for strategy in both.split("\n\n"):
        topic = "topic_id: t\nactions: [{action_type: ai_say, action_id: a, goal: x}]\n" + strategy
        text = "session:\n  session_id: s\n  phases:\n  - phase_id: p\n    topics:\n    -\n"
        assert load(text + indent(topic, " " * 6)).errors == ()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(shape_of(model).what))
def test_the_reference_names_every_key(model: type) -> None:
    """Of today or older: each stands on the page."""
    shape = shape_of(model)
    assert [key for key in (*shape.keys, *shape.older) if key not in PAGE] == []


def test_the_reference_names_every_example_and_technique() -> None:
    """What ships can be found."""
    system = Path(__file__).parents[4] / "_system"
    shipped = [*(system / "scripts").glob("*.yaml"), *(system / "skills").glob("*.yaml")]
    assert [path.stem for path in shipped if f"| `{path.stem}` |" not in PAGE] == []
