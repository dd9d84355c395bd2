"""A session that is written as a rehearsal comes out the same when it is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.recorded_conversation import RecordedSession, conversation_text
from executor_service.recorded_session import recorded_session
from executor_service.scripts.model.findings import Findings, Located
from heartrule.chassis.system_files import system_dir
from heartrule.domain.sensitive import SensitiveVariables
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.files import load_conversation, load_tested_script
from heartrule_cli.rehearsal.play import Play, rehearse
from tests.support.shipped_files import shipped_installation

EXAMPLES = system_dir() / "examples"


@pytest.mark.parametrize(
    "name", ["ai_ask/not_willing", "fill_form/submitted", "ai_say/until_understood"]
)
async def test_a_recorded_session_holds_when_it_is_rehearsed(name: str) -> None:
    """Inputs, answers of the models and what then held are all in its file."""
    problems: list[Located] = []
    installation = shipped_installation()
    script = load_tested_script(EXAMPLES / f"{name}.yaml", installation, problems)
    talk = load_conversation(EXAMPLES / f"{name}.conversation.yaml", problems)
    assert script is not None
    assert talk is not None
    play = Play(talk, installation)
    await play.harness.create_session(script)
    for turn in talk.turns:
        await play.turn(turn)
    recorded = await recorded_session(play.harness.store, play.harness.key, SensitiveVariables())
    await play.harness.aclose()
    text = conversation_text(recorded, "录下的")
    gone = replace(recorded.calls[0], turn_id="turn_gone")  # its turn was taken back
    assert conversation_text(replace(recorded, calls=(gone, *recorded.calls)), "录下的") == text
    nowhere = replace(recorded, session=replace(recorded.session, time_zone="Beijing"))
    assert "Beijing" not in conversation_text(nowhere, "录下的")
    spoken = {
        _locale_written(replace(recorded, session=replace(recorded.session, language=decided)))
        for decided in ("zh", "zh-CN", "")
    }
    assert spoken == {"zh-CN"}
    english = replace(recorded.session, language="en")  # by its script, or by its client's words
    assert _locale_written(replace(recorded, session=english)) == "en"
    findings = Findings("recorded.yaml")
    again = read_conversation(text.encode(), findings)
    assert again is not None, findings.sorted()
    assert len(again.turns) == len(talk.turns)
    assert again.expects
    assert (await rehearse(script, again, installation)).differences == ()


def _locale_written(recorded: RecordedSession) -> str:
    """Return the locale in the file of a session."""
    found = read_conversation(conversation_text(recorded, "录下的").encode(), Findings("x.yaml"))
    assert found is not None
    return found.locale
