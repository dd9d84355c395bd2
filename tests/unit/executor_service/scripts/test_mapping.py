"""Each mapping of the language is stated once; the rest follows from its statement."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import pytest
from annotated_types import Ge

from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.loading.known_keys import homes_of
from executor_service.scripts.model.actions import CONFIGS, ActionType
from executor_service.scripts.model.agent_file import (
    AgentFile,
    AgentInput,
    AgentKind,
    AgentOutput,
    AgentPhase,
    FeedbackRule,
    HandlerKind,
    InputType,
    PhaseFeedback,
    UnitKind,
)
from executor_service.scripts.model.exits import (
    CustomCondition,
    ExitCriteria,
    ExitPolicyKeys,
    FormCriteria,
    SayCriteria,
)
from executor_service.scripts.model.fields import Form, FormField, Output, SkillInput, SkillOutput
from executor_service.scripts.model.kinds import FullText
from executor_service.scripts.model.mapping import (
    Named,
    changed,
    keys_of,
    mapping,
    shape_of,
)
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
    Cadence,
    Declaration,
    InputSettings,
    MonitorRule,
    RoleDefinition,
    SafetyMode,
    StrategyKeys,
    WhenKnown,
)
from executor_service.scripts.model.texts import help_texts
from heartrule.domain.conversation import IfBusy
from heartrule.domain.decisions import DecisionType
from heartrule.domain.exits import DecisionSource
from heartrule.domain.workflows import NodeType
from heartrule.words.words import say

MODELS: list[type] = [
    *(*CHECKS, *CONFIGS.values(), Action, Phase, Script, Technique, Topic, InputParameter),
    *(
        CustomCondition,
        ExitCriteria,
        ExitPolicyKeys,
        FormCriteria,
        SayCriteria,
        Form,
        FormField,
        Output,
    ),
    *(Declaration, InputSettings, MonitorRule, RoleDefinition, StrategyKeys),
    *(GlobalsFile, ScriptFile, SkillInput, SkillOutput),
    *(AgentFile, AgentInput, AgentOutput, AgentPhase, PhaseFeedback),
]


@mapping("a kettle", aliases={"heat": "degrees"})
class Kettle:
    """A mapping of no language."""

    name: FullText
    degrees: Annotated[int, Ge(0), Named("temperature")] = 20


def test_a_field_states_a_key_with_its_type_and_default() -> None:
    """What it is called in the file may differ from the attribute."""
    name, degrees = keys_of(Kettle)
    assert (name.required, name.core) == (True, str)
    assert (degrees.name, degrees.attribute, degrees.default) == ("temperature", "degrees", 20)
    assert shape_of(Kettle).keys == ("name", "temperature")


def test_a_mapping_refuses_what_its_fields_refuse() -> None:
    """Limits hold for whoever makes one; a copy with a blank is for the loader alone."""
    with pytest.raises(ValueError, match="greater than or equal"):
        Kettle(name="k", degrees=-1)
    assert changed(Kettle(name="k"), name="").name == ""


def test_every_action_type_has_a_configuration() -> None:
    """A type that `CONFIGS` lacks would fail only where a script uses it."""
    assert set(CONFIGS) == set(ActionType)


@pytest.mark.parametrize("model", MODELS)
def test_every_key_says_what_it_is_for(model: type) -> None:
    """An editor shows it beside the key."""
    assert [key.name for key in keys_of(model) if not key.help] == []


def test_every_help_text_belongs_to_a_key_or_a_word() -> None:
    """A text whose mapping, key or word is gone goes too."""
    words: dict[str, type[StrEnum]] = {
        each.__name__: each
        for each in (
            *(ActionType, Cadence, DecisionSource, DecisionType, IfBusy, NodeType),
            *(SafetyMode, WhenKnown, AgentKind, HandlerKind, UnitKind, FeedbackRule, InputType),
        )
    }
    models = {each.__name__: each for each in MODELS}
    for name, texts in help_texts().items():
        known = [*words[name]] if name in words else [key.name for key in keys_of(models[name])]
        assert list(texts) == known


def test_an_unknown_key_is_sent_to_the_mappings_that_have_it() -> None:
    """The homes of a key follow from the models."""
    assert homes_of("topic_goal") == (say("what.topic"),)
    assert homes_of("require_acknowledgment") == ("ai_say",)
