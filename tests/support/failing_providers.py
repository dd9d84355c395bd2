"""The ways in which a provider fails, each served on this machine, and a model that has one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from heartrule.chassis.settings import read
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.model_failure import ModelFailureCause as Cause
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.openai_chat import OpenAIChunks
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import BreakerLimits, RetryLimits
from heartrule.model.settings import KEY_VARIABLE, ModelSettings
from heartrule.model.timing import Timing
from tests.support.fake_model import FakeModel
from tests.support.scripted_model import Pause, Reply, ScriptedModel

KEY = "sk-very-secret-0123456789"
MODEL = "big-model"
ADDRESS = "https://api.example.com/v1"
"""Stands for the server's own address, which has another port each time."""
# Once more than the first time, at once: a failure that may pass is tried again.
_RETRY = RetryLimits(attempts=2, base_delay_s=0.001, max_delay_s=0.001)
_NEVER_PAUSED = BreakerLimits(failures=1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingProvider:
    """One way to fail."""

    name: str
    """As the page of failures calls it."""
    cause: Cause
    reply: Reply = field(default_factory=Reply)
    has_key: bool = True
    address: str = "{server}"
    silence_s: float = 10.0
    """Seconds for which an answer that has begun may be silent."""


FAILURES = (
    FailingProvider(
        name="no key",
        cause=Cause.NO_KEY,
        reply=Reply("You didn't provide an API key.", status=401, code="invalid_api_key"),
        has_key=False,
    ),
    FailingProvider(
        name="wrong key (401)",
        cause=Cause.KEY_REJECTED,
        reply=Reply(f"Incorrect API key provided: {KEY}.", status=401, code="invalid_api_key"),
    ),
    FailingProvider(
        name="unknown model (404)",
        cause=Cause.UNKNOWN_MODEL,
        reply=Reply(f"The model `{MODEL}` does not exist.", status=404, code="model_not_found"),
    ),
    FailingProvider(
        name="quota (429)",
        cause=Cause.QUOTA,
        reply=Reply("You exceeded your current quota.", status=429, code="insufficient_quota"),
    ),
    FailingProvider(
        name="refused connection", cause=Cause.CONNECTION_REFUSED, address="http://127.0.0.1:9/v1"
    ),
    FailingProvider(name="DNS", cause=Cause.DNS, address="http://provider.invalid/v1"),
    FailingProvider(name="TLS", cause=Cause.TLS, address="{server_of_https}"),
    FailingProvider(
        name="a page of HTML",
        cause=Cause.UNREADABLE,
        reply=Reply(raw=[b"<!doctype html><title>Welcome</title>"], content_type="text/html"),
    ),
    FailingProvider(
        name="stalls",
        cause=Cause.STALLED,
        reply=Reply("{" * 9, pauses={1: Pause()}),
        silence_s=0.3,
    ),
    FailingProvider(
        name="streams nothing", cause=Cause.EMPTY, reply=Reply(raw=[b"data: [DONE]\n\n"])
    ),
)


@dataclass(slots=True)
class ProviderAtHand:
    """A provider that fails, as a user's environment names it."""

    environ: Mapping[str, str]
    base_url: str

    def on_a_page(self, text: str) -> str:
        """Return a text with an address that is the same each time."""
        return text.replace(self.base_url, ADDRESS)


@asynccontextmanager
async def served(failing: FailingProvider) -> AsyncIterator[ProviderAtHand]:
    """Serve a failing provider for the length of a block."""
    async with ScriptedModel() as server:
        server.always = failing.reply
        base_url = failing.address.format(
            server=server.base_url,
            server_of_https=server.base_url.replace("http:", "https:"),
        )
        environ = {
            "OPENAI_BASE_URL": base_url,
            "HEARTRULE_MODEL": MODEL,
            "HEARTRULE_BETWEEN_TOKENS_TIMEOUT": f"{failing.silence_s:g}",
        }
        if failing.has_key:
            environ[KEY_VARIABLE] = KEY
        yield ProviderAtHand(environ, base_url)


class SwitchedModel(FakeModel):
    """The real client of whichever provider a test has at hand."""

    def __init__(self) -> None:
        """Begin without one."""
        super().__init__()
        self._now: FallbackChatModel | None = None

    @asynccontextmanager
    async def using(self, provider: ProviderAtHand) -> AsyncIterator[None]:
        """Ask this provider for the length of a block."""
        self._now = _client_of(provider.environ)
        try:
            yield
        finally:
            await self._now.aclose()
            self._now = None

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream what the provider gives."""
        assert self._now is not None
        async for piece in self._now.stream(request, calls=calls, visible=visible):
            yield piece


def _client_of(environ: Mapping[str, str]) -> FallbackChatModel:
    timing, key = Timing(), environ.get(KEY_VARIABLE, "")
    models = [
        ProviderChatModel(
            name,
            provider,
            OpenAIChunks(name, provider, api_key=key, timing=timing),
            timing,
            _NEVER_PAUSED,
        )
        for name, provider in read(ModelSettings, environ).read_providers().in_order()
    ]
    return FallbackChatModel(models, _RETRY, timing)
