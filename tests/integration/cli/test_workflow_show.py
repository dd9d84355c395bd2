"""`heartrule workflow show`: a run of a server, and what its nodes wrote."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heartrule.domain.keys import DEFAULT_TENANT
from heartrule_cli.__main__ import main
from session_store.open import open_in_memory
from session_store.records.runs import NewArtifact
from tests.support.executors import Neighbours, running_executor
from tests.support.store_runs import WELL, ran, working

PICTURE = b"\x89PNG\r\n" + b"x" * 600_000
LARGE = "长" * 6_000


class Shown:
    """The command against an executor that has a run, in a session whose script is gone."""

    def __init__(self, address: str) -> None:
        """Ask the executor at this address."""
        self._address = address

    async def __call__(self, *options: str) -> int:
        """Run the command beside the executor; return its exit code."""
        line = ["workflow", "show", "s1", "run_1", "--address", self._address, *options]
        return await asyncio.to_thread(main, line)


@pytest.fixture
async def shown() -> AsyncIterator[Shown]:
    """Give the command; the run ended."""
    store = open_in_memory()
    _, lease = await working(store, tenant=DEFAULT_TENANT)
    file = NewArtifact(name="图.png", mime_type="image/png", content=PICTURE)
    await ran(store, lease, "n0", {"图": "图.png"}, artifacts=(file,))
    await ran(store, lease, "n1", [LARGE])
    await store.finish_run(lease, WELL)
    async with running_executor(Neighbours(store=store)) as running:
        yield Shown(f"127.0.0.1:{running.server.port}")


async def test_a_run_is_a_page(shown: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    """Its texts are masked where the script has, or may have, sensitive variables."""
    assert await shown() == 0
    masked = capsys.readouterr().out
    assert "  state     completed in " in masked
    assert '  n0 gave {"图": "•••"}' in masked
    assert await shown("--reveal") == 0
    open_page = capsys.readouterr().out
    assert '  n0 gave {"图": "图.png"}' in open_page
    assert "  n0/图.png  image/png  600,006 bytes" in open_page


async def test_json_is_the_contracts(shown: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    """With the names of the HTTP API."""
    assert await shown("--format", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["run"]["runId"], len(found["attempts"])) == ("run_1", 2)


async def test_a_file_is_fetched_whole(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under its own name in this folder, or under the one that is given."""
    monkeypatch.chdir(tmp_path)
    assert await shown("--reveal", "--artifact", "n0/图.png") == 0
    assert (tmp_path / "图.png").read_bytes() == PICTURE
    options = ("--reveal", "--artifact", "n0/图.png", "--out", "new/a.png")
    assert await shown(*options) == 0
    assert (tmp_path / "new" / "a.png").read_bytes() == PICTURE


async def test_a_large_output_is_fetched_by_its_hash(
    shown: Shown, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page names it."""
    await shown("--reveal")
    told = capsys.readouterr().out
    sha256 = told.partition("--value ")[2].split()[0]
    out = tmp_path / "value.json"
    assert await shown("--reveal", "--value", sha256, "--out", str(out)) == 0
    assert json.loads(out.read_text("utf-8")) == [LARGE]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--artifact", "n0/图.png"], 1, "reveal"),
        (["--artifact", "图.png"], 2, "NODE/NAME"),
        (["--reveal", "--artifact", "n0/x.png"], 1, "artifact"),
        (["--out", "x"], 2, "--artifact"),
    ],
    ids=["masked", "no node", "none", "nothing to write"],
)
async def test_what_cannot_be_fetched_is_one_sentence(
    shown: Shown,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    code: int,
    said: str,
) -> None:
    """Nothing is written."""
    assert await shown(*options) == code
    assert said in capsys.readouterr().err
