"""An ablation as a table for people. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from heartrule_cli.ablation.arms import Factor
from heartrule_cli.ablation.intervals import Estimate
from heartrule_cli.ablation.measures import MEASURES, Measure
from heartrule_cli.ablation.study import Run, Study
from heartrule_cli.scripts import count_text
from heartrule_cli.style import Style
from heartrule_cli.text import one_line, width

_NO_RUNS = "no runs"
_NO_DIFFERENCE = ("no difference between any arms", "mean", "", "", "")
_GAP = "  "

_Row: TypeAlias = Sequence[str]


def report_lines(study: Study, style: Style) -> Iterator[str]:
    """Yield the report: who spoke, what differs, what does not, what was lost."""
    yield from _heading(study, style)
    differing = [each for each in MEASURES if study.differs(each.key)]
    for measure in differing:
        yield ""
        head, *rows = _aligned(_rows(study, measure))
        yield style.bold(head)
        yield from rows
    equal = [each for each in MEASURES if each not in differing]
    if equal:
        yield ""
        head, *rows = _aligned([_NO_DIFFERENCE, *(_row_of(study, each) for each in equal)])
        yield style.bold(head)
        yield from rows
    if study.missing:
        yield ""
        yield style.warn(f"stopped: {study.missing} of {study.plan.size} runs were not played")
    if study.lost:
        yield ""
        yield style.warn(f"{count_text(len(study.lost), 'run')} lost; no figure counts them")
        yield from _aligned(_lost(run) for run in study.lost)


def number(value: float, decimals: int, *, signed: bool = False) -> str:
    """Return a figure; a difference has its sign, and nothing is -0."""
    text = f"{value:+,.{decimals}f}" if signed else f"{value:,.{decimals}f}"
    is_zero = not any(sign in text for sign in "123456789")
    return text.lstrip("+-") if is_zero else text


def _heading(study: Study, style: Style) -> Iterator[str]:
    plan = study.plan
    arms = count_text(len(plan.arms), "arm")
    talks = count_text(len(plan.conversations), "conversation")
    times = "once" if plan.repeats == 1 else f"{plan.repeats} times"
    script = style.bold(one_line(plan.script))
    yield f"{script}: {talks} in {arms}, each {times}; {count_text(plan.size, 'run')}"
    for name in plan.conversations:
        yield f"  {one_line(name)}"
    yield plan.model
    if study.evidence:
        yield style.warn(
            f"{study.evidence}. Its answers are fixed rules: what is told below shows that the "
            "command works, and nothing about clients."
        )
    yield f"means of a conversation, and differences from `{plan.base.name}`"
    yield f"95 % intervals: {_over(study)}"


def _over(study: Study) -> str:
    """Say what the intervals are made of."""
    talks = len(study.plan.conversations)
    if talks > 1:
        return f"Student's t over {talks} conversations, each the mean of its runs"
    if study.plan.repeats > 1:
        runs = study.plan.repeats
        return f"Welch's t over {runs} runs of one conversation, which stands for itself"
    return "none, since one run of one conversation has no spread"


def _rows(study: Study, measure: Measure) -> Iterator[_Row]:
    """Yield one row an arm, then what each switch does on average."""
    yield (measure.words, "mean", "difference", "95 % interval", "")
    for arm in study.plan.arms:
        mean = study.mean(arm, measure.key)
        if mean is None:
            yield (arm.name, "", _NO_RUNS, "", "")
            continue
        difference = study.difference(arm, measure.key)
        told = _difference(study, difference, measure) if difference else ("", "")
        yield (arm.name, number(mean.mean, measure.decimals), *told, study.evidence)
    for factor in Factor:
        effect = study.effect(factor, measure.key)
        if effect is not None:
            told = _difference(study, effect, measure)
            yield (f"{factor}, on average", "", *told, study.evidence)


def _row_of(study: Study, measure: Measure) -> _Row:
    mean = study.mean(study.plan.base, measure.key)
    value = number(mean.mean, measure.decimals) if mean else _NO_RUNS
    return (measure.words, value, "", "", study.evidence)


def _difference(study: Study, found: Estimate, measure: Measure) -> tuple[str, str]:
    """Return a difference and its interval in words."""
    if found.is_zero:
        return "0", "no difference"
    value = number(found.mean, measure.decimals, signed=True)
    if found.low is None or found.high is None:
        return value, ""
    if found.same:
        unit = "conversation" if len(study.plan.conversations) > 1 else "run"
        return value, f"in every {unit}"
    low, high = (number(each, measure.decimals, signed=True) for each in (found.low, found.high))
    return value, f"[{low}, {high}]"


def _lost(run: Run) -> _Row:
    return (one_line(run.conversation), f"run {run.repeat}", run.arm.name, "", one_line(run.lost))


def _aligned(rows: Iterable[_Row]) -> Iterator[str]:
    """Yield rows as lines: the first column flush left, numbers flush right, then words."""
    table = [list(row) for row in rows]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = [
            _padded(cell, wide, right=place in (1, 2))
            for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
            if wide
        ]
        yield _GAP.join(cells).rstrip()


def _padded(text: str, wide: int, *, right: bool) -> str:
    """Fill up to so many columns of a terminal: Chinese signs take two."""
    room = " " * (wide - width(text))
    return room + text if right else text + room
