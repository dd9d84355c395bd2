"""A client of the executor for one command; a failed call becomes a Failure with a hint."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from grpc import aio
from pydantic import SecretStr

from executor_service.scripts.loading.bundle import Bundle
from heartrule.chassis.channels import open_channel
from heartrule.chassis.service_token import ServiceToken
from heartrule.chassis.settings import Settings, read
from heartrule.domain.conversation import Audience, Feature, Message
from heartrule.domain.events import SessionEvent
from heartrule.domain.position import ExecutionState
from heartrule.domain.safety import SafetyCount
from heartrule.domain.variables import VariableValue
from heartrule.v1 import (
    asset_pb2,
    conversation_pb2,
    safety_pb2,
    safety_request_pb2,
    script_pb2,
    session_pb2,
)
from heartrule.wire.event_messages import event_from_message
from heartrule.wire.executor_stubs import ExecutorStubs
from heartrule.wire.message_mapping import from_message
from heartrule.wire.times import fill_timestamp
from heartrule.words.language import ACCEPT_LANGUAGE, ReaderLanguage, language_in
from heartrule_cli.call_failures import calling

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")

# Of a unary call: longer than the 20 s after which the executor itself ends one that waits.
CALL_S = 30.0
# Of the screen: a person in danger reads the card within a second.
_SCREEN_S = 0.5
# What ScreenText takes at once: characters, and inputs before the text.
_MOST_CHARS = 16_000
_MOST_EARLIER = 20
_PAGE = 500
_PIECE = 262_144


class TokenSettings(Settings):
    """What a command tells the executor of itself."""

    token: ServiceToken | None = None
    """Token that the executor asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """What a session is started with, besides its script."""

    user_id: str = ""
    locale: str = ""


