"""A right script, read into values: defaults, places, both ways to write a config."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.actions import ActionType, AskConfig, SayConfig, ThinkConfig
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.script import Action, Script
from heartrule.domain.conversation import IfBusy
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.output_type import OutputType

Load = Callable[..., LoadResult]

WHOLE = """\
metadata: {name: 示例, version: 1.2, tags: [a, 3, true]}
session:
  session_id: whole-1
  session_name: 全部
  description: 每个键都有
  template_scheme: cbt_anxiety
  input: {if_busy: queue, merge_window_ms: 800}
  phases:
  - phase_id: p1
    phase_name: 开始
    phase_goal: 认识
    description: 第一阶段
    topics:
    - topic_id: t1
      topic_name: 基本
      topic_goal: 了解
      description: 第一个话题
      strategy: {min_completeness_requirement: 80, retry_strategy: 换个问法, max_retry_count: 2}
      actions:
      - action_type: ai_ask
        action_id: ask
        mandatory: true
        config:
          content: |
            多大了？
          tone: 温和
          exit: 说出年龄
          exit_criteria:
            min_rounds: 2
            custom_conditions: [{variable: 年龄, operator: '>=', value: 12}]
          output:
          - {get: 年龄, define: 岁数, type: integer, sensitive: true}
          - {get: 学段, type: choice, options: [小学, 中学, 3]}
          required: [年龄]
          max_rounds: 4
      - action_type: ai_say
        action_id: say
        goal: 解释
        exit_criteria: {understanding_threshold: 80, has_questions: false}
      - {action_type: ai_think, action_id: think, content: 想, input_variables: [年龄],
         output: [{get: 结论}]}
