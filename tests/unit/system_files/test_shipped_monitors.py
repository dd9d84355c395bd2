"""The monitors' prompts we ship, and the scheme's own words (document 000, 监控模板)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.monitoring import RoundMetrics, TopicStrategy
from heartrule.model.prompt_words import load_prompt_words
from heartrule.model.template import Template, parse_template
from heartrule.model.token_counting import estimated_tokens
from monitor_service.round_prompt import monitor_prompt
from tests.support.reports import ask_round

ROOT = Path(__file__).parents[3] / "_system" / "config"
MONITORS = sorted(path for path in ROOT.rglob("*_monitor_v1.md") if path.parent.name != "en")
SCHEMES = sorted((ROOT / "custom" / "cbt_anxiety").glob("*_v1.md"))

LANGUAGES = sorted(ROOT.rglob("*_monitor_v1.md"))
# The cautious estimates of Chinese and English texts against their tokens in o200k_base.
ESTIMATED = {"zh": 1.53, "en": 1.6}
METRICS = ActionMetrics(
    information_completeness="睡眠不清楚",
    user_engagement="回答很短",
    emotional_intensity="有些烦",
    reply_relevance="没有回答",
    understanding_level="大概懂",
)
FULL = ask_round(
    task="最近一周睡得怎么样？",
    exit_condition="说清睡眠情况",
    topic_goal="了解睡眠",
    target_variables=("睡眠", "起因"),
    known_outputs={"睡眠": "睡不好"},
    known_quotes={"睡眠": "一直睡不好"},
    signals=("同一个问题问了 2 次", "回答变短"),
    topic_strategy=TopicStrategy(
        text="先接纳",
        min_completeness_requirement="知道睡眠",
        retry_strategy="换问法",
        max_retry_count="2",
    ),
    metrics=METRICS,
    trend=tuple(
        RoundMetrics(
            round=number,
            metrics=METRICS,
            progress_suggestion=ProgressSuggestion.CONTINUE_NEEDED,
        )
        for number in (1, 2, 3)
    ),
    dialogue=(),
)


def load(path: Path) -> Template:
    """Return one shipped template."""
    return parse_template(path.read_text(encoding="utf-8"), source=path.name)


@pytest.mark.parametrize("path", MONITORS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_monitor_blocks(path: Path) -> None:
    """A monitor reads the dialogue, what the step is for, signals, and only then the metrics.

    The blocks of document 000 are all there; ai_say's reads what the client replied before, too.
    """
    blocks = re.findall(r"^【(.+?)】", load(path).section("turn"), re.MULTILINE)
    dialogue = ["对话", "对话完"]
    earlier = ["用户反馈历史"] if path.name.startswith("ai_say_") else []
    step = ["这一步", "Topic策略配置", "当前Action状态"]
    assert blocks == [*dialogue, *earlier, *step, "信号", "系统变量", "历史趋势"]


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_monitors_prompt_is_lean(path: Path) -> None:
    """With all that a round may tell it has at most 900 tokens, the dialogue aside."""
    language = "en" if path.parent.name == "en" else "zh"
    prompt = monitor_prompt(load(path), FULL, METRICS, load_prompt_words(ROOT)[language])
    told = "".join(message.content for message in prompt.messages)
    assert estimated_tokens(told) / ESTIMATED[language] <= 900


@pytest.mark.parametrize("path", MONITORS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_monitor_reply_has_both_paths(path: Path) -> None:
    """Each monitor answers with the level of its intervention and the wish to orchestrate."""
    fields = set(load(path).fields)
    assert fields >= {"intervention_needed", "intervention_level", "orchestration_needed"}
    assert fields >= {"strategy_suggestion", "feedback_for_action"}


@pytest.mark.parametrize("path", SCHEMES, ids=lambda path: path.name)
def test_a_schemes_template_is_its_own(path: Path) -> None:
    """It answers with what the default's answers with, and speaks of its own field."""
    own, default = load(path), load(ROOT / "default" / path.name)
    assert set(default.fields) <= set(own.fields)
    assert "焦虑" in own.section("system")
