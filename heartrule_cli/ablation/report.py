"""The report of an ablation: a table for people, JSON for tools. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TypeAlias

from executor_service.scripts.model.findings import Located
from heartrule.domain.json_value import JsonValue
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say, told
from heartrule_cli.ablation.intervals import LEVEL, Estimate
from heartrule_cli.ablation.measures import MEASURES, Measure
from heartrule_cli.ablation.study import Factor, Run, Study
from heartrule_cli.rehearsal.rehearsal_json import problem
from heartrule_cli.style import Style
from heartrule_cli.text import one_line, table_lines

_Row: TypeAlias = Sequence[Said]


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
            "model": str(plan.model),
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
                    "lost": str(run.lost),
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


def report_lines(
    study: Study, style: Style, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield the report: the model, what differs, what does not, and the runs that were lost."""

    def aligned(rows: Iterable[_Row]) -> Iterator[str]:
        """Yield rows as lines, the two columns of numbers flush right."""
        words = [[told(each, language) for each in row] for row in rows]
        return table_lines(words, numbers=(1, 2), margin="")

    yield from _heading(study, style, language)
    differing = [each for each in MEASURES if study.differs(each.key)]
    equal = [each for each in MEASURES if each not in differing]
    tables = [_rows(study, each) for each in differing]
    if equal:
        tables.append(_equal_rows(study, equal))
    for table in tables:
        yield ""
        head, *rows = aligned(table)
        yield style.bold(head)
        yield from rows
    if study.missing:
        yield ""
        stopped = say("cli.ablate.stopped", missing=study.missing, size=study.plan.size)
        yield style.warn(stopped.told(language))
    if study.lost:
        yield ""
        yield style.warn(say("cli.ablate.lost_runs", count=len(study.lost)).told(language))
        yield from aligned(map(_lost, study.lost))


def _lost(run: Run) -> _Row:
    number = say("cli.ablate.run", number=run.repeat)
    why = run.lost if isinstance(run.lost, Words) else one_line(run.lost)
    return (one_line(run.conversation), number, run.arm.name, "", why)


def number(value: float, decimals: int, *, signed: bool = False) -> str:
    """Return a figure; a difference has its sign, and nothing is -0."""
    text = f"{value:+,.{decimals}f}" if signed else f"{value:,.{decimals}f}"
    is_zero = not any(sign in text for sign in "123456789")
    return text.lstrip("+-") if is_zero else text


def _heading(study: Study, style: Style, language: ReaderLanguage) -> Iterator[str]:
    plan = study.plan
    talks = say("cli.count.conversation", count=len(plan.conversations))
    heading = say(
        "cli.ablate.heading",
        script=style.bold(one_line(plan.script)),
        talks=talks,
        arms=say("cli.ablate.arms", count=len(plan.arms)),
        times=say("cli.ablate.times", count=plan.repeats),
        runs=say("cli.ablate.runs", count=plan.size),
    )
    yield heading.told(language)
    for name in plan.conversations:
        yield f"  {one_line(name)}"
    yield told(plan.model, language)
    if study.evidence:
        yield style.warn(say("cli.ablate.fixed_rules", mark=_mark(study)).told(language))
    yield say("cli.ablate.means", base=plan.base.name).told(language)
    if len(plan.conversations) > 1:
        over = say("cli.ablate.student", talks=talks)
    elif plan.repeats > 1:
        over = say("cli.ablate.welch", repeats=plan.repeats)
    else:
        over = say("cli.ablate.no_spread")
    yield say("cli.ablate.intervals", over=over).told(language)


def _mark(study: Study) -> Said:
    """Return what stands at every figure of fixed answers."""
    return say("cli.ablate.no_evidence") if study.evidence else ""


def _rows(study: Study, measure: Measure) -> Iterator[_Row]:
    """Yield a row for each arm, then one for each factor's average effect."""
    heads = ("cli.ablate.mean", "cli.ablate.difference", "cli.ablate.interval")
    yield (measure.words, *map(say, heads), "")
    for arm in study.plan.arms:
        mean = study.mean(arm, measure.key)
        if mean is None:
            yield (arm.name, "", say("cli.ablate.no_runs"), "", "")
            continue
        difference = _difference(study, study.difference(arm, measure.key), measure)
        yield (arm.name, number(mean.mean, measure.decimals), *difference, _mark(study))
    for factor in Factor:
        if effect := study.effect(factor, measure.key):
            difference = _difference(study, effect, measure)
            yield (say("cli.ablate.on_average", factor=factor), "", *difference, _mark(study))


def _equal_rows(study: Study, measures: Iterable[Measure]) -> Iterator[_Row]:
    yield (say("cli.ablate.all_equal"), say("cli.ablate.mean"), "", "", "")
    for measure in measures:
        mean = study.mean(study.plan.base, measure.key)
        value = number(mean.mean, measure.decimals) if mean else say("cli.ablate.no_runs")
        yield (measure.words, value, "", "", _mark(study))


def _difference(study: Study, found: Estimate | None, measure: Measure) -> tuple[str, Said]:
    """Return a difference and its interval in words."""
    if found is None:
        return "", ""
    if found.is_zero:
        return "0", say("cli.ablate.no_difference")
    value = number(found.mean, measure.decimals, signed=True)
    if found.low is None or found.high is None:
        return value, ""
    if found.same:
        is_one = len(study.plan.conversations) == 1
        return value, say("cli.ablate.every_run" if is_one else "cli.ablate.every_conversation")
    low, high = (number(each, measure.decimals, signed=True) for each in (found.low, found.high))
    return value, f"[{low}, {high}]"
