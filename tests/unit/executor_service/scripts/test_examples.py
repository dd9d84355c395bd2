"""The example scripts load clean, and a whole talk stays short."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.lint_installation import lint_environment
from executor_service.scripts.loading.bundle_files import read_bundle
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.actions import ActionType, AskConfig, SayConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.output_type import OutputType
from heartrule.model.template_store import TemplateStore

SYSTEM = Path(__file__).parents[4] / "_system"
FOLDER = SYSTEM / "scripts"
NAMES = sorted(path.name for path in FOLDER.glob("*.yaml"))
ENVIRONMENT = lint_environment(TemplateStore(SYSTEM / "config"), SYSTEM / "skills")


def example(name: str) -> Script:
    """Return an example, which must load without a word."""
    bundle = read_bundle(FOLDER / name)
    result = load_script(bundle.files, main=bundle.main, environment=ENVIRONMENT)
    assert not (*result.errors, *result.warnings)
    assert result.script is not None
    return result.script


def replies(script: Script) -> int:
    """Return how often a client speaks who answers each question at once."""
    configs = [action.config for _, _, _, action in script.walk()]
    says = [config for config in configs if isinstance(config, SayConfig)]
    asks = [config for config in configs if isinstance(config, AskConfig)]
    return len(asks) + sum(max(say.max_rounds - 1, int(say.require_acknowledgment)) for say in says)


def test_there_is_a_greeting_to_copy() -> None:
    """It is the one that documents name."""
    assert "greeting.yaml" in NAMES


def test_the_examples_together_show_every_action_type() -> None:
    """Whatever a script may use stands in one of them."""
    shown = {action.action_type for name in NAMES for _, _, _, action in example(name).walk()}
    assert shown == {*ActionType}


def test_the_examples_together_show_the_keys_that_decide() -> None:
    """Conditions on actions and phases, exit policies, roles and techniques."""
    scripts = [example(name) for name in NAMES]
    actions = [action for script in scripts for _, _, _, action in script.walk()]
    assert any(action.condition for action in actions)
    assert any(action.exit_sources for action in actions)
    assert any(phase.entry_condition for script in scripts for phase in script.phases)
    assert any(script.roles for script in scripts)
    assert any(script.techniques for script in scripts)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_loads_clean_and_asks_for_a_clients_own_words(name: str) -> None:
    """Each question has one text output, for which the client's words are a sensible value."""
    for _, _, _, action in example(name).walk():
        if isinstance(action.config, AskConfig):
            assert [output.type for output in action.config.output] == [OutputType.TEXT]


@pytest.mark.parametrize("name", NAMES)
def test_an_example_bears_the_name_of_its_file(name: str) -> None:
    """Its id is how a session asks for it."""
    assert f"{example(name).session_id}.yaml" == name


def test_the_assessment_shows_all_ways_of_talking() -> None:
    """Three phases, five topics, ask, both says and think; variables of three scopes."""
    script = example("low_mood_assessment.yaml")
    actions = [action for _, _, _, action in script.walk()]
    assert (len(script.phases), sum(len(phase.topics) for phase in script.phases)) == (3, 5)
    talking = {ActionType.AI_ASK, ActionType.AI_SAY, ActionType.SAY, ActionType.AI_THINK}
    assert {action.action_type for action in actions} == talking
    assert any(action.mandatory for action in actions)
    assert script.declarations
    assert script.phases[1].declarations
    assert script.phases[1].topics[1].declarations


def test_the_assessment_is_over_after_a_dozen_replies() -> None:
    """A cooperative client speaks eleven times; name and age come first."""
    script = example("low_mood_assessment.yaml")
    assert replies(script) == 11
    asks = [action.action_id for _, _, _, action in script.walk()]
    assert asks[:3] == ["say_welcome", "ask_name", "ask_age"]


def test_the_greeting_is_three_actions_and_one_reply() -> None:
    """Say, ask, say."""
    script = example("greeting.yaml")
    assert [a.action_type for _, _, _, a in script.walk()] == ["ai_say", "ai_ask", "ai_say"]
    assert replies(script) == 1


def test_the_anxiety_script_names_its_scheme() -> None:
    """Its prompts come from custom/cbt_anxiety."""
    assert example("anxiety_intake.yaml").template_scheme == "cbt_anxiety"
