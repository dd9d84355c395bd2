"""Which model answers: the one the environment names, or the rehearsal model. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.model.providers import ProviderKind
from heartrule.model.settings import KEY_VARIABLE
from heartrule.words.words import Words, say
from heartrule_cli.text import one_line

REHEARSAL_NAME = "heartrule-rehearsal"
_URL = "OPENAI_BASE_URL"
_MODEL = "HEARTRULE_MODEL"
_PROVIDERS = "HEARTRULE_PROVIDERS"
_KIND = "HEARTRULE_PROVIDER_KIND"
_OTHER_MODELS = (
    "HEARTRULE_MODEL_MONITOR",
    "HEARTRULE_MODEL_THINK",
    "HEARTRULE_MODEL_STRATEGY",
    "HEARTRULE_MODEL_DECIDE",
    "HEARTRULE_MODEL_WORKFLOW",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Whether the rehearsal model is used, and the line that names the model."""

    rehearsal: bool
    line: Words


def choose_model(environ: Mapping[str, str]) -> ModelChoice:
    """Return the rehearsal model where nothing names a real one.

    A real one is named by a key, a file of providers, or an address together with a model: local
    servers want no key.
    """

    def value(name: str) -> str:
        return environ.get(name, "").strip()

    if value(_PROVIDERS):
        line = say("cli.model.providers", file=one_line(value(_PROVIDERS)))
        return ModelChoice(rehearsal=False, line=line)
    if value(KEY_VARIABLE) or (value(_URL) and value(_MODEL)):
        place = value(_URL) or "OpenAI"
        name = one_line(value(_MODEL)) or say("cli.model.none_named")
        line = say("cli.model.named", model=name, place=one_line(place))
        return ModelChoice(rehearsal=False, line=line)
    line = say("cli.model.rehearsal", key=KEY_VARIABLE, model=_MODEL)
    if value(_URL):
        line = say("cli.model.rehearsal_url", line=line, url=_URL)
    return ModelChoice(rehearsal=True, line=line)


def rehearsal_environment(base_url: str) -> dict[str, str]:
    """Return the variables that make a service talk to the rehearsal model."""
    unset = dict.fromkeys((_PROVIDERS, *_OTHER_MODELS), "")
    named = {_URL: base_url, KEY_VARIABLE: "rehearsal", _MODEL: REHEARSAL_NAME}
    return {**unset, **named, _KIND: ProviderKind.REHEARSAL}
