"""Which model answers."""

from __future__ import annotations

import pytest

from heartrule.chassis.settings import read
from heartrule.model.providers import ProviderKind
from heartrule.model.settings import ModelSettings
from heartrule_cli.services.model_choice import choose_model, rehearsal_environment


@pytest.mark.parametrize(
    "environ",
    [{}, {"OPENAI_API_KEY": " "}, {"OPENAI_BASE_URL": "http://x/v1"}, {"HEARTRULE_MODEL": "m"}],
)
def test_without_a_key_the_rehearsal_model_answers_and_says_so(environ: dict[str, str]) -> None:
    """Nobody takes its fixed answers for a real model's."""
    choice = choose_model(environ)
    assert choice.rehearsal
    assert str(choice.line).startswith("rehearsal model: no key is set")


@pytest.mark.parametrize(
    ("environ", "line"),
    [
        ({"OPENAI_API_KEY": "k-1", "HEARTRULE_MODEL": "m"}, "model: m at OpenAI"),
        (
            {"OPENAI_BASE_URL": "http://x/v1", "HEARTRULE_MODEL": "m"},
            "model: m at http://x/v1",
        ),
        ({"HEARTRULE_PROVIDERS": "p.yaml"}, "model: the providers of p.yaml"),
    ],
)
def test_a_named_model_is_used_and_told_without_its_key(environ: dict[str, str], line: str) -> None:
    """A key, a file of providers, or an address with a model: local servers want no key."""
    choice = choose_model(environ)
    assert (choice.rehearsal, str(choice.line)) == (False, line)


def test_services_find_the_rehearsal_model_whatever_was_set() -> None:
    """Its variables make settings that read as a real model at that address."""
    mixed = {"HEARTRULE_MODEL_THINK": "other", "HEARTRULE_PROVIDERS": ""}
    settings = read(ModelSettings, mixed | rehearsal_environment("http://127.0.0.1:9/v1"))
    assert (settings.named, settings.base_url) == (True, "http://127.0.0.1:9/v1")
    assert (settings.model_think, settings.providers) == ("", None)
    assert settings.read_providers().providers["openai"].kind is ProviderKind.REHEARSAL
