"""One provider at the scripted server, asked through the real client."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.model.openai_chat import OpenAIChunks
from heartrule.model.ports import ChatMessage, ChatRequest
from heartrule.model.provider_chat import ProviderChatModel
from heartrule.model.providers import ModelNames, Profile, Provider
from heartrule.model.response_format import ResponseFormat
from heartrule.model.time_limits import Timeouts
from heartrule.model.timing import Timing
from tests.support.scripted_model import ScriptedModel

TIMEOUTS = Timeouts(connect=20, total=60)


class ModelClient:
    """Asks the server and keeps what came: pieces in `got`, records in `calls`."""

    def __init__(self, server: ScriptedModel, *, sdk_objects: bool) -> None:
        self.server = server
        self.calls: list[LLMDebugInfo] = []
        self.got: list[str] = []
        self.sdk_objects = sdk_objects
        self._models: list[ProviderChatModel] = []

    def model(
        self,
        form: ResponseFormat = ResponseFormat.NONE,
        *,
        base_url: str = "",
        timeouts: Timeouts = TIMEOUTS,
    ) -> ProviderChatModel:
        provider = Provider(
            base_url=base_url or self.server.base_url,
            models=ModelNames(talk="big"),
            profile=Profile(response_format=form, sdk_objects=self.sdk_objects),
            timeouts=timeouts,
            parameters={"temperature": 0.5},
        )
        source = OpenAIChunks("p", provider, api_key="sk-test", timing=Timing())
        self._models.append(ProviderChatModel("p", provider, source, Timing()))
        return self._models[-1]

    def stream(
        self,
        model: ProviderChatModel | None = None,
        *,
        visible: bool = False,
    ) -> AsyncGenerator[str, None]:
        request = ChatRequest(
            purpose=Purpose.TALK,
            messages=(
                ChatMessage(role="system", content="规"),
                ChatMessage(role="user", content="问"),
            ),
            prompt_type="ai_ask_v1",
            template_hash="h",
            reply_fields=("EXIT", "content"),
        )
        chosen = model or self.model()
        return chosen.stream(request, calls=self.calls, visible=lambda: visible)

    async def ask(
        self,
        model: ProviderChatModel | None = None,
        *,
        visible: bool = False,
    ) -> str:
        async for piece in self.stream(model, visible=visible):
            self.got.append(piece)
        return "".join(self.got)

    async def aclose(self) -> None:
        for model in self._models:
            await model.aclose()
