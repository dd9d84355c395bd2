"""Prompts before and after a change: paired, and each pair as a unified diff. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import TypeAlias

from heartrule.model.ports import ChatMessage
from heartrule_cli.prompts.rendered_prompt import PromptTokens, RenderedPrompt

_Place: TypeAlias = tuple[str, int, str, int]
_NOTHING = PromptTokens(system=0, task=0, data=0, earlier=0)
_PARTS = ("system", "task", "data", "earlier")


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

    def __init__(self) -> None:
        """Have shown nothing."""
        self._shown: dict[tuple[str, ...], str] = {}

    def lines(self, change: PromptChange) -> Iterator[str]:
        """Yield the lines of one change, the heading aside."""
        yield f"    {tokens_change(change.tokens_before, change.tokens_after)}"
        for name, old, new in _parts(change):
            found = tuple(islice(unified_diff(old, new, n=2, lineterm=""), 2, None))
            if not found:
                continue
            if found in self._shown:
                yield f"    {name}: as in {self._shown[found]}"
                continue
            self._shown[found] = f"{change.prompt.title}, turn {change.prompt.turn}"
            yield from (f"--- {name}, before", f"+++ {name}, after", *found)


def _parts(change: PromptChange) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    """Yield the system text and the messages behind it, as lines before and after."""
    old, new = change.texts_before, change.texts_after
    yield "system", _lines(old[:1]), _lines(new[:1])
    yield "messages", _lines(old[1:]), _lines(new[1:])


def _lines(messages: Iterable[ChatMessage]) -> list[str]:
    return [line for each in messages for line in (f"[{each.role}]", *each.content.split("\n"))]


def tokens_change(before: PromptTokens, after: PromptTokens) -> str:
    """Return the tokens of both, whole and by part; what is as it was has one figure."""
    parts = (f"{part} {_change(getattr(before, part), getattr(after, part))}" for part in _PARTS)
    return f"{_change(before.whole, after.whole)} tokens: {', '.join(parts)}"


def _change(before: int, after: int) -> str:
    return f"{after:,}" if before == after else f"{before:,} → {after:,}"


def sum_line(found: Sequence[PromptChange]) -> str:
    """Return how many prompts differ, and the tokens of all of them before and after."""
    differing = sum(each.is_one for each in found)
    before = sum(each.tokens_before.whole for each in found)
    after = sum(each.tokens_after.whole for each in found)
    share = f", {100 * (after - before) / before:+.1f} %" if before else ""
    prompts = "1 prompt differs" if differing == 1 else f"{differing} prompts differ"
    total = f"tokens {before:,} → {after:,} ({after - before:+,}{share})"
    return f"{prompts} of {len(found)}; {total}"
