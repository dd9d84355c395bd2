"""Providers from a file or from a few variables, with errors that say where."""

from __future__ import annotations

from pathlib import Path

import pytest

from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.model_call import Purpose
from heartrule.model.build import build_chat_model
from heartrule.model.providers import OPENAI_URL, read_providers
from heartrule.model.response_format import ResponseFormat
from heartrule.model.settings import ModelSettings

FILE = """
providers:
  ark:
    base_url: https://ark.cn-beijing.volces.com/api/v3
    api_key_env: ARK_API_KEY
    models: {talk: big, monitor: small}
    profile: {response_format: json_object, stream_usage: no}
    timeouts: {connect: 2}
    parameters: {temperature: 0.6, max_tokens: 800, user: heartrule, logprobs: false}
  local:
    base_url: http://127.0.0.1:8080/v1
    models: {talk: tiny}
order: [local, ark]
retry: {attempts: 2}
"""


def settings(**environ: str) -> ModelSettings:
    return read(ModelSettings, environ)


def test_file() -> None:
    """Everything a file says is read, in the types it means."""
    providers = read_providers(FILE, source="p.yaml")
    (first, _), (_, ark) = providers.in_order()
    assert first == "local"
    assert ark.profile.response_format is ResponseFormat.JSON_OBJECT
    assert not ark.profile.stream_usage
    assert (ark.timeouts.connect, ark.timeouts.total) == (2.0, 60.0)
    assert ark.parameters == {
        "temperature": 0.6,
        "max_tokens": 800,
        "user": "heartrule",
        "logprobs": False,
    }
    assert providers.retry.attempts == 2


def test_model_per_purpose() -> None:
    """A purpose without a model of its own is served by the one that talks."""
    models = read_providers(FILE, source="p.yaml").providers["ark"].models
    assert [models.serving(p) for p in Purpose] == ["big", "small", *["big"] * 5]


def test_listed_order() -> None:
    """Without an order providers are asked as listed."""
    providers = read_providers(FILE.replace("order: [local, ark]", ""), source="p.yaml")
    assert [name for name, _ in providers.in_order()] == ["ark", "local"]


@pytest.mark.parametrize(
    ("old", "new", "place", "problem"),
    [
        ("base_url: http://", "base_url: ftp://", "providers.local.base_url", "pattern"),
        ("{talk: tiny}", "{monitor: tiny}", "providers.local.models.talk", "required"),
        ("json_object", "xml", "providers.ark.profile.response_format", "json_object"),
        ("connect: 2", "connect: 0", "providers.ark.timeouts.connect", "greater than 0"),
        ("{connect: 2}", "{first_token: 90}", "providers.ark.timeouts", "longer than total (60)"),
        ("attempts: 2", "atempts: 2", "retry.atempts", "not permitted"),
        ("order: [local, ark]", "order: [lokal]", "p.yaml", "names 'lokal', which is no provider"),
        ("providers:\n", "providers: x\nmore:\n", "providers", "valid dictionary"),
    ],
)
def test_mistakes_are_named(old: str, new: str, place: str, problem: str) -> None:
    """Each mistake is named with its path in the file."""
    assert old in FILE
    with pytest.raises(InvalidSettingsFile) as caught:
        read_providers(FILE.replace(old, new, 1), source="p.yaml")
    found = {violation.field: violation.description for violation in caught.value.violations}
    assert problem in found[place]


def test_several_mistakes_at_once() -> None:
    """All mistakes of a file come in one error."""
    with pytest.raises(InvalidSettingsFile) as caught:
        read_providers("providers: {a: {base_url: x}}\norder: [b]", source="p.yaml")
    assert len(caught.value.violations) == 2


