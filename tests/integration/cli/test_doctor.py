"""What the doctor says of models that fail, and of those that answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.words.language import ReaderLanguage
from heartrule_cli.doctor.findings import DoctorFinding, FindingLevel
from heartrule_cli.doctor.models_section import models_section, try_providers
from tests.support.fake_model import ask_reply
from tests.support.scripted_model import Pause, Reply, ScriptedModel

ASKING = ChatRequest(
    purpose=Purpose.TALK,
    messages=(ChatMessage(role="user", content="问"),),
    prompt_type="ai_ask_v1",
    template_hash="h",
    reply_fields=("EXIT", "content"),
)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedModel]:
    async with ScriptedModel() as started:
        yield started


def named(base_url: str, **more: str) -> dict[str, str]:
    """Return an environment with one provider."""
    return {
        "OPENAI_API_KEY": "sk-secret", "OPENAI_BASE_URL": base_url, "HEARTRULE_MODEL": "big", **more
    }  # fmt: skip


async def only_finding(environ: dict[str, str], wait_s: float = 5.0) -> DoctorFinding:
    (found,) = await try_providers(environ, wait_s)
    return found


def told(found: DoctorFinding) -> str:
    return found.told(ReaderLanguage.ENGLISH)


# That the doctor says of each failure what the terminal does:
# tests/integration/gateway_service/test_failures_explained.py.
async def test_a_server_that_stalls_is_left_after_the_wait(server: ScriptedModel) -> None:
    """The provider's own limit of a minute is not waited for."""
    server.always = Reply("never", pauses={0: Pause()})
    found = await only_finding(named(server.base_url), wait_s=0.5)
    assert "fell silent" in told(found)
    assert found.level is FindingLevel.ERROR


async def test_a_provider_without_its_key_is_not_called(tmp_path: Path) -> None:
    """The variable that its file names is said."""
    file = tmp_path / "providers.yaml"
    file.write_text(
        "providers:\n  ark: {base_url: 'http://127.0.0.1:9/v1', api_key_env: ARK_KEY,"
        " models: {talk: m}}\n",
        encoding="utf-8",
    )
    found = await only_finding({"HEARTRULE_PROVIDERS": str(file)})
    assert (found.subject, told(found)) == ("ark", "its key is not set: ARK_KEY")


async def test_one_call_tries_all_purposes_of_a_model(server: ScriptedModel) -> None:
    """Two models, two calls: what is tried costs money."""
    server.always = Reply("ready")
    found = await try_providers(named(server.base_url, HEARTRULE_MODEL_MONITOR="small"), 5.0)
    assert [each.subject for each in found] == ["big", "small"]
    assert told(found[1]).endswith("for monitor")
    assert len(server.requests) == 2


async def test_what_is_no_json_is_a_warning(server: ScriptedModel) -> None:
    """One of three answers is prose: the engine asks again, and clients wait longer."""
    server.say("ready", ask_reply("一"), "好的。", ask_reply("三"))
    found = await try_providers(named(server.base_url), 5.0, ASKING)
    assert [each.level for each in found][-1] is FindingLevel.WARNING
    assert told(found[-1]).startswith("keeps JSON in 2 of 3 answers")


async def test_the_rehearsal_model_is_well() -> None:
    """It answers the real prompt of a question, and nothing is to be done."""
    section = await models_section({}, 10.0)
    assert {each.level for each in section.findings} == {FindingLevel.OK}
    assert told(section.findings[-1]).startswith("keeps JSON in 3 of 3")


async def test_a_model_that_is_named_without_a_key_is_doubtful() -> None:
    """Its user believes to talk with it, and fixed answers come."""
    section = await models_section({"HEARTRULE_MODEL": "big"}, 10.0)
    assert section.findings[0].level is FindingLevel.WARNING
    assert "OPENAI_API_KEY" in str(section.findings[0].remedy)
