"""The fixed messages we ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.safety.crisis_rules import CrisisRules, load_crisis_rules


@pytest.fixture(scope="module")
def rules() -> CrisisRules:
    """The rules we ship."""
    return load_crisis_rules(Path(__file__).parents[4] / "_system" / "safety")


@pytest.mark.parametrize("locale", ["", "zh-CN", "zh", "zh_CN.UTF-8", "zh-Hans-CN", "zh-SG"])
def test_china(rules: CrisisRules, locale: str) -> None:
    """Chinese, and no locale at all, gets the numbers of mainland China."""
    message = rules.message(locale)
    assert [number for number in ("12356", "110", "120") if number not in message] == []


@pytest.mark.parametrize("locale", ["en-US", "en_US", "EN-us"])
def test_united_states(rules: CrisisRules, locale: str) -> None:
    """The United States get 988."""
    assert "988" in rules.message(locale)
    assert "12356" not in rules.message(locale)


@pytest.mark.parametrize("locale", ["en", "en-GB", "fr-FR", "xx", "-"])
def test_elsewhere(rules: CrisisRules, locale: str) -> None:
    """Elsewhere the generic message points to the local emergency number."""
    assert "local emergency number" in rules.message(locale)


@pytest.mark.parametrize("locale", ["zh-TW", "zh-HK", "zh-Hant-TW"])
def test_other_chinese_places(rules: CrisisRules, locale: str) -> None:
    """Places with other numbers get no number of the mainland."""
    assert "緊急電話" in rules.message(locale)
    assert "12356" not in rules.message(locale)


@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW", "en-US", "en"])
def test_says_what_it_is_not(rules: CrisisRules, locale: str) -> None:
    """Every message says that a program is no emergency help, and asks for nothing."""
    message = rules.message(locale)
    assert any(
        words in message for words in ("不能代替紧急救助", "不能代替緊急救助", "cannot replace")
    )
    assert "?" not in message
    assert "？" not in message


@pytest.mark.parametrize("locale", ["zh-CN", "zh-TW", "en-US", "en"])
def test_message_does_not_trigger_itself(rules: CrisisRules, locale: str) -> None:
    """A message that a client copies back holds none of the words but the hotline's own name."""
    message = rules.message(locale).replace("Suicide & Crisis Lifeline", "")
    assert rules.find(message) is None
