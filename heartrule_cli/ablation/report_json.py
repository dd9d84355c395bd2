"""An ablation as JSON. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

from executor_service.scripts.model.findings import Located
from heartrule.domain.json_value import JsonValue
from heartrule_cli.ablation.arms import Arm, Factor
from heartrule_cli.ablation.intervals import LEVEL, Estimate
from heartrule_cli.ablation.measures import MEASURES
from heartrule_cli.ablation.study import Run, Study
from heartrule_cli.rehearsal.rehearsal_json import problem


def as_json(study: Study | None, problems: Iterable[tuple[str, Located]] = ()) -> str:
    """Return everything as one JSON object; without a study, what is wrong with the files."""
    wrong: list[JsonValue] = [problem(file, found) for file, found in problems]
    whole: dict[str, JsonValue] = {"ok": not wrong, "problems": wrong}
    if study is not None:
        whole |= _plan(study) | {
            "figures": [each for arm in study.plan.arms for each in _figures(study, arm)],
            "effects": [each for factor in Factor for each in _effects(study, factor)],
            "runs": [_run(study, run) for run in study.runs],
        }
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _plan(study: Study) -> dict[str, JsonValue]:
    plan = study.plan
    return {
        "script": plan.script,
        "conversations": list(plan.conversations),
        "design": plan.design.value,
        "arms": [arm.name for arm in plan.arms],
        "base": plan.base.name,
        "repeats": plan.repeats,
        "missing_runs": study.missing,
        "model": plan.model,
        "evidence": study.evidence,
        "interval": {
            "level": LEVEL,
            "method": "t over conversations" if len(plan.conversations) > 1 else "Welch, repeats",
        },
    }


def _figures(study: Study, arm: Arm) -> Iterable[JsonValue]:
    for measure in MEASURES:
        yield {
            "arm": arm.name,
            "measure": measure.key,
            **_estimate(study.mean(arm, measure.key)),
            "difference": _estimate(study.difference(arm, measure.key)) or None,
            "evidence": study.evidence,
        }


def _effects(study: Study, factor: Factor) -> Iterable[JsonValue]:
    for measure in MEASURES:
        found = study.effect(factor, measure.key)
        if found is not None:
            told = {"factor": factor.value, "measure": measure.key, **_estimate(found)}
            yield {**told, "evidence": study.evidence}


def _estimate(found: Estimate | None) -> dict[str, JsonValue]:
    if found is None:
        return {}
    return {"mean": found.mean, "low": found.low, "high": found.high, "same": found.same}


def _run(study: Study, run: Run) -> JsonValue:
    return {
        "conversation": run.conversation,
        "repeat": run.repeat,
        "arm": run.arm.name,
        "values": dict(run.values),
        "silent": dict(run.silent),
        "lost": run.lost,
        "evidence": study.evidence,
    }
