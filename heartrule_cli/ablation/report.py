"""The report of an ablation: a table for people, JSON for tools. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeAlias

from executor_service.scripts.model.findings import Located
from heartrule.domain.json_value import JsonValue
from heartrule_cli.ablation.intervals import LEVEL, Estimate
from heartrule_cli.ablation.measures import MEASURES, Measure
from heartrule_cli.ablation.study import Factor, Study
from heartrule_cli.rehearsal.rehearsal_json import problem
from heartrule_cli.scripts import count_text
from heartrule_cli.style import Style
from heartrule_cli.text import one_line, table_lines

_NO_RUNS = "no runs"

_Row: TypeAlias = Sequence[str]


def as_json(study: Study | None, problems: Iterable[Located] = ()) -> str:
    """Return everything as one JSON object; without a study, what is wrong with the files."""
    wrong: list[JsonValue] = [problem(found) for found in problems]
    whole: dict[str, JsonValue] = {"ok": not wrong, "problems": wrong}
    if study is not None:
        plan = study.plan
        over = "t over conversations" if len(plan.conversations) > 1 else "Welch, repeats"
        whole |= {
            "script": plan.script,
            "conversations": list(plan.conversations),
            "design": plan.design.value,
            "arms": [arm.name for arm in plan.arms],
            "base": plan.base.name,
            "repeats": plan.repeats,
            "missing_runs": study.missing,
            "model": plan.model,
            "evidence": study.evidence,
            "interval": {"level": LEVEL, "method": over},
            "figures": list(_json_figures(study)),
            "effects": list(_json_effects(study)),
            "runs": [
                {
                    "conversation": run.conversation,
                    "repeat": run.repeat,
                    "arm": run.arm.name,
                    "values": dict(run.values),
                    "silent": dict(run.silent),
                    "lost": run.lost,
                    "evidence": study.evidence,
                }
                for run in study.runs
            ],
        }
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _json_figures(study: Study) -> Iterator[JsonValue]:
    for arm in study.plan.arms:
        for measure in MEASURES:
            mean, difference = study.mean(arm, measure.key), study.difference(arm, measure.key)
            yield {
                "arm": arm.name,
                "measure": measure.key,
                **(asdict(mean) if mean else {}),
                "difference": asdict(difference) if difference else None,
                "evidence": study.evidence,
            }


def _json_effects(study: Study) -> Iterator[JsonValue]:
    for factor in Factor:
        for measure in MEASURES:
            if effect := study.effect(factor, measure.key):
                figures = {"factor": factor.value, "measure": measure.key, **asdict(effect)}
                yield figures | {"evidence": study.evidence}


def report_lines(study: Study, style: Style) -> Iterator[str]:
    """Yield the report: the model, what differs, what does not, and the runs that were lost."""
    yield from _heading(study, style)
    differing = [each for each in MEASURES if study.differs(each.key)]
    equal = [each for each in MEASURES if each not in differing]
    tables = [_rows(study, each) for each in differing]
    if equal:
        tables.append(_equal_rows(study, equal))
    for table in tables:
        yield ""
        head, *rows = _aligned(table)
        yield style.bold(head)
        yield from rows
    if study.missing:
        yield ""
        yield style.warn(f"stopped: {study.missing} of {study.plan.size} runs were not played")
    if study.lost:
        yield ""
        yield style.warn(f"{count_text(len(study.lost), 'run')} lost; no figure counts them")
        yield from _aligned(
            (one_line(run.conversation), f"run {run.repeat}", run.arm.name, "", one_line(run.lost))
            for run in study.lost
        )


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
    if len(plan.conversations) > 1:
        over = f"Student's t over {talks}, each the mean of its runs"
    elif plan.repeats > 1:
        over = f"Welch's t over {plan.repeats} runs of one conversation, which stands for itself"
    else:
        over = "none, since one run of one conversation has no spread"
    yield f"95 % intervals: {over}"


def _rows(study: Study, measure: Measure) -> Iterator[_Row]:
    """Yield a row for each arm, then one for each factor's average effect."""
    yield (measure.words, "mean", "difference", "95 % interval", "")
    for arm in study.plan.arms:
        mean = study.mean(arm, measure.key)
        if mean is None:
            yield (arm.name, "", _NO_RUNS, "", "")
            continue
        difference = _difference(study, study.difference(arm, measure.key), measure)
        yield (arm.name, number(mean.mean, measure.decimals), *difference, study.evidence)
    for factor in Factor:
        if effect := study.effect(factor, measure.key):
            difference = _difference(study, effect, measure)
            yield (f"{factor}, on average", "", *difference, study.evidence)


def _equal_rows(study: Study, measures: Iterable[Measure]) -> Iterator[_Row]:
    yield ("no difference between any arms", "mean", "", "", "")
    for measure in measures:
        mean = study.mean(study.plan.base, measure.key)
        value = number(mean.mean, measure.decimals) if mean else _NO_RUNS
        yield (measure.words, value, "", "", study.evidence)


def _difference(study: Study, found: Estimate | None, measure: Measure) -> tuple[str, str]:
    """Return a difference and its interval in words."""
    if found is None:
        return "", ""
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


def _aligned(rows: Iterable[_Row]) -> Iterator[str]:
    """Yield rows as lines, the two columns of numbers flush right."""
    return table_lines(list(rows), numbers=(1, 2), margin="")