def test_environment_alone() -> None:
    """A key and a model are enough; OpenAI's own address is held to JSON."""
    others = {"HEARTRULE_MODEL_THINK": "t", "HEARTRULE_MODEL_STRATEGY": "s"}
    others |= {"HEARTRULE_MODEL_DECIDE": "d", "HEARTRULE_MODEL_WORKFLOW": "w"}
    others["HEARTRULE_MODEL_THREAD"] = "a"
    found = settings(OPENAI_API_KEY="sk", HEARTRULE_MODEL="m", **others)
    provider = found.read_providers().providers["openai"]
    assert (provider.base_url, provider.api_key_env) == (OPENAI_URL, "OPENAI_API_KEY")
    assert [provider.models.serving(p) for p in Purpose] == ["m", "m", "t", "s", "d", "w", "a"]
    assert provider.profile.response_format is ResponseFormat.JSON_OBJECT


def test_time_limits_of_the_environment() -> None:
    """Without a file three variables say how long a call may take, in parts that fit the whole."""
    named = {"OPENAI_API_KEY": "sk", "HEARTRULE_MODEL": "m"}
    slow = settings(**named, HEARTRULE_REPLY_TIMEOUT="300", HEARTRULE_FIRST_TOKEN_TIMEOUT="120")
    timeouts = slow.read_providers().providers["openai"].timeouts
    assert (timeouts.first_token, timeouts.between_tokens, timeouts.total) == (120, 30, 300)
    assert slow.longest_call_s == 300
    with pytest.raises(
        SettingsError, match=r"FIRST_TOKEN_TIMEOUT .90. is longer than HEARTRULE_RE"
    ):
        settings(**named, HEARTRULE_FIRST_TOKEN_TIMEOUT="90")


def test_a_call_fits_into_what_waits_for_it() -> None:
    """Every limit that is shorter than a call of a model is named, in one error."""
    slow = settings(
        OPENAI_BASE_URL="http://x/v1", HEARTRULE_MODEL="m", HEARTRULE_REPLY_TIMEOUT="90"
    )
    within = {"A_TURN": 120.0, "AN_ANALYSIS": 30.0, "A_DEADLINE": 40.0, "DERIVED": None}
    with pytest.raises(SettingsError) as refused:
        build_chat_model(slow, environ={}, within=within)
    assert [each.split()[0] for each in refused.value.problems] == ["AN_ANALYSIS", "A_DEADLINE"]


def test_own_address() -> None:
    """Of an address of one's own nothing is assumed, and a key is not needed."""
    found = settings(OPENAI_BASE_URL="http://127.0.0.1:1/v1", HEARTRULE_MODEL="m")
    provider = found.read_providers().providers["openai"]
    assert provider.api_key_env == ""
    assert provider.profile.response_format is ResponseFormat.NONE


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])
def test_model_is_required(name: str) -> None:
    """A key or an address without a model's name is a mistake."""
    with pytest.raises(SettingsError, match="HEARTRULE_MODEL is required"):
        settings(**{name: "http://x"})


def test_nothing_named() -> None:
    """Without key, address and file no real model is named, and building one says so."""
    found = settings()
    assert not found.named
    with pytest.raises(SettingsError, match="no model is named"):
        build_chat_model(found, environ={})


def test_keys_of_a_file(tmp_path: Path) -> None:
    """A key that the file names must be in the environment."""
    path = tmp_path / "p.yaml"
    path.write_text(FILE, encoding="utf-8")
    found = settings(HEARTRULE_PROVIDERS=str(path))
    with pytest.raises(SettingsError, match="ARK_API_KEY is required by the provider ark"):
        build_chat_model(found, environ={})
    build_chat_model(found, environ={"ARK_API_KEY": "k"})


@pytest.mark.parametrize(("text", "problem"), [("providers: [", "p.yaml:"), (None, "No such file")])
def test_unusable_file(tmp_path: Path, text: str | None, problem: str) -> None:
    """A file that is missing or broken is one setting's mistake."""
    path = tmp_path / "p.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match="HEARTRULE_PROVIDERS: ") as caught:
        build_chat_model(settings(HEARTRULE_PROVIDERS=str(path)), environ={})
    assert problem in str(caught.value)
