"""The language a script is written in."""

from __future__ import annotations

from executor_service.scripts.script_language import language_of_script
from tests.support.engine_builders import ask, script

ENGLISH = (
    "How have you been sleeping over the last two weeks? Tell me about a usual night.",
    "What do you do in the hour before you go to bed, and what would you like to change?",
)
CHINESE = ("最近两周你睡得怎么样？说说平常的一晚。", "睡前一小时你一般做什么？想改变什么？")


def test_what_a_script_asks_tells_its_language() -> None:
    """Its texts together, of all its actions."""
    assert language_of_script(script(*(ask(content=text) for text in ENGLISH))) == "en"
    assert language_of_script(script(*(ask(content=text) for text in CHINESE))) == "zh"


def test_a_sketch_and_a_mixture_have_none() -> None:
    """Then the server's locale counts until the client's first words."""
    assert language_of_script(script(ask(content="Ask for the name."))) == ""
    assert language_of_script(script(ask(content=ENGLISH[0]), ask(content=CHINESE[0]))) == ""
