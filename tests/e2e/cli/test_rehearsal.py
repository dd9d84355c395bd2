"""`heartrule rehearsal-model`: the model for nothing as a server."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.request import urlopen

from tests.support.command import Place


def test_the_rehearsal_model_tells_where_it_answers(tmp_path: Path) -> None:
    """Its address is printed, OpenAI's protocol is spoken there, a signal ends it with code 0."""
    with Place(tmp_path).started("rehearsal-model") as server:
        address = server.until("rehearsal model at ").split()[-1]
        with urlopen(f"{address}/models", timeout=20) as answer:
            assert json.load(answer)["data"][0]["id"] == "heartrule-rehearsal"
        assert server.leave() == 0


def test_an_address_that_cannot_be_had_is_said(tmp_path: Path) -> None:
    """One sentence, exit code 1."""
    ran = Place(tmp_path).heartrule("rehearsal-model", "--host", "192.0.2.1")
    assert ran.returncode == 1
    assert ran.stderr.startswith("heartrule: cannot listen on 192.0.2.1:")
