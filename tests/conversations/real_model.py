"""A configured provider in the scripted models' place."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from random import Random

from heartrule.chassis.settings import read
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.build import build_chat_model
from heartrule.model.ports import ChatModel, ChatRequest, ModelRestarted
from heartrule.model.reply.contract import talk_contract
from heartrule.model.reply.scanner import ContentScanner
from heartrule.model.settings import ModelSettings
from heartrule_cli.services.model_choice import choose_model
from tests.conversations.fact_sheet import Facts
from tests.conversations.prompt_reading import read_prompt
from tests.conversations.recorded_calls import Call, RecordingModel
from tests.conversations.scripted_talker import tokens

# The only manner of a real model is its own.
OWN = "real"


def lacking(environ: Mapping[str, str]) -> str:
    """Return why no real model can be asked; empty where one is named."""
    choice = choose_model(environ)
    return str(choice.line) if choice.rehearsal else ""


class ObservedModel(RecordingModel):
    """Forwards to a provider, and keeps what each call was sent and wrote."""

    def __init__(self, model: ChatModel) -> None:
        """Forward to `model`, and close it in the end."""
        self.calls: list[Call] = []
        self._model = model

    def begin(self, manner: str, facts: Facts, random: Random) -> None:
        """Forget the calls before."""
        del manner, facts, random
        self.calls = []

    async def stream(
        self, request: ChatRequest, *, calls: list[LLMDebugInfo], visible: Callable[[], bool]
    ) -> AsyncIterator[str | ModelRestarted]:
        """Stream the provider's reply."""
        pieces: list[str] = []
        try:
            async for piece in self._model.stream(request, calls=calls, visible=visible):
                pieces = [*pieces, piece] if isinstance(piece, str) else []
                yield piece
        finally:
            self._note(request, "".join(pieces), calls[-1] if calls else None)

    async def aclose(self) -> None:
        """Close the provider's connections."""
        await self._model.aclose()

    def _note(self, request: ChatRequest, text: str, record: LLMDebugInfo | None) -> None:
        prompt = read_prompt(request)
        counted = record is not None and record.prompt_tokens > 0
        sent = sum(tokens(each.content) for each in request.messages)
        call = Call(
            purpose=request.purpose,
            kind=prompt.kind,
            opening=prompt.opening,
            prompt_tokens=record.prompt_tokens if record and counted else sent,
            reply_tokens=record.completion_tokens if record and counted else tokens(text),
            reply=text,
            content=ContentScanner(talk_contract(metrics=(), outputs=())).feed(text),
            shown_advice=str(prompt.example.get("feedback_for_action", "")),
        )
        self.calls.append(call)


def configured_model(environ: Mapping[str, str] = os.environ) -> ObservedModel:
    """Return the model that the settings name.

    Raises:
        SettingsError: The settings are wrong.
    """
    return ObservedModel(build_chat_model(read(ModelSettings, environ), environ=environ))
