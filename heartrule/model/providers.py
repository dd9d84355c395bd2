"""Model providers: from providers.yaml, or from a few variables alone.

providers:
  ark:                                  # any name; the ledger shows it
    base_url: https://ark.cn-beijing.volces.com/api/v3
    kind: openai                        # or rehearsal
    api_key_env: ARK_API_KEY            # the key itself is never in a file
    models: {talk: my-large-model, monitor: my-small-model}
    profile: {response_format: json_object, stream_usage: yes}
    timeouts: {first_token: 30, between_tokens: 15, total: 60}    # seconds
    parameters: {temperature: 0.6}
    context_tokens: 32768               # of prompt and reply; empty = by the model's name
    max_output_tokens: 2048             # kept free for the reply
    limits: {my-small-model: {context_tokens: 8192}}    # of one model
order: [ark]                            # who is asked first, who after it
retry: {attempts: 3, base_delay_s: 0.5, max_delay_s: 8}
breaker: {failures: 5, pause_s: 5}      # after 5 failures in a row a model is left alone for 5 s
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from heartrule.chassis.plain_yaml import InvalidSettingsFile, read_plain_yaml
from heartrule.domain.errors import FieldViolation
from heartrule.domain.model_call import Purpose
from heartrule.model.model_limits import UNLIMITED_CONTEXT, ModelLimits, StatedLimits, model_limits
from heartrule.model.response_format import ResponseFormat
from heartrule.model.time_limits import Seconds, Timeouts

# Where OpenAI itself answers.
OPENAI_URL = "https://api.openai.com/v1"

_TIMEOUTS = Timeouts()
_LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}


def _scalar(value: object) -> object:
    """Return the number or literal a parameter is written as; our YAML reads only text."""
    if not isinstance(value, str):
        return value
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return _LITERALS.get(value, value)


# One request parameter: a number, true, false, null or text.
Parameter = Annotated[str | int | float | bool | None, BeforeValidator(_scalar)]


class _FileEntry(BaseModel):
    """Base of what a file may hold; unknown keys are mistakes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ModelNames(_FileEntry):
    """Which model serves which purpose."""

    talk: Annotated[str, Field(min_length=1)]
    """Writes the text for the client."""
    monitor: str = ""
    """Judges rounds; empty = the same as talk."""
    think: str = ""
    """Inner steps; empty = the same as talk."""
    strategy: str = ""
    """Recommends how to talk with a client; empty = the same as talk."""
    decide: str = ""
    """Decides for an agent; empty = the same as talk."""
    workflow: str = ""
    """Answers nodes of workflows; empty = the same as talk."""
    thread: str = ""
    """Answers agents of threads; empty = the same as talk."""
    others: tuple[str, ...] = ()
    """Models that nodes may name beside these, by the policy's table."""

    def serving(self, purpose: Purpose) -> str:
        """Return the model's name for a purpose."""
        named = {
            Purpose.MONITOR: self.monitor,
            Purpose.THINK: self.think,
            Purpose.STRATEGY: self.strategy,
            Purpose.DECIDE: self.decide,
            Purpose.WORKFLOW: self.workflow,
            Purpose.THREAD: self.thread,
        }
        return named.get(purpose) or self.talk

    def answering(self, asked: str, purpose: Purpose) -> str:
        """Return the model that is asked for by its name, where there is one of it."""
        return asked if asked in self.all_named() else self.serving(purpose)

    def all_named(self) -> tuple[str, ...]:
        """Return the names of all models, each once."""
        return tuple(dict.fromkeys((*map(self.serving, Purpose), *self.others)))


class Profile(_FileEntry):
    """The features the provider supports."""

    response_format: ResponseFormat = ResponseFormat.NONE
    """How it can be held to JSON; a model that answers 400 to it gets the next plainer one until
    the process ends."""
    stream_usage: bool = True
    """Whether it reports token counts at the end of a stream."""
    sdk_objects: bool = False
    """Read the stream through the SDK's own objects: slower, for servers our reader cannot read."""


class ProviderKind(StrEnum):
    """What answers at a provider's address."""

    OPENAI = "openai"
    """A language model."""
    REHEARSAL = "rehearsal"
    """The rehearsal model, which reads task cards."""


