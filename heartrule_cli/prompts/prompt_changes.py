"""Prompts before and after a change: paired, and each pair as a unified diff. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import TypeAlias

from heartrule.model.ports import ChatMessage
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say
from heartrule_cli.prompts.rendered_prompt import PromptTokens, RenderedPrompt

_Place: TypeAlias = tuple[str, int, str, int]
_NOTHING = PromptTokens(system=0, task=0, data=0, earlier=0)
_PARTS = ("whole", "system", "task", "data", "earlier")


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """One prompt before and after; one of the two may be missing."""

    before: RenderedPrompt | None
    after: RenderedPrompt | None

    @property
    def is_one(self) -> bool:
        """Whether the messages differ."""
        return self.texts_before != self.texts_after

    @property
    def prompt(self) -> RenderedPrompt:
        """The prompt as it is after the change, else as it was."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def texts_before(self) -> tuple[ChatMessage, ...]:
        """The messages before."""
        return self.before.messages if self.before else ()

    @property
    def texts_after(self) -> tuple[ChatMessage, ...]:
        """The messages after."""
        return self.after.messages if self.after else ()

    @property
    def tokens_before(self) -> PromptTokens:
        """The tokens before; none where there was no such prompt."""
        return self.before.tokens if self.before else _NOTHING

    @property
    def tokens_after(self) -> PromptTokens:
        """The tokens after; none where there is no such prompt."""
        return self.after.tokens if self.after else _NOTHING


def changes(
    before: Iterable[RenderedPrompt], after: Iterable[RenderedPrompt]
) -> tuple[PromptChange, ...]:
    """Pair the prompts of the same moments, in the order of those after the change."""
    old, new = _by_place(before), _by_place(after)
    return tuple(
        PromptChange(before=old.get(place), after=new.get(place))
        for place in dict.fromkeys((*new, *old))
    )


def _by_place(prompts: Iterable[RenderedPrompt]) -> dict[_Place, RenderedPrompt]:
    seen: Counter[tuple[str, int, str]] = Counter()
    placed: dict[_Place, RenderedPrompt] = {}
    for each in prompts:
        place = (each.state, each.turn, each.title)
        seen[place] += 1
        placed[*place, seen[place]] = each
    return placed


class PromptDiff:
    """Writes changes as lines; a text that several prompts share is shown once."""

    def __init__(self, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> None:
        """Have shown nothing."""
        self._shown: dict[tuple[str, ...], Words] = {}
        self._language = language

    def lines(self, change: PromptChange) -> Iterator[str]:
        """Yield the lines of one change, the heading aside."""
        yield tokens_line(change.tokens_before, change.tokens_after, self._language)
        for part, old, new in _parts(change):
            found = tuple(islice(unified_diff(old, new, n=2, lineterm=""), 2, None))
            if not found:
                continue
            if found in self._shown:
                same = say("cli.prompt.part_as_in", part=part, place=self._shown[found])
                yield f"    {same.told(self._language)}"
                continue
            self._shown[found] = change.prompt.place
            yield say("cli.prompt.before", part=part).told(self._language)
            yield say("cli.prompt.after", part=part).told(self._language)
            yield from found


def _parts(change: PromptChange) -> Iterator[tuple[Words, Sequence[str], Sequence[str]]]:
    """Yield the system text and the messages behind it, as lines before and after."""
    old, new = change.texts_before, change.texts_after
    yield say("cli.prompt.system"), _lines(old[:1]), _lines(new[:1])
    yield say("cli.prompt.messages"), _lines(old[1:]), _lines(new[1:])


def _lines(messages: Iterable[ChatMessage]) -> list[str]:
    return [line for each in messages for line in (f"[{each.role}]", *each.content.split("\n"))]


def tokens_line(
    before: PromptTokens,
    after: PromptTokens,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> str:
    """Return the tokens of both, whole and by part; what is as it was has one figure."""
    parts = {part: _change(getattr(before, part), getattr(after, part)) for part in _PARTS}
    return f"    {say('cli.prompt.tokens', **parts).told(language)}"


def _change(before: int, after: int) -> str:
    return f"{after:,}" if before == after else f"{before:,} → {after:,}"


def sum_words(found: Sequence[PromptChange]) -> Words:
    """Return how many prompts differ, and the tokens of all of them before and after."""
    before = sum(each.tokens_before.whole for each in found)
    after = sum(each.tokens_after.whole for each in found)
    share = f"{100 * (after - before) / before:+.1f}" if before else ""
    return say(
        "cli.prompt.differ",
        count=sum(each.is_one for each in found),
        total=len(found),
        before=f"{before:,}",
        after=f"{after:,}",
        difference=f"{after - before:+,}",
        share=say("cli.prompt.share", share=share) if share else "",
    )
