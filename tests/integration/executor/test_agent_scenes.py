"""The scenes of agents, played through Converse on a whole executor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from heartrule.domain.decision_events import DecisionMade
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.source_tree import ROOT

SCENES = sorted((ROOT / "tests" / "scenarios").glob("002-scene-*.yaml"))
CLIENT, ACCEPTS = ("AUDIENCE_CLIENT",), ("FEATURE_QUICK_REPLIES",)


def written(path: Path) -> dict[str, Any]:
    """Return a scene as it is written."""
    return dict(yaml.safe_load(path.read_text("utf-8")))


@pytest.mark.parametrize("path", SCENES, ids=[path.stem for path in SCENES])
async def test_a_scene_through_converse(path: Path) -> None:
    """A client reads what a rehearsal shows, and nothing of the decisions behind it."""
    scene = written(path)
    replies = [
        each if isinstance(each, str) else json.dumps(each["object"], ensure_ascii=False)
        for each in scene["model"]
    ]
    async with running_executor(Neighbours(model=FakeModel(replies))) as running:
        session_id = await running.client.start(scene["script"])
        await running.client.initialize(session_id)
        opened = running.client.converse
        async with opened(session_id, audiences=CLIENT, accepts=ACCEPTS) as stream:
            for number, turn in enumerate(scene["turns"][1:]):
                before = len(stream.told.texts())
                await stream.turn(f"m{number}", turn["client"])
                assert stream.told.texts()[before:] == turn["expect"]["said"]
    assert (stream.told.of(DecisionMade), running.neighbours.model.replies) == ([], [])
