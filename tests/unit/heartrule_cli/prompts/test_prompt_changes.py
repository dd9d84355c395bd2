"""Prompts of before and after are paired by their moment."""

from __future__ import annotations

from heartrule.model.ports import ChatMessage
from heartrule_cli.prompts.prompt_changes import PromptDiff, changes, sum_words
from heartrule_cli.prompts.rendered_prompt import PromptTokens, RenderedPrompt


def prompt(moment: str, system: str, last: str, *, turn: int = 1) -> RenderedPrompt:
    """Return a prompt of two messages, a token for each character."""
    return RenderedPrompt(
        state="s",
        turn=turn,
        template="ai_ask",
        layer="default",
        moment=moment,
        messages=(
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=last),
        ),
        tokens=PromptTokens(system=len(system), task=len(last), data=0, earlier=0),
    )


def test_a_prompt_that_comes_or_goes_stands_alone() -> None:
    """The order is that of after; what is gone comes last."""
    found = changes(
        [prompt("opening", "a", "b"), prompt("round 1 of 2", "a", "c")],
        [prompt("opening", "a", "b"), prompt("round 1 of 3", "a", "c")],
    )
    assert [each.is_one for each in found] == [False, True, True]
    assert [each.before is None for each in found] == [False, True, False]
    assert [each.after is None for each in found] == [False, False, True]
    assert str(sum_words(found)) == "2 prompts differ of 3; tokens 4 → 4 (+0, +0.0 %)"


def test_two_prompts_of_one_moment_are_paired_in_order() -> None:
    """An action that is asked twice in a turn has two prompts of one title."""
    old = [prompt("opening", "a", "b"), prompt("opening", "a", "c")]
    assert [each.is_one for each in changes(old, old)] == [False, False]
    assert len(changes(old, old[:1])) == 2


def test_a_change_that_prompts_share_is_shown_once() -> None:
    """The second time the first one is named; what is alike is not shown."""
    old = [prompt("opening", "be kind", "x"), prompt("round 1 of 2", "be kind", "y")]
    new = [prompt("opening", "be brief", "x"), prompt("round 1 of 2", "be brief", "z")]
    diff = PromptDiff()
    first, second = ([*diff.lines(each)] for each in changes(old, new))
    assert "-be kind" in first
    assert "+be brief" in first
    assert first[0] == "    8 → 9 tokens: system 7 → 8, task 1, data 0, earlier 0"
    assert not [line for line in first if "messages" in line]
    assert "    system: as in ai_ask, opening, turn 1" in second
    assert "-be kind" not in second
    assert {"-y", "+z"} <= set(second)
