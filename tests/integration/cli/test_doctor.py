"""What the doctor says of models that fail, and of those that answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, ChatRequest
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
PAGE = b"<!doctype html><title>Welcome</title>"
DONE = b"data: [DONE]\n\n"


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


@pytest.mark.parametrize(
    ("reply", "sentence", "remedy"),
    [
        (
            Reply("Incorrect API key provided: sk-secret.", status=401),
            "refuses the key (status 401): Incorrect API key",
            "set OPENAI_API_KEY to",
        ),
        (
            Reply("The model `big` does not exist.", status=404, code="model_not_found"),
            "does not know the model big (status 404): The model `big` does not exist.",
            "name a model that it has in HEARTRULE_MODEL",
        ),
        (
            Reply("You exceeded your quota.", status=429, code="insufficient_quota"),
            "says that the quota is used up (status 429): You exceeded your quota.",
            "look at the plan",
        ),
        (
            Reply(raw=[PAGE], content_type="text/html"),
            "such as a web page",
            "ends with the version",
        ),
        (Reply(raw=[DONE]), "ended its answer without a word", "log"),
    ],
)
async def test_a_refusal_is_one_sentence_with_cause_and_remedy(
    server: ScriptedModel, reply: Reply, sentence: str, remedy: str
) -> None:
    """With address, status and the provider's own words; never with the key."""
    server.always = reply
    found = await only_finding(named(server.base_url))
    assert found.level is FindingLevel.ERROR
    assert found.text.startswith(server.base_url)
    assert sentence in found.text
    assert remedy in found.remedy
    assert "sk-secret" not in found.text


async def test_a_server_that_stalls_is_left_after_the_wait(server: ScriptedModel) -> None:
    """The provider's own limit of a minute is not waited for."""
    server.always = Reply("never", pauses={0: Pause()})
    found = await only_finding(named(server.base_url), wait_s=0.5)
    assert "stalled" in found.text
    assert "try later" in found.remedy


async def test_connections_that_cannot_be_made_have_their_causes(server: ScriptedModel) -> None:
    """Refused, an unknown name and a server without TLS have remedies of their own."""
    addresses = {
        "http://127.0.0.1:9/v1": "connection refused",
        "http://provider.invalid/v1": "DNS",
        server.base_url.replace("http:", "https:"): "TLS",
    }
    for address, cause in addresses.items():
        found = await only_finding(named(address))
        assert (f"({cause})" in found.text, found.level) == (True, FindingLevel.ERROR)
        assert "OPENAI_BASE_URL" in found.remedy


async def test_a_provider_without_its_key_is_not_called(tmp_path: Path) -> None:
    """The variable that its file names is said."""
    file = tmp_path / "providers.yaml"
    file.write_text(
        "providers:\n  ark: {base_url: 'http://127.0.0.1:9/v1', api_key_env: ARK_KEY,"
        " models: {talk: m}}\n",
        encoding="utf-8",
    )
    found = await only_finding({"HEARTRULE_PROVIDERS": str(file)})
    assert (found.subject, found.text) == ("ark", "its key is not set: ARK_KEY")


async def test_one_call_tries_all_purposes_of_a_model(server: ScriptedModel) -> None:
    """Two models, two calls: what is tried costs money."""
    server.always = Reply("ready")
    found = await try_providers(named(server.base_url, HEARTRULE_MODEL_MONITOR="small"), 5.0)
    assert [each.subject for each in found] == ["big", "small"]
    assert found[1].text.endswith("for monitor")
    assert len(server.requests) == 2


async def test_what_is_no_json_is_a_warning(server: ScriptedModel) -> None:
    """One of three answers is prose: the engine asks again, and clients wait longer."""
    server.say("ready", ask_reply("一"), "好的。", ask_reply("三"))
    found = await try_providers(named(server.base_url), 5.0, ASKING)
    assert [each.level for each in found][-1] is FindingLevel.WARNING
    assert found[-1].text.startswith("keeps JSON in 2 of 3 answers")


async def test_the_rehearsal_model_is_well() -> None:
    """It answers the real prompt of a question, and nothing is to be done."""
    section = await models_section({}, 10.0)
    assert {each.level for each in section.findings} == {FindingLevel.OK}
    assert section.findings[-1].text.startswith("keeps JSON in 3 of 3")


async def test_a_model_that_is_named_without_a_key_is_doubtful() -> None:
    """Its user believes to talk with it, and fixed answers come."""
    section = await models_section({"HEARTRULE_MODEL": "big"}, 10.0)
    assert section.findings[0].level is FindingLevel.WARNING
    assert "OPENAI_API_KEY" in section.findings[0].remedy
