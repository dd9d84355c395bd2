"""docs/reference/prompts.md shows the prompts that are sent."""

from __future__ import annotations

from tests.support import prompts_page
from tests.support.documents import page

PAGE = page("docs/reference/prompts.md")


def test_the_prompts_are_those_the_engine_renders() -> None:
    """A change of a template, of the engine's words or of what a call asks for is seen here."""
    assert prompts_page.filled(PAGE.text) == PAGE.text, f"run {prompts_page.REGENERATE}"


def test_each_state_is_rendered_in_its_own_language() -> None:
    """The templates of an English session, its monitors' too, are those of the folder `en`."""
    layers = {
        name: {each.layer for each in prompts} for name, prompts in prompts_page.states().items()
    }
    assert layers == {"sleep_zh": {"default"}, "sleep_en": {"default/en"}}