class Provider(StatedLimits, _FileEntry):
    """One address of an OpenAI-compatible API; its limits are those of its models."""

    base_url: Annotated[str, Field(pattern=r"^https?://\S+$")]
    """Up to and with the version, such as https://api.openai.com/v1."""
    kind: ProviderKind = ProviderKind.OPENAI
    """Only the rehearsal model is sent task cards."""
    api_key_env: str = ""
    """Variable that holds the key; empty = the server needs none."""
    models: ModelNames
    profile: Profile = Profile()
    timeouts: Timeouts = Timeouts()
    parameters: dict[str, Parameter] = {}
    """Sent with every request, such as temperature or max_tokens."""
    limits: dict[str, StatedLimits] = {}
    """Of single models, by name; they count before the provider's."""

    def limits_of(self, model: str) -> ModelLimits:
        """Return how many tokens a model takes."""
        own = self.limits.get(model, StatedLimits())
        if self.kind is ProviderKind.REHEARSAL:
            own = StatedLimits(context_tokens=UNLIMITED_CONTEXT)
        return model_limits(model, own, self, parameters=self.parameters)


class RetryLimits(_FileEntry):
    """How often one provider is asked before the next one is."""

    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """Calls in all, for one provider."""
    base_delay_s: Seconds = 0.5
    """Before the second call; doubles each time."""
    max_delay_s: Seconds = 8.0
    """The longest wait; a provider that asks for more is passed over."""


class BreakerLimits(_FileEntry):
    """When a model that keeps failing is left alone."""

    failures: Annotated[int, Field(ge=1, le=1000)] = 5
    """Failed calls in a row of one model, after which it is not called."""
    pause_s: Seconds = 5.0
    """Until one call may try again; a longer pause that the provider asked for counts instead."""


class Providers(_FileEntry):
    """All providers of a process."""

    providers: Annotated[dict[str, Provider], Field(min_length=1)]
    order: tuple[str, ...] = ()
    """Who is asked, first to last; empty = as listed. A provider not named is not asked."""
    retry: RetryLimits = RetryLimits()
    breaker: BreakerLimits = BreakerLimits()

    @model_validator(mode="after")
    def _order_is_known(self) -> Self:
        for name in self.order:
            if name not in self.providers:
                raise ValueError(f"order names {name!r}, which is no provider")
        return self

    @property
    def longest_call_s(self) -> float:
        """Seconds that one attempt may take at the slowest provider that is asked."""
        return max(provider.timeouts.total for _, provider in self.in_order())

    def in_order(self) -> tuple[tuple[str, Provider], ...]:
        """Return names and providers in the order in which they are asked."""
        return tuple((name, self.providers[name]) for name in self.order or self.providers)


def read_providers(text: str, *, source: str) -> Providers:
    """Read the text of a providers file.

    Raises:
        InvalidSettingsFile: All that is wrong, each with its path in the file.
    """
    data = read_plain_yaml(text, source=source)
    try:
        return Providers.model_validate(data)
    except ValidationError as error:
        violations = tuple(
            FieldViolation(
                field=".".join(map(str, item["loc"])) or source,
                description=item["msg"].removeprefix("Value error, "),
            )
            for item in error.errors()
        )
        listed = "; ".join(f"{v.field}: {v.description}" for v in violations)
        raise InvalidSettingsFile(
            f"{source}: {listed}", reason="INVALID_SETTINGS_FILE", violations=violations
        ) from None


def single_provider(
    *,
    base_url: str,
    api_key_env: str,
    models: ModelNames,
    kind: ProviderKind = ProviderKind.OPENAI,
    context_tokens: int | None = None,
    timeouts: Timeouts = _TIMEOUTS,
) -> Providers:
    """Return the one provider that the environment describes without a file.

    OpenAI itself is asked for `json_object`; of an unknown address nothing is assumed.
    """
    address = base_url or OPENAI_URL
    known = address.rstrip("/") == OPENAI_URL
    profile = Profile(response_format=ResponseFormat.JSON_OBJECT if known else ResponseFormat.NONE)
    provider = Provider(
        base_url=address,
        kind=kind,
        api_key_env=api_key_env,
        models=models,
        profile=profile,
        timeouts=timeouts,
        context_tokens=context_tokens,
    )
    return Providers(providers={"openai": provider})
