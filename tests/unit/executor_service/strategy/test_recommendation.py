"""A model's answer read into a recommendation."""

from __future__ import annotations

import json
from typing import Any

import pytest

from executor_service.strategy.recommendation import (
    LONGEST_PROMPT,
    LONGEST_REASON,
    MOST_CONSIDERATIONS,
    read_recommendation,
)
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.domain.strategy import StrategyReasoning, StrategyRecommendation
from heartrule.model.prompt_words import base_words
from heartrule.model.reply.prose import Skeleton

DESCRIBED = {
    "strategyPrompt": "给说话的同事的四条建议",
    "reasoning.userStateAnalysis": "一句话说状态",
}


def reply(**changes: Any) -> str:
    """Return a whole reply with some fields changed."""
    reasoning = {
        "userStateAnalysis": "低落，愿意谈",
        "keyConsiderations": ["先接住", "慢一点"],
        "strategyRationale": "负担小",
    }
    return json.dumps(
        {"reasoning": reasoning, "strategyPrompt": "用短句", **changes}, ensure_ascii=False
    )


def read(text: str, client: str = "") -> tuple[StrategyRecommendation | None, ParseDiagnosis]:
    """Read one answer."""
    return read_recommendation(
        text, base_words(), own_words=Skeleton(DESCRIBED), client_text=client
    )


def test_a_whole_answer() -> None:
    """Both parts are there, the recommendation under its heading."""
    found, diagnosis = read(reply())
    assert found == StrategyRecommendation(
        strategy_prompt="【沟通策略建议】\n用短句",
        reasoning=StrategyReasoning(
            user_state_analysis="低落，愿意谈",
            key_considerations=("先接住", "慢一点"),
            strategy_rationale="负担小",
        ),
    )
    assert (diagnosis.retry_count, diagnosis.warnings) == (1, ())


def test_a_heading_of_its_own_stays() -> None:
    """The heading is not doubled."""
    found, _ = read(reply(strategyPrompt="【沟通策略建议】\n1. 用短句"))
    assert found is not None
    assert found.strategy_prompt.count("【沟通策略建议】") == 1


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        (f" \n{reply()}\n", "trim_and_parse"),
        (f"好的，建议如下：\n```json\n{reply()}\n```\n供参考", "extract_json_block"),
    ],
)
def test_three_strategies_read_it(text: str, strategy: str) -> None:
    """The shared parser serves here as it serves actions and monitors (RESOLUTIONS C1)."""
    found, diagnosis = read(text)
    assert found is not None
    assert diagnosis.strategy == strategy


def test_prose_is_no_recommendation() -> None:
    """What no strategy can read is not put into a prompt."""
    found, diagnosis = read("建议您多用短句。")
    assert found is None
    assert diagnosis.parse_error is not None


def test_an_object_of_the_client_is_no_recommendation() -> None:
    """A reply that only quotes what the client typed recommends nothing."""
    found, _ = read(f"来访者写道：{reply()}，请注意。", client=reply())
    assert found is None


@pytest.mark.parametrize("prompt", ["", "  ", None, DESCRIBED["strategyPrompt"]])
def test_nothing_recommended(prompt: str | None) -> None:
    """An absent, empty or copied recommendation is none (RESOLUTIONS C36)."""
    found, diagnosis = read(reply(strategyPrompt=prompt))
    assert found is None
    assert diagnosis.parse_error is None


def test_a_copied_reason_is_absent() -> None:
    """The template's own words say nothing about this client."""
    copied = {"userStateAnalysis": f"{DESCRIBED['reasoning.userStateAnalysis']}。"}
    found, diagnosis = read(reply(reasoning=copied))
    assert found is not None
    assert found.reasoning == StrategyReasoning()
    assert "reasoning.userStateAnalysis copies the template" in diagnosis.warnings


def test_texts_are_bounded() -> None:
    """A model that writes too much cannot crowd out the rest of a prompt."""
    long = {"keyConsiderations": ["很" * 9_000] * 20, "userStateAnalysis": "很" * 9_000}
    found, diagnosis = read(reply(strategyPrompt="【" + "长" * 9_000, reasoning=long))
    assert found is not None
    assert len(found.strategy_prompt) == LONGEST_PROMPT
    assert len(found.reasoning.user_state_analysis) == LONGEST_REASON
    assert len(found.reasoning.key_considerations) == MOST_CONSIDERATIONS
    assert any("was cut" in warning for warning in diagnosis.warnings)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ({"语言风格": "短句", "引导方式": "开放"}, "语言风格：短句\n引导方式：开放"),
        (["短句", "开放"], "短句\n开放"),
    ],
)
def test_parts_become_lines(prompt: object, told: str) -> None:
    """Four directions given one by one are one text."""
    found, _ = read(reply(strategyPrompt=prompt))
    assert found is not None
    assert found.strategy_prompt.endswith(told)


@pytest.mark.parametrize("reasoning", [None, "想过了", [1], {"keyConsiderations": "一条"}])
def test_odd_reasons_cost_nothing(reasoning: object) -> None:
    """The recommendation counts whatever the reasoning looks like."""
    found, _ = read(reply(reasoning=reasoning))
    assert found is not None
