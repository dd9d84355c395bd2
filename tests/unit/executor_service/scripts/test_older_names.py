"""Older field names load, each with a warning that names today's."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.actions import AskConfig, SayConfig, ThinkConfig
from executor_service.scripts.model.fields import Output
from heartrule.domain.output_type import OutputType

Load = Callable[..., LoadResult]


def config_of(result: LoadResult) -> AskConfig | SayConfig | ThinkConfig:
    """Return the config of the only action."""
    assert result.script is not None, result.findings
    config = result.script.phases[0].topics[0].actions[0].config
    assert isinstance(config, AskConfig | SayConfig | ThinkConfig)
    return config


RENAMED = [
    ("ai_ask", "question_template: 你好", "content"),
    ("ai_say", "content_template: 你好", "content"),
    ("ai_think", "prompt_template: 你好", "content"),
    ("ai_say", "say_goal: 你好", "goal"),
    ("ai_think", "think_goal: 你好", "goal"),
]


@pytest.mark.parametrize(("action_type", "config", "new"), RENAMED)
def test_an_older_name_of_a_text_loads_with_a_warning(
    load_config: Load, action_type: str, config: str, new: str
) -> None:
    """The text arrives under today's name, and the warning names it."""
    result = load_config(action_type, config)
    assert getattr(config_of(result), new) == "你好"
    (warning,) = result.warnings
    assert (warning.where, f"write `{new}`" in warning.message) == ("s.yaml:11:11", True)


@pytest.mark.parametrize("key", ["target_variable", "extract_to"])
def test_a_target_variable_becomes_an_output(load_config: Load, key: str) -> None:
    """The prompt that told how to extract it becomes its definition."""
    result = load_config("ai_ask", f"content: x\n{key}: 年龄\nextraction_prompt: 来访者的年龄")
    assert (Output(get="年龄", define="来访者的年龄"),) == config_of(result).output
    assert [found.line for found in result.warnings] == [12, 13]


def test_a_list_of_output_variables_becomes_outputs(load_config: Load) -> None:
    """Names and mappings are both read."""
    config = "goal: x\noutput_variables: [甲, {get: 乙, type: number}]"
    result = load_config("ai_think", config)
    expected = (Output(get="甲"), Output(get="乙", type=OutputType.NUMBER))
    assert expected == config_of(result).output


BOTH = [
    ("content: x\nquestion_template: y", "12:11", "older name of `content`, which is given too"),
    ("content: x\noutput: [{get: a}]\ntarget_variable: b", "13:11", "older name of `output`"),
    ("content: x\nextraction_prompt: y", "12:11", "belongs to an older `target_variable`"),
    ("content: x\ntarget_variable: EXIT", "12:28", "a field of the model's own reply"),
    ("content: x\ntarget_variable: a b", "12:28", "cannot name a variable"),
    ("content: x\ntarget_variable: 5", "12:28", "`target_variable` is the number 5"),
    ("content: x\ntarget_variable: b\nextraction_prompt: 5", "13:30", "in quotes"),
]


@pytest.mark.parametrize(("config", "place", "said"), BOTH)
def test_an_older_name_beside_todays_is_an_error(
    load_config: Load, config: str, place: str, said: str
) -> None:
    """Two texts for one field are never merged by guessing."""
    (error,) = load_config("ai_ask", config).errors
    assert f"s.yaml:{place}" == error.where
    assert said in error.message


CONTROL = ["content", "EXIT", "BRIEF", "metrics", "progress_suggestion", "variables", "exit"]


@pytest.mark.parametrize("name", [*CONTROL, "assessment", "should_exit", "user_engagement"])
def test_an_output_may_not_bear_the_name_of_a_reply_field(load_config: Load, name: str) -> None:
    """The model's reply has fields of its own; a variable of that name could not be told apart."""
    (error,) = load_config("ai_ask", f"content: x\noutput: [{{get: {name}}}]").errors
    assert (error.where, "another name" in error.message) == ("s.yaml:12:26", True)
