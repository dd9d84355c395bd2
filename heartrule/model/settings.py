"""Which model a process talks to, from its environment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from heartrule.chassis.settings import Settings, Variable
from heartrule.model.model_limits import LEAST_CONTEXT
from heartrule.model.providers import (
    ModelNames,
    ProviderKind,
    Providers,
    read_providers,
    single_provider,
)
from heartrule.model.time_limits import Seconds, Timeouts

# The variable of the key where no file names another.
KEY_VARIABLE = "OPENAI_API_KEY"

# Which variable states which limit.
_TIMEOUTS = {
    "first_token_timeout": "first_token",
    "between_tokens_timeout": "between_tokens",
    "reply_timeout": "total",
}


class ModelSettings(Settings):
    """The model provider, or a file of several."""

    providers: Path | None = None
    """A YAML file of named providers; it replaces the variables below."""
    api_key: Annotated[SecretStr | None, Variable(KEY_VARIABLE)] = None
    """Key of the model provider."""
    base_url: Annotated[str, Variable("OPENAI_BASE_URL")] = ""
    """Address of the provider; empty = OpenAI's own."""
    provider_kind: ProviderKind = ProviderKind.OPENAI
    """`rehearsal` where the rehearsal model answers at that address."""
    model: str = ""
    """Name of the model; required with a key or an address."""
    model_monitor: str = ""
    """Model of the monitor; empty = the same."""
    model_think: str = ""
    """Model of inner steps; empty = the same."""
    model_strategy: str = ""
    """Model of the strategy engine; empty = the same."""
    model_decide: str = ""
    """Model of agents; empty = the same."""
    model_workflow: str = ""
    """Model of workflows' nodes; empty = the same."""
    model_thread: str = ""
    """Model of threads' agents; empty = the same."""
    context_tokens: Annotated[int, Field(ge=LEAST_CONTEXT)] | None = None
    """Tokens of prompt and reply that these models take; empty = by their names."""
    first_token_timeout: Seconds = Timeouts().first_token
    """Seconds until a reply begins, its thoughts included."""
    between_tokens_timeout: Seconds = Timeouts().between_tokens
    """Seconds a reply may be silent once it has begun."""
    reply_timeout: Seconds = Timeouts().total
    """Seconds a call may take in all; a turn, an analysis and the monitor's deadline last as long
    at least."""

    @model_validator(mode="after")
    def _timeouts_agree(self) -> Self:
        for name in sorted(self.model_fields_set & _TIMEOUTS.keys()):
            if (seconds := getattr(self, name)) > self.reply_timeout:
                variable = f"{self.prefix}{name.upper()}"
                whole = f"HEARTRULE_REPLY_TIMEOUT ({self.reply_timeout:g})"
                raise ValueError(f"{variable} ({seconds:g}) is longer than {whole}")
        return self

    @model_validator(mode="after")
    def _model_is_named(self) -> Self:
        if self.providers is None and self.named and not self.model:
            raise ValueError(f"HEARTRULE_MODEL is required with {KEY_VARIABLE} or OPENAI_BASE_URL")
        return self

    @property
    def named(self) -> bool:
        """True when a real provider is named; otherwise only the rehearsal model can answer."""
        return self.providers is not None or self.api_key is not None or bool(self.base_url)

    @property
    def longest_call_s(self) -> float:
        """Seconds that one attempt of a call may take; raises as `read_providers` does."""
        return self.read_providers().longest_call_s if self.named else Timeouts().total

    def read_providers(self) -> Providers:
        """Return the providers of the file, or the one of the variables.

        Raises:
            InvalidSettingsFile: The file is wrong.
            OSError: The file cannot be read.
        """
        if self.providers is not None:
            text = self.providers.read_text(encoding="utf-8")
            return read_providers(text, source=self.providers.name)
        models = ModelNames(
            talk=self.model,
            monitor=self.model_monitor,
            think=self.model_think,
            strategy=self.model_strategy,
            decide=self.model_decide,
            workflow=self.model_workflow,
            thread=self.model_thread,
        )
        return single_provider(
            base_url=self.base_url,
            api_key_env=KEY_VARIABLE if self.api_key else "",
            models=models,
            kind=self.provider_kind,
            context_tokens=self.context_tokens,
            timeouts=Timeouts(
                **{
                    limit: getattr(self, name)
                    for name, limit in _TIMEOUTS.items()
                    if name in self.model_fields_set
                }
            ),
        )
