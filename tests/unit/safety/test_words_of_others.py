"""Whose words are quoted, where the one who says them is named behind, or in another language."""

from __future__ import annotations

import pytest

from heartrule.domain.safety import SafetyLevel
from tests.support.shipped_files import shipped_screen


@pytest.mark.parametrize(
    "text",
    [
        '"I hope I die before I get old", sang my husband at his sixtieth',
        '"I want to kill myself", my sister texted',
        "My mom said on the phone 我不想活了 and hung up, I'm scared for her.",
        "she texted me 我想死 and I am worried",
        "what do I say to a friend who says I have nothing left to live for",
        "老乡酒后跟我说，要是再讨不到薪，就一根绳子吊在项目部门口。",
        "老太太跟我讲，姑娘，你给我打一针让我走吧。我该怎么回她？",
    ],
)
def test_words_of_somebody_else_freeze_no_position(text: str) -> None:
    """A quotation belongs to whoever is told behind it, or before it in another language."""
    assert shipped_screen().screen(text).level is SafetyLevel.THIRD_PARTY


@pytest.mark.parametrize(
    "text",
    [
        '"I want to die," I said to my husband',
        '"I want to die." My husband said nothing.',
        "I said 我不想活了",
        "I told my mom 我不想活了",
        "he said 分手 and 我不想活了",
        "he said 分手, 我不想活了",
        "she asked if I wanted to kill myself and I said yes",
        "I've got my dad's pistol in my hand",
        "医生问我是不是想自杀，我说是",
        "我朋友说她想死，其实我也是",
        "他跟我说，别想太多，今晚我就跳",
        "我妈跟我说，要坚强，可是药都攒够了，今晚就走",
        "医生跟我说，先吃药，我想死",
    ],
)
def test_the_clients_own_words_stay_their_own(text: str) -> None:
    """Somebody named in another sentence, or behind other words, says nothing of this."""
    assert shipped_screen().screen(text).level >= SafetyLevel.CRISIS


@pytest.mark.parametrize(
    "text",
    [
        "In the novel she kills herself. I get it, I want that too.",
        'The poster said "Are you thinking of ending your life?" and I thought: yes.',
    ],
)
def test_a_quotation_that_the_client_agrees_with_is_the_clients(text: str) -> None:
    """What is quoted or framed counts where the next words take it as one's own."""
    assert shipped_screen().screen(text).level >= SafetyLevel.CRISIS


@pytest.mark.parametrize(
    "text",
    [
        "The preacher said that those who kill themselves go to hell",
        'the comedian said "I wanted to kill myself after that gig" and the room went quiet',
        "the nurse asked whether I wanted to die, I said no",
        "医生问我是不是想自杀，我说没有",
    ],
)
def test_a_kind_of_people_and_what_was_denied_are_no_danger(text: str) -> None:
    """What is said of people in general, on a stage, or asked and answered with no, is nobody's."""
    assert shipped_screen().screen(text).level is SafetyLevel.NONE
