"""Ctrl-C ends a run that goes on in the terminal."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from pathlib import Path

from tests.support.command import Place
from tests.support.odd_servers import OPEN_HOST, listening

PLAN = """\
name: slow
description: Asks a server that never answers.
nodes:
  - {{node_id: ask, type: HTTP, name: ask, config: {{url: "{url}", method: GET}}}}
edges: []
"""
POLICY = f"default: {{api_domains: [{OPEN_HOST}], api_networks: [{OPEN_HOST}/32]}}\n"


async def test_ctrl_c_cancels_the_run(tmp_path: Path) -> None:
    """What runs is stopped, and the command says so."""
    asked = asyncio.Event()

    async def never(_: asyncio.StreamWriter) -> None:
        asked.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    (tmp_path / "policy.yaml").write_text(POLICY, "utf-8")
    line = ("workflow", "run", "slow.yaml", "--policy", "policy.yaml")
    async with listening(never) as server:
        (tmp_path / "slow.yaml").write_text(PLAN.format(url=server.url()), "utf-8")
        with Place(tmp_path).started(*line) as started:
            await asked.wait()
            code = await asyncio.to_thread(started.leave, signal.SIGINT)
    assert code == 1
    ask, end = started.told
    assert ask.startswith("  ask  cancelled  ")
    assert end.startswith("run cancelled in ")
