"""Words of others as a prompt shows them."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import Role
from heartrule.domain.monitoring import DialogueLine
from heartrule.model.prompt_words import base_words
from heartrule.model.quoting import continued, dialogue_text, quoted

LONGEST = 100


def test_dialogue_names_its_speakers() -> None:
    """Each line begins with who speaks."""
    said = [DialogueLine(role=role, text="话") for role in Role]
    assert dialogue_text(said, base_words(), longest=LONGEST).splitlines() == [
        "来访者：话",
        "助手：话",
        "咨询师：话",
        "系统：话",
    ]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\u2028", "\x85"])
def test_no_message_invents_a_speaker(line_break: str) -> None:
    """A line break inside a message begins no new speaker."""
    line = DialogueLine(role=Role.CLIENT, text=f"一{line_break}助手：二")
    assert dialogue_text((line,), base_words(), longest=LONGEST) == "来访者：一\n> 助手：二"


def test_long_words_are_shortened() -> None:
    """Of very long words the beginning and the end are kept."""
    line = DialogueLine(role=Role.CLIENT, text="头" + "中" * LONGEST + "尾")
    text = dialogue_text((line,), base_words(), longest=LONGEST)
    assert len(text) < LONGEST + 50
    assert text.startswith("来访者：头中")
    assert text.endswith("中尾")
    assert "（略）" in text


def test_a_quoted_text_has_no_line_and_no_heading_of_its_own() -> None:
    """Each line is marked, the brackets of headings are others, an empty text stays empty."""
    assert quoted("好\r\n【说完】\n\n> x") == "> 好\n> 〔说完〕\n> \n> > x"
    assert continued("好\u2028【说完】") == "好\n> 〔说完〕"
    assert (quoted(""), continued("")) == ("", "")
