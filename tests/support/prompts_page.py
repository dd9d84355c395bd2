"""docs/reference/prompts.md, made from the recorded states that ship, rendered as the engine does.

`python -m tests.support.prompts_page` writes them into the page; a test compares.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from functools import cache

from executor_service.scripts.model.findings import Located
from heartrule.chassis.system_files import system_dir
from heartrule.model.ports import ChatMessage
from heartrule.words.words import Words
from heartrule_cli.prompts.prompt_sources import PromptSource, with_source
from heartrule_cli.prompts.recorded_states import load_states, render, shipped_states
from heartrule_cli.prompts.rendered_prompt import RenderedPrompt
from tests.support.shipped_files import shipped_installation
from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "prompts.md"
REGENERATE = "python -m tests.support.prompts_page"
SHOWN = (
    "ai_say, opening", "ai_ask, opening", "ai_ask, round 2 of 3", "ai_ask, round 3 of 3",
    "ai_ask_monitor, round 2 of 3",
)  # fmt: skip
"""The prompts that stand on the page whole, the first of each title."""


@cache
def states() -> dict[str, tuple[RenderedPrompt, ...]]:
    """Return the prompts of each recorded state that ships, by its name."""
    source = PromptSource(name="shipped", config=system_dir() / "config")
    notes: list[Words] = []
    problems: list[Located] = []
    installation = with_source(shipped_installation(), source, "", notes)
    loaded = load_states(shipped_states(), installation, problems)
    assert [*notes, *problems] == []

    async def play() -> dict[str, tuple[RenderedPrompt, ...]]:
        found = {each.name: await render(each, installation) for each in loaded}
        assert not [trouble for each in found.values() for trouble in each.troubles]
        return {name: each.prompts for name, each in found.items()}

    return asyncio.run(play())


def filled(text: str) -> str:
    """Return the page's text with the prompts of each state as the code renders them now."""
    for name, prompts in states().items():
        begin, end = f"<!-- {name}: made by {REGENERATE} -->", f"<!-- end of {name} -->"
        block = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
        made = "\n".join((begin, *_table(prompts), "", *_whole(name, prompts), end))
        text, count = block.subn(lambda _: made, text)  # noqa: B023 - used at once
        assert count == 1, f"{PAGE.name} has no place for {name}"
    return text


def _table(prompts: Sequence[RenderedPrompt]) -> Iterator[str]:
    yield "| turn | prompt | system | task | data | earlier | whole |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for each in prompts:
        tokens = each.tokens
        parts = (tokens.system, tokens.task, tokens.data, tokens.earlier, tokens.whole)
        yield f"| {each.turn} | {each.title} | {' | '.join(f'{part:,}' for part in parts)} |"


def _whole(name: str, prompts: Sequence[RenderedPrompt]) -> Iterator[str]:
    """Yield the prompts that are shown, a system text only where it stands first."""
    shown: dict[str, str] = {}
    for title in SHOWN:
        each = next(prompt for prompt in prompts if prompt.title == title)
        yield f"### {name}: {title}"
        yield ""
        if each.system in shown:
            yield f"The system text is that of “{shown[each.system]}”."
            yield ""
            yield from _fenced(each.spoken)
        else:
            shown[each.system] = title
            yield from _fenced(each.messages)


def _fenced(messages: Sequence[ChatMessage]) -> Iterator[str]:
    yield "```text"
    for each in messages:
        yield f"[{each.role}]"
        yield each.content
    yield "```"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