class ExecutorClient:
    """Calls one executor; made inside the running loop, closed after use."""

    def __init__(
        self,
        address: str,
        *,
        token: SecretStr | None = None,
        language: ReaderLanguage = ReaderLanguage.ENGLISH,
    ) -> None:
        """`address` is host:port; nothing is sent yet."""
        self.address = address
        self.language = language
        self._metadata = ((ACCEPT_LANGUAGE, language.value),)
        self._channel = open_channel(address, token=token)
        self.stubs = ExecutorStubs(self._channel)

    async def aclose(self) -> None:
        """Close the channel."""
        await self._channel.close()

    async def publish(self, bundle: Bundle) -> script_pb2.Script:
        """Publish a script and return its version.

        Raises:
            Failure: The executor cannot be reached, or refuses; `findings` returns the reasons.
        """
        request = script_pb2.PublishScriptRequest(bundle=_wire_bundle(bundle))
        return (await self.call(self.stubs.script.PublishScript, request)).script

    async def upload(self, picture: Path) -> None:
        """Store a picture under its hash, for scripts that name it.

        Raises:
            Failure: The executor cannot be reached, or refuses it.
        """
        with calling(self.address):
            await self.stubs.asset.UploadAsset(_pieces(picture), timeout=CALL_S)

    async def findings(self, bundle: Bundle) -> Iterable[script_pb2.ScriptFinding]:
        """Return the executor's findings on a script."""
        request = script_pb2.CheckScriptRequest(bundle=_wire_bundle(bundle))
        return (await self.call(self.stubs.script.CheckScript, request)).findings

    async def start(self, script: script_pb2.Script, new: SessionOptions) -> session_pb2.Session:
        """Create a session on this version of a script."""
        request = session_pb2.StartSessionRequest(
            script_id=script.script_id,
            script_version=script.version,
            user_id=new.user_id,
            locale=new.locale,
        )
        return (await self.call(self.stubs.session.StartSession, request)).session

    async def session(self, session_id: str, *, with_notes: bool = False) -> session_pb2.Session:
        """Return a session, with the notes at its turns where asked."""
        request = session_pb2.GetSessionRequest(session_id=session_id, with_notes=with_notes)
        return (await self.call(self.stubs.session.GetSession, request)).session

    async def state(self, session_id: str) -> ExecutionState:
        """Return the execution state of a session."""
        request = session_pb2.GetExecutionStateRequest(session_id=session_id)
        answer = await self.call(self.stubs.session.GetExecutionState, request)
        return from_message(answer.state, ExecutionState, lenient=True)

    async def messages(self, session_id: str) -> list[Message]:
        """Return all messages of a session, oldest first."""
        found: list[Message] = []
        request = session_pb2.ListMessagesRequest(session_id=session_id, page_size=_PAGE)
        while True:
            page = await self.call(self.stubs.history.ListMessages, request)
            found.extend(from_message(one, Message, lenient=True) for one in page.messages)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def variables(self, session_id: str) -> list[VariableValue]:
        """Return all variables of a session, archived ones too."""
        found: list[VariableValue] = []
        request = session_pb2.ListVariablesRequest(session_id=session_id, page_size=_PAGE)
        while True:
            page = await self.call(self.stubs.history.ListVariables, request)
            found.extend(from_message(one, VariableValue, lenient=True) for one in page.variables)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    async def calls_for_help(self, text: str, earlier: Sequence[str]) -> bool:
        """Return whether the screen finds anything in a client's text, or fails to answer."""
        request = safety_request_pb2.ScreenTextRequest(text=text)
        left = _MOST_CHARS - len(text)
        for before in reversed(earlier[-_MOST_EARLIER:]):
            if (left := left - len(before)) < 0:
                break
            request.earlier.insert(0, before)
        try:
            answer = await self.stubs.safety.ScreenText(request, timeout=_SCREEN_S)
        except aio.AioRpcError:
            return True
        return answer.level != safety_pb2.SAFETY_LEVEL_NONE

    async def safety_report(self, since: datetime | None) -> tuple[SafetyCount, ...]:
        """Return how many hits of the crisis path there were, from a month on."""
        request = safety_request_pb2.GetSafetyReportRequest()
        if since is not None:
            fill_timestamp(since, request.since)
        answer = await self.call(self.stubs.safety.GetSafetyReport, request)
        return tuple(from_message(each, SafetyCount, lenient=True) for each in answer.counts)

    async def history(self, session_id: str, up_to: int) -> AsyncIterator[SessionEvent]:
        """Yield the durable events of a session up to a sequence number, for every audience."""
        if up_to <= 0:
            return
        request = conversation_pb2.WatchSessionRequest(
            session_id=session_id,
            after_sequence=0,
            whole_messages_only=True,
            audiences=wire_audiences(*Audience),
            accepts=[f"FEATURE_{feature.name}" for feature in Feature],
        )
        call = self.stubs.conversation.WatchSession(request)
        try:
            with calling(self.address):
                async for response in call:
                    event = event_from_message(response.event)
                    if event is not None and 0 < event.sequence <= up_to:
                        yield event
                    # A heartbeat comes once all is read: the last events may have been deleted.
                    if response.event.sequence >= up_to or response.event.HasField("heartbeat"):
                        return
        finally:
            call.cancel()

    async def call(
        self, rpc: aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        """Return the answer to a request that has one.

        Raises:
            Failure: The executor cannot be reached, or refuses.
        """
        with calling(self.address):
            return await rpc(request, timeout=CALL_S, metadata=self._metadata)


@asynccontextmanager
async def executor_at(
    address: str, environ: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[ExecutorClient]:
    """Open a client that sends the token of the environment; close it at the end of the block."""
    executor = ExecutorClient(
        address, token=read(TokenSettings, environ).token, language=language_in(environ)
    )
    try:
        yield executor
    finally:
        await executor.aclose()


def wire_audiences(*audiences: Audience) -> list[str]:
    """Return the contract's names of audiences."""
    return [f"AUDIENCE_{audience.name}" for audience in audiences]


def _wire_bundle(bundle: Bundle) -> script_pb2.ScriptBundle:
    return script_pb2.ScriptBundle(
        files=dict(bundle.files), main_path=bundle.main, assets=dict(bundle.assets)
    )


def _pieces(picture: Path) -> Iterator[asset_pb2.UploadAssetRequest]:
    with picture.open("rb") as file:
        while chunk := file.read(_PIECE):
            yield asset_pb2.UploadAssetRequest(chunk=chunk)
