"""What is told of somebody else is read as that one would say it."""

from __future__ import annotations

import pytest

from heartrule.domain.safety import SafetyLevel, Subject
from tests.support.shipped_files import shipped_screen


@pytest.mark.parametrize(
    "text",
    [
        "My grandson wrote that everyone would be better off without him",
        "My lodger says it would be better if she never woke up",
        "表姐跟我说她撑不下去了",
        "我徒弟告诉我，他看不到希望了",
        "她在我旁边哭，说要跳楼",
        "我那个侄女啊，又吞了一把药",
    ],
)
def test_what_the_rules_know_of_the_client_they_know_of_others(text: str) -> None:
    """Another one's wish counts in whatever words the client's own would, and freezes nothing."""
    found = shipped_screen().screen(text)
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@pytest.mark.parametrize(
    "text",
    [
        "My grandson wrote that everyone would be fine without his help",
        "My lodger doesn't say it would be better if she never woke up",
        "In the film the lodger says it would be better if she never woke up",
        "My uncle killed himself in 1987",
        "表姐撑不下去了",
        "小说里表姐跟我说她撑不下去了",
        "奶奶去世了，我看着她的遗物",
    ],
)
def test_other_words_a_denial_a_story_and_the_dead_call_for_nothing(text: str) -> None:
    """What excuses the client's own words excuses another one's."""
    assert shipped_screen().screen(text).level is SafetyLevel.NONE


@pytest.mark.parametrize(
    "text",
    [
        "I told my uncle I'd rather be dead",
        "My uncle is fine but I'd rather be dead",
        "我跟表姐说我不想活了",
        "现在我身边没有人，我想死",
    ],
)
def test_the_clients_own_words_stay_grave(text: str) -> None:
    """Somebody else in the sentence takes nothing from what the client says of himself."""
    assert shipped_screen().screen(text).level >= SafetyLevel.CRISIS
