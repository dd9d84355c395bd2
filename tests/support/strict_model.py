"""A model that refuses what is longer than its context: it counts tokens in its own way.

Everything between a chat model and its HTTP client is real; only the server is played here.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from heartrule.domain.json_value import JsonValue
from heartrule.model.chat_events import ChatChunk
from heartrule.model.fallback_model import FallbackChatModel
from heartrule.model.model_failures import CONNECTION, status_failure, unavailable
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Provider, RetryLimits
from heartrule.model.request_json import Messages
from heartrule.model.timing import Timing
from tests.support.fake_model import ask_reply

_WIDE = re.compile(r"[\u2e80-\uffef]")


def counted(messages: Messages) -> int:
    """Return the tokens of a prompt as this model counts them: not as the estimates do."""
    text = "".join(f"{each['role']}{each['content']}" for each in messages)
    wide = len(_WIDE.findall(text))
    narrow = len(text.encode("utf-8", "surrogatepass")) - 3 * wide
    return round(0.8 * wide + narrow / 3.5) + 5 * len(messages)


@dataclass(slots=True)
class StrictServer:
    """A server whose model has a context of so many tokens; a `ChunkSource`."""

    context_tokens: int
    answer: Callable[[int], str] = lambda number: ask_reply(f"第{number}句，我听着，你接着说。")
    """Each reply that talks, by its number."""
    prompts: list[Messages] = field(default_factory=list)
    """Those that talked, refused ones too."""
    tokens: list[int] = field(default_factory=list)
    """Of the prompts that talked."""
    says: bytes = b'{"error": {"message": "too long", "code": "context_length_exceeded"}}'
    """The body of its refusals."""
    down: bool = False
    """True while it cannot be reached."""
    summarized: list[str] = field(default_factory=list)
    """The last messages of the prompts that asked for summaries."""
    refused: int = 0

    async def chunks(
        self,
        parameters: Mapping[str, JsonValue],
        messages: Messages,
        *,
        visible: Callable[[], bool],
    ) -> AsyncGenerator[ChatChunk, None]:
        """Answer with one chunk, or as a status of 400."""
        del parameters, visible
        if self.down:
            raise unavailable(CONNECTION, provider="strict")
        tokens = counted(messages)
        if "会谈里较早的部分" in str(messages[0]["content"]):
            self.summarized.append(str(messages[-1]["content"]))
            written = f"第{len(self.summarized)}版摘要。" + "他睡不好。" * 40
            text = json.dumps({"summary": written})
        else:
            self.prompts.append(messages)
            self.tokens.append(tokens)
            text = self.answer(len(self.prompts))
        if tokens > self.context_tokens:
            self.refused += 1
            now = datetime.now(UTC)
            raise status_failure(400, {}, provider="strict", now=now, body=self.says)
        yield ChatChunk(text=text, finish_reason="stop", prompt_tokens=tokens, completion_tokens=99)

    async def prepare(self) -> None:
        """Do nothing."""

    async def aclose(self) -> None:
        """Do nothing."""


def strict_model(server: StrictServer, context_tokens: int | None = None) -> FallbackChatModel:
    """Return the chat model over a server; its file states that context, or none."""
    provider = Provider(
        base_url="http://localhost/v1",
        models=ModelNames(talk="strict"),
        context_tokens=context_tokens,
    )
    timing = Timing()
    model = ProviderChatModel("strict", provider, server, timing)
    return FallbackChatModel([model], RetryLimits(), timing)
