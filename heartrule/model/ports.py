"""The chat model as the rest of HeartRule sees it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Literal, Protocol

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.problem import Degradation
from heartrule.model.prompt_words import PromptWords


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    """The author's role in the protocol."""
    content: str
    """Plain text; never an earlier raw JSON reply."""
    pinned: bool = False
    """True: the last to be left out of a prompt that is too long."""


class GivesWay(Enum):
    """Why a text of the last message may give way in a prompt that is too long."""

    REPLY = auto()
    """The client's words that are answered: half of the prompt at most, cut in the middle."""
    VARIABLE = auto()
    """The line of a variable that nothing here reads: left out."""
    VALUE = auto()
    """A long value, or a dialogue that is judged: cut in the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptText:
    """A text of the last message that may give way."""

    kind: GivesWay
    text: str
    """As it stands there, wherever and however often it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request to a model of any provider."""

    purpose: Purpose
    """Chooses the model of a provider."""
    messages: tuple[ChatMessage, ...]
    """The prompt, the format reminder last."""
    prompt_type: str
    """Name of the template, such as `ai_ask_v1`."""
    template_hash: str
    """SHA-256 of the template file."""
    model: str = ""
    """Name of a model, taken where the provider lists it; else, and empty: the purpose's own."""
    temperature: float | None = None
    """In place of the provider's."""
    max_tokens: int = 0
    """The longest reply, within the model's limits; 0: as the provider has it."""
    is_free: bool = False
    """Whether the reply may be any text; else providers that can are held to a JSON object."""
    card: Mapping[str, JsonValue] = field(default_factory=dict)
    """The task once more, for a provider of kind `rehearsal`; no other one is sent it."""
    reply_fields: tuple[str, ...] = ()
    """Top-level fields of the expected object, in order; the schema for providers that take one."""
    quotes: bool = False
    """True where each variable of that object has a value and the client's words that say it."""
    yielding: tuple[PromptText, ...] = ()
    """What may give way where the prompt is too long for its model; see `prompt_fitting`."""
    cuts: tuple[Degradation, ...] = ()
    """What gave way before the prompt was built."""
    words: PromptWords | None = None
    """The engine's own in the prompt's language, for the marks of what gives way; None: the base
    language's."""


@dataclass(frozen=True, slots=True)
class ModelRestarted:
    """A fresh call replaced one that ended before visible text; forget its pieces."""


class ChatModel(Protocol):
    """Something that answers a `ChatRequest` with a stream of text."""

    def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncIterator[str | ModelRestarted]:
        """Yield the reply's text as it is written.

        Args:
            request: What is asked.
            calls: Gets one record for each HTTP attempt, failed ones too, when that attempt ends.
            visible: Whether anything yielded so far was shown to the client. A call is repeated
                only while this is false.

        Raises:
            ModelUnavailable: No provider answered.
            ModelRateLimited: Every provider asked for a pause.
            ModelStreamCut: The reply broke off after something was shown, or the last model asked
                stopped early itself (`length`, `content_filter`, more than 1 MiB).
        """
        ...

    async def aclose(self) -> None:
        """Free the connections; the model answers no more."""
        ...
