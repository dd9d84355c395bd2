"""Puts the chat model of a process together from its settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType

from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.chassis.settings import SettingsError
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.openai_chat import OpenAIChunks
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import Providers
from heartrule.model.settings import KEY_VARIABLE, ModelSettings
from heartrule.model.timing import Timing

_NO_MODEL = (
    f"no model is named: set {KEY_VARIABLE} and HEARTRULE_MODEL, or HEARTRULE_PROVIDERS, "
    "or use `heartrule up`, which rehearses without a key"
)


def build_chat_model(
    settings: ModelSettings,
    *,
    environ: Mapping[str, str] = os.environ,
    timing: Timing | None = None,
    gather_s: float = 0.0,
    within: Mapping[str, float | None] = MappingProxyType({}),
) -> FallbackChatModel:
    """Return the chat model the settings name; it connects with its first call.

    Args:
        settings: Which providers.
        environ: Holds the keys that a providers file names.
        timing: Clocks and waiting; the real ones unless a test gives its own.
        gather_s: Seconds over which text is gathered once a client sees some of it.
        within: Seconds that whoever calls the model has, by variable; None: as long as it takes.

    Raises:
        SettingsError: No provider is named, the file is wrong, a key is lacking, or a call may take
            longer than its caller has.
    """
    clock = timing or Timing()
    providers = _read(settings)
    keys = dict(environ)
    if settings.api_key is not None:
        keys[KEY_VARIABLE] = settings.api_key.get_secret_value()
    if wrong := (*_lacking(providers, keys), *_too_short(providers, within)):
        raise SettingsError(wrong)
    models = [
        ProviderChatModel(
            name,
            provider,
            OpenAIChunks(
                name,
                provider,
                api_key=keys.get(provider.api_key_env, ""),
                timing=clock,
                gather_s=gather_s,
            ),
            clock,
            providers.breaker,
        )
        for name, provider in providers.in_order()
    ]
    return FallbackChatModel(models, providers.retry, clock)


def _read(settings: ModelSettings) -> Providers:
    if not settings.named:
        raise SettingsError((_NO_MODEL,))
    try:
        return settings.read_providers()
    except InvalidSettingsFile as error:
        raise SettingsError((f"HEARTRULE_PROVIDERS: {error.message}",)) from error
    except OSError as error:
        raise SettingsError((f"HEARTRULE_PROVIDERS: {error}",)) from error


def _lacking(providers: Providers, keys: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        f"{provider.api_key_env} is required by the provider {name}"
        for name, provider in providers.in_order()
        if provider.api_key_env and not keys.get(provider.api_key_env)
    )


def _too_short(providers: Providers, within: Mapping[str, float | None]) -> tuple[str, ...]:
    return tuple(
        f"{variable} ({seconds:g}) is shorter than a call of the provider {name} may take "
        f"({provider.timeouts.total:g}: its timeouts.total, or HEARTRULE_REPLY_TIMEOUT)"
        for name, provider in providers.in_order()
        for variable, seconds in within.items()
        if seconds is not None and seconds < provider.timeouts.total
    )
