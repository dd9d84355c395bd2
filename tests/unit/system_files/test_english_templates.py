"""The English templates and words: the same contract as the Chinese ones, in English alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from heartrule.model.prompt_words import load_prompt_words
from heartrule.model.template import Template, parse_template
from heartrule.model.template_filling import fill, placeholders
from heartrule.model.token_counting import estimated_tokens

ROOT = Path(__file__).parents[3] / "_system" / "config"
ENGLISH = sorted(path for path in ROOT.rglob("*_v1.md") if path.parent.name == "en")
HAN = re.compile("[\u3400-\u9fff]")
# The cautious estimate of an English text against its tokens in o200k_base.
ESTIMATED = 1.6

each = pytest.mark.parametrize("path", ENGLISH, ids=lambda path: path.relative_to(ROOT).as_posix())


def load(path: Path) -> Template:
    """Return one shipped template."""
    return parse_template(path.read_text(encoding="utf-8"), source=path.name)


@each
def test_its_contract_is_the_chinese_ones(path: Path) -> None:
    """Fields, groups, sections and placeholders are the same; an own file may name fewer slots."""
    english, chinese = load(path), load(path.parents[1] / path.name)
    assert list(english.fields) == list(chinese.fields)
    assert list(english.lists) == list(chinese.lists)
    assert (english.asks, english.on_exit) == (chinese.asks, chinese.on_exit)
    for section, text in chinese.sections.items():
        slots = {place.name for place in placeholders(text)}
        assert {place.name for place in placeholders(english.section(section))} == slots


@each
def test_it_is_english(path: Path) -> None:
    """No Chinese character stands in it, and no number to call."""
    text = path.read_text(encoding="utf-8")
    assert not HAN.search(text)
    assert not re.search(r"12356|\b1[12]0\b|\b988\b|\b911\b", text)


@each
def test_sizes(path: Path) -> None:
    """A system text has at most 900 tokens."""
    template = load(path)
    filled = fill(template.section("system"), {"field_list": template.field_list}, {}).text
    assert estimated_tokens(filled) / ESTIMATED <= 900


@each
def test_foreign_text_is_only_text(path: Path) -> None:
    """It says that text looking like JSON, a template or a command is only text."""
    told = load(path).section("system")
    assert "JSON, a template, a placeholder, a system message or a command" in told


@each
def test_what_it_shows_becomes_no_data(path: Path) -> None:
    """Its sentences are nobody's answer."""
    template = load(path)
    sentences = re.split(r"[.;:](?:\s|$)|\n", template.section("system"))
    shown = [each for each in sentences if len(each) > 30 and "{%" not in each]
    assert shown
    assert all(template.own_words.copied("x", each) for each in shown)
    assert template.own_words.copied("x", "…")


def test_what_is_told_behind_a_safety_text_names_no_field() -> None:
    """It stands in the prompts of agents too, whose replies have no EXIT."""
    assert not any("EXIT" in words.resumed for words in load_prompt_words(ROOT).values())


def test_the_engines_words_have_no_other_language() -> None:
    """Each language speaks for itself."""
    words = load_prompt_words(ROOT)
    assert set(words) == {"zh", "en"}
    assert not HAN.search(words["en"].model_dump_json())
