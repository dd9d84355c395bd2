"""The counts of a bench as one table: a line a measure, a column a group of conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Counts: TypeAlias = Counter[str]


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table."""

    key: str
    label: str
    value: Callable[[Counts], float]
    digits: int = 0
    percent: bool = False

    def shown(self, counts: Counts) -> str:
        """Return the value as it is printed."""
        value = self.value(counts)
        return f"{100 * value:.1f} %" if self.percent else f"{value:,.{self.digits}f}"


def _count(name: str) -> Callable[[Counts], float]:
    return lambda counts: counts[name]


def _per(name: str, other: str) -> Callable[[Counts], float]:
    return lambda counts: counts[name] / counts[other] if counts[other] else 0.0


def _tokens(counts: Counts) -> float:
    spent = counts["prompt_tokens"] + counts["reply_tokens"]
    return spent / counts["conversations"] if counts["conversations"] else 0.0


def _share(key: str, label: str, other: str) -> Measure:
    return Measure(key, label, _per(key, other), percent=True)


def _sum(key: str, label: str) -> Measure:
    return Measure(key, label, _count(key))


def _mean(key: str, label: str, other: str, digits: int = 0) -> Measure:
    return Measure(key, label, _per(key, other), digits=digits)


MEASURES = (
    _sum("conversations", "conversations"),
    _share("asked_known", "questions for what was told, of questions", "questions"),
    _sum("unawaited", "questions nobody waited for"),
    _sum("late_exits", "late exits sent"),
    _sum("unsupported", "values stored without support"),
    _sum("values", "values stored"),
    _share("repeated", "messages sent a second time, of messages", "messages"),
    _share("echoed", "echoes sent, of messages", "messages"),
    _mean("rounds", "rounds per output", "outputs", 2),
    _mean("turns", "turns per conversation", "conversations", 1),
    _mean("calls", "model calls per conversation", "conversations", 1),
    _mean("prompt_tokens", "prompt tokens per call", "calls"),
    _mean("reply_tokens", "reply tokens per call", "calls"),
    Measure("tokens", "tokens per conversation", _tokens),
    _share("content_chars", "`content`, of a judged reply", "judged_chars"),
    _share("content_tokens", "`content`, of its tokens", "judged_tokens"),
    _sum("unreadable", "replies that could not be read"),
    _sum("advice_made", "advice made"),
    _sum("advice_used", "advice used"),
    _sum("advice_obeyed", "advice obeyed"),
    _sum("advice_overtaken", "advice overtaken"),
    _sum("advice_wrong", "advice wrong"),
    _sum("mismatched", "messages in another language"),
    _sum("concerned", "conversations held to be unsafe"),
    _sum("alarmed", "conversations with a false alarm"),
    _sum("unfinished", "conversations that did not end"),
)


def table(groups: Mapping[str, Counts], measures: Sequence[Measure] = MEASURES) -> str:
    """Return the table as Markdown."""
    names = list(groups)
    lines = [["", *names], ["---", *("---:" for _ in names)]]
    lines += [[each.label, *(each.shown(groups[name]) for name in names)] for each in measures]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def figures(groups: Mapping[str, Counts]) -> dict[str, dict[str, float]]:
    """Return the same as data."""
    return {
        name: {each.key: round(each.value(counts), 4) for each in MEASURES}
        for name, counts in groups.items()
    }
