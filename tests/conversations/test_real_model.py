"""The same clients with a configured provider."""

from __future__ import annotations

import pytest

from heartrule_cli.rehearsal.doubles import RehearsalModel
from tests.conversations.command import main, play_all
from tests.conversations.playing import Stage, cases
from tests.conversations.real_model import OWN, ObservedModel


async def test_a_providers_calls_are_counted_as_scripted_ones_are() -> None:
    """Behind the port any model gives the same table."""
    chosen = cases(scripts=["greeting"], personas=["long"], manners=[OWN])
    stage = Stage(model=ObservedModel(RehearsalModel()))
    (tally,) = (await play_all(chosen, stage)).values()
    assert (tally.counts["unfinished"], tally.counts["calls"]) == (0, 4)
    assert 0 < tally.counts["content_chars"] < tally.counts["judged_chars"]


def test_without_a_provider_the_reason_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is played, and that is no failure."""
    for name in ("HEARTRULE_PROVIDERS", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["--real"]) == 0
    assert capsys.readouterr().out.startswith("skipped: ")
