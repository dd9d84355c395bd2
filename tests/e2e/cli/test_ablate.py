"""`heartrule ablate` over HTTP, with the client that talks to real models."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from heartrule_cli.ablation.study import NO_EVIDENCE
from tests.support.command import Place

LONG = pytest.mark.long(
    short="tests/e2e/cli/test_ablate.py::test_a_served_model_is_asked_in_every_arm"
)
LINE = (
    *("ablate", "ablate/family.yaml", "--with", "ablate/talks/willing.conversation.yaml"),
    *("--repeat", "1", "--design", "alone", "--at-once", "2", "--format", "json"),
)


@pytest.mark.parametrize(
    ("model", "evidence"),
    [("heartrule-rehearsal", NO_EVIDENCE), pytest.param("another", "", marks=LONG)],
)
def test_a_served_model_is_asked_in_every_arm(tmp_path: Path, model: str, evidence: str) -> None:
    """What it costs is told; the rehearsal model is no evidence behind an address either."""
    place = Place(tmp_path)
    with place.started("rehearsal-model") as server:
        address = server.until("rehearsal model at ").split()[-1]
        there = {
            "OPENAI_BASE_URL": address,
            "HEARTRULE_MODEL": model,
            "HEARTRULE_PROVIDER_KIND": "rehearsal",
        }
        ran = replace(place, environ={**place.environ, **there}).heartrule(*LINE)
    told = json.loads(ran.stdout)
    assert (ran.returncode, told["evidence"]) == (0, evidence)
    assert f"model: {model} at {address}" in ran.stderr
    runs = {run["arm"]: run["values"] for run in told["runs"]}
    assert all(run["tokens"] > 0 and run["failed_calls"] == 0 for run in runs.values())
    assert runs["none"]["tokens_beside"] == 0 < runs["all"]["tokens_beside"]
