"""Cards: fixed texts with where help is, by locale, language and region."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.safety_texts import load_safety_texts

LOCALES = ["zh-CN", "zh-TW", "en-US", "en-GB"]
CARDED = [level for level in SafetyLevel if level >= SafetyLevel.THIRD_PARTY]


@pytest.fixture(scope="module")
def texts() -> SafetyTexts:
    """The texts we ship."""
    return load_safety_texts(Path(__file__).parents[3] / "_system" / "safety")


@pytest.mark.parametrize("locale", ["", "zh-CN", "zh", "zh_CN.UTF-8", "zh-Hans-CN", "zh-SG"])
@pytest.mark.parametrize("level", CARDED)
def test_china(texts: SafetyTexts, locale: str, level: SafetyLevel) -> None:
    """Chinese, and no locale at all, gets the numbers of mainland China."""
    text = texts.card(level, locale).text
    assert [number for number in ("12356", "110", "120") if number not in text] == []


@pytest.mark.parametrize("locale", ["en-US", "en_US", "EN-us"])
@pytest.mark.parametrize("level", CARDED)
def test_united_states(texts: SafetyTexts, locale: str, level: SafetyLevel) -> None:
    """The United States get 988 and 911."""
    text = texts.card(level, locale).text
    assert "988" in text
    assert "911" in text
    assert "12356" not in text


@pytest.mark.parametrize("locale", ["en", "en-GB", "fr-FR", "xx", "-"])
def test_elsewhere(texts: SafetyTexts, locale: str) -> None:
    """Elsewhere the card points to the local emergency number, in English."""
    text = texts.card(SafetyLevel.CRISIS, locale).text
    assert "local emergency number" in text
    assert "United States" in text


@pytest.mark.parametrize("locale", ["zh-TW", "zh-HK", "zh-Hant-TW"])
def test_other_chinese_places(texts: SafetyTexts, locale: str) -> None:
    """Places with other numbers get no number of the mainland."""
    text = texts.card(SafetyLevel.CRISIS, locale).text
    assert "緊急電話" in text
    assert "12356" not in text


def test_language_of_the_client(texts: SafetyTexts) -> None:
    """A client who writes another language than the session's gets it, with the region's help."""
    card = texts.card(SafetyLevel.CRISIS, "zh-CN", "en")
    assert card.locale == "en"
    assert "12356" in card.text
    assert "Thank you" in card.text


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("level", CARDED)
def test_says_what_it_is_not(texts: SafetyTexts, locale: str, level: SafetyLevel) -> None:
    """Every wording of a full card says that a program is no emergency help."""
    step = texts.steps.after(level, "").step
    forms = texts.messages_for(locale).steps[level, step]
    for wording in (forms.first, *forms.further):
        assert any(
            words in wording
            for words in ("不能代替紧急救助", "不能代替緊急救助", "cannot replace emergency help")
        )


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("level", CARDED)
def test_short_form(texts: SafetyTexts, locale: str, level: SafetyLevel) -> None:
    """The short form is one line, and names every resource."""
    card = texts.card(level, locale, short=True)
    assert "\n" not in card.text
    assert all(each.number in card.text for each in card.resources)


def test_resources_beside_the_text(texts: SafetyTexts) -> None:
    """A card carries its resources apart as well, named in its own language."""
    card = texts.card(SafetyLevel.CRISIS, "zh-CN", "en")
    assert [each.number for each in card.resources] == ["12356", "120", "110"]
    assert card.resources[1].name == "ambulance"
