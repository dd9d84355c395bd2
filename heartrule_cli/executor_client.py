"""A client of the executor for one command; a failed call becomes a Failure with a hint."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from google.protobuf import message as protobuf
from grpc import aio
from pydantic import SecretStr

from executor_service.scripts.loading.bundle import Bundle
from heartrule.chassis.channels import open_channel
from heartrule.chassis.service_token import ServiceToken
from heartrule.chassis.settings import Settings, read
from heartrule.domain.conversation import Message
from heartrule.domain.events import SessionEvent
from heartrule.domain.position import ExecutionState
from heartrule.domain.safety import SafetyCount
from heartrule.domain.variables import VariableValue
from heartrule.v1 import (
    asset_pb2,
    event_pb2,
    safety_pb2,
    safety_request_pb2,
    script_pb2,
    session_pb2,
)
from heartrule.wire.event_messages import event_from_message
from heartrule.wire.executor_stubs import ExecutorStubs
from heartrule.wire.exports.session_pieces import events_of, messages_of, variables_of
from heartrule.wire.message_mapping import from_message
from heartrule.wire.times import fill_timestamp
from heartrule.words.language import ACCEPT_LANGUAGE, ReaderLanguage, language_in
from heartrule_cli.call_failures import calling

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")
_Answer = TypeVar("_Answer", bound=protobuf.Message)

# Of a unary call: longer than the 20 s after which the executor itself ends one that waits.
CALL_S = 30.0
# Of the screen: a person in danger reads the card within a second.
_SCREEN_S = 0.5
# What ScreenText takes at once: characters, and inputs before the text.
_MOST_CHARS = 16_000
_MOST_EARLIER = 20
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
        found = messages_of(self, session_id)
        return [from_message(each, Message, lenient=True) async for each in found]

    async def variables(self, session_id: str) -> list[VariableValue]:
        """Return all variables of a session, archived ones too."""
        found = variables_of(self, session_id)
        return [from_message(each, VariableValue, lenient=True) async for each in found]

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
        async with aclosing(events_of(self, session_id, up_to)) as events:
            async for each in events:
                if (event := event_from_message(each)) is not None:
                    yield event

    async def ask(self, request: protobuf.Message, answer: type[_Answer]) -> _Answer:
        """Return the answer of a unary call; the request's class names the rpc.

        Raises:
            Failure: The executor cannot be reached, or refuses.
        """
        found = await self.call(self._method(request), request)
        assert isinstance(found, answer)
        return found

    async def stream(self, request: protobuf.Message) -> AsyncGenerator[event_pb2.SessionEvent]:
        """Yield the events of a call until the caller stops.

        Raises:
            Failure: The executor cannot be reached, or refuses.
        """
        call = self._method(request)(request)
        try:
            with calling(self.address):
                async for response in call:
                    yield response.event
        finally:
            call.cancel()

    def _method(self, request: protobuf.Message) -> Any:
        return self.stubs.method(type(request).__name__.removesuffix("Request"))

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


def _wire_bundle(bundle: Bundle) -> script_pb2.ScriptBundle:
    return script_pb2.ScriptBundle(
        files=dict(bundle.files), main_path=bundle.main, assets=dict(bundle.assets)
    )


def _pieces(picture: Path) -> Iterator[asset_pb2.UploadAssetRequest]:
    with picture.open("rb") as file:
        while chunk := file.read(_PIECE):
            yield asset_pb2.UploadAssetRequest(chunk=chunk)
