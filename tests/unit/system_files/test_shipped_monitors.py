"""The monitors' prompts we ship, and the scheme's own words (document 000, 监控模板)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule.model.template import Template, parse_template

ROOT = Path(__file__).parents[3] / "_system" / "config"
MONITORS = sorted(path for path in ROOT.rglob("*_monitor_v1.md") if path.parent.name != "en")
SCHEMES = sorted((ROOT / "custom" / "cbt_anxiety").glob("*_v1.md"))


def load(path: Path) -> Template:
    """Return one shipped template."""
    return parse_template(path.read_text(encoding="utf-8"), source=path.name)


@pytest.mark.parametrize("path", MONITORS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_monitor_blocks(path: Path) -> None:
    """A monitor reads the dialogue, what the step is for, signals, and only then the metrics.

    The blocks of document 000 are all there; ai_say's reads first what the client replied before.
    """
    blocks = re.findall(r"^【(.+?)】", load(path).section("turn"), re.MULTILINE)
    earlier = ["用户反馈历史"] if path.name.startswith("ai_say_") else []
    assert blocks[: len(earlier) + 2] == [*earlier, "对话", "对话完"]
    step = ["这一步", "Topic策略配置", "当前Action状态"]
    assert blocks[len(earlier) + 2 :] == [*step, "信号", "系统变量", "历史趋势"]


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