"""


@pytest.fixture
def script(load: Load) -> Script:
    """The script above, loaded."""
    result = load(WHOLE)
    assert not (*result.errors, *result.warnings)
    assert result.script is not None
    return result.script


def test_the_session_is_read(script: Script) -> None:
    """Ids, names, scheme, input settings and free metadata arrive as written."""
    assert (
        script.session_id,
        script.session_name,
        script.description,
    ) == ("whole-1", "全部", "每个键都有")
    assert script.template_scheme == "cbt_anxiety"
    assert (script.input.if_busy, script.input.merge_window_ms) == (IfBusy.QUEUE, 800)
    assert script.metadata == {"name": "示例", "version": 1.2, "tags": ["a", 3, True]}


def test_phases_and_topics_are_read(script: Script) -> None:
    """A strategy written as a mapping reaches the monitor as text (RESOLUTIONS C15)."""
    (phase,) = script.phases
    (topic,) = phase.topics
    assert (
        phase.phase_id,
        phase.phase_name,
        phase.phase_goal,
        phase.description,
    ) == ("p1", "开始", "认识", "第一阶段")
    assert (topic.topic_id, topic.topic_name, topic.topic_goal) == ("t1", "基本", "了解")
    wanted = TopicStrategy(
        min_completeness_requirement="80", retry_strategy="换个问法", max_retry_count="2"
    )
    assert wanted == topic.strategy


def test_an_ask_is_read(script: Script) -> None:
    """Every key of ai_ask arrives, with its place in the file."""
    ask, _, _ = script.phases[0].topics[0].actions
    condition = CustomCondition(
        variable="年龄", operator=ConditionOperator.GREATER_OR_EQUAL, value=12
    )
    config = AskConfig(
        content="多大了？",
        tone="温和",
        exit="说出年龄",
        exit_criteria=ExitCriteria(min_rounds=2, custom_conditions=(condition,)),
        output=(
            Output(get="年龄", define="岁数", type=OutputType.INTEGER, sensitive=True),
            Output(get="学段", type=OutputType.CHOICE, options=("小学", "中学", "3")),
        ),
        required=("年龄",),
        max_rounds=4,
    )
    place = SourcePlace(file="s.yaml", line=20, column=9)
    wanted = Action(
        action_type=ActionType.AI_ASK, action_id="ask", mandatory=True, config=config, place=place
    )
    assert wanted == ask


def test_a_config_may_stand_beside_config(script: Script) -> None:
    """Keys written on the action itself are its config too."""
    _, say, think = script.phases[0].topics[0].actions
    criteria = ExitCriteria(understanding_threshold=80.0, has_questions=False)
    assert SayConfig(goal="解释", exit_criteria=criteria, max_rounds=5) == say.config
    wanted = ThinkConfig(content="想", input_variables=("年龄",), output=(Output(get="结论"),))
    assert wanted == think.config


def test_walk_gives_every_action_with_its_indices(script: Script) -> None:
    """Phase, topic and action index, in the order they run."""
    found = [(p, t, a, action.action_id) for p, t, a, action in script.walk()]
    assert found == [(0, 0, 0, "ask"), (0, 0, 1, "say"), (0, 0, 2, "think")]


def test_defaults_of_a_session(load_session: Load) -> None:
    """What an author leaves out is empty, merged and without a window."""
    script = load_session("").script
    assert script is not None
    assert (
        script.session_name,
        script.description,
        script.template_scheme,
        script.metadata,
    ) == ("", "", "", {})
    assert (script.input.if_busy, script.input.merge_window_ms) == (IfBusy.MERGE, 0)
    assert script.phases[0].topics[0].strategy is None


ROUNDS = [
    ("ai_ask", "content: x", 3),
    ("ai_ask", "content: x\nmax_rounds: 7", 7),
    ("ai_say", "content: x", 1),
    ("ai_say", "content: x\nexit: 说懂了", 5),
    ("ai_say", "content: x\nexit_criteria: {min_rounds: 2}", 5),
    ("ai_say", "content: x\nexit: 说懂了\nmax_rounds: 2", 2),
]


@pytest.mark.parametrize(("action_type", "config", "rounds"), ROUNDS)
def test_rounds_have_defaults(
    load_config: Load, action_type: str, config: str, rounds: int
) -> None:
    """ai_ask has 3; ai_say has 1, or 5 where it has an exit of its own."""
    script = load_config(action_type, config).script
    assert script is not None
    loaded = script.phases[0].topics[0].actions[0].config
    assert isinstance(loaded, AskConfig | SayConfig)
    assert rounds == loaded.max_rounds


REQUIRED = [
    ("", ("甲", "乙")),
    ("required: true", ("甲", "乙")),
    ("required: false", ()),
    ("required: []", ()),
    ("required: [乙]", ("乙",)),
]


@pytest.mark.parametrize(("line", "names"), REQUIRED)
def test_required_is_resolved_to_names(
    load_config: Load, line: str, names: tuple[str, ...]
) -> None:
    """True or absent means all outputs, false none, a list those."""
    script = load_config("ai_ask", f"content: x\noutput: [{{get: 甲}}, {{get: 乙}}]\n{line}").script
    assert script is not None
    config = script.phases[0].topics[0].actions[0].config
    assert isinstance(config, AskConfig)
    assert names == config.required


def test_an_acknowledgment_is_asked_for_unless_said_otherwise(load_actions: Load) -> None:
    """require_acknowledgment is true by default."""
    action = "- {action_type: ai_say, action_id: %s, content: x%s}\n"
    result = load_actions(action % ("a", "") + action % ("b", ", require_acknowledgment: false"))
    assert result.script is not None
    configs = [action.config for _, _, _, action in result.script.walk()]
    assert [
        config.require_acknowledgment for config in configs if isinstance(config, SayConfig)
    ] == [True, False]


def test_a_version_published_before_loads_without_its_scheme(load: Load) -> None:
    """A scheme that was removed later does not stop a session: its templates fall back."""
    text = WHOLE.replace("cbt_anxiety", "long_gone")
    assert load(text).script is None
    again = load(text, environment=trusting()).script
    assert again is not None
    assert again.template_scheme == "long_gone"
