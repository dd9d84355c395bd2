"""An executor and a monitor in this process, and calls to them whatever the requests hold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode, aio

from executor_service.bootstrap import Executor
from executor_service.dependencies import Dependencies
from executor_service.executor_server import ExecutorServer
from executor_service.settings import ExecutorSettings
from heartrule.chassis.settings import read
from heartrule.domain.ids import new_id
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.model.ports import ChatRequest, ModelRestarted
from heartrule.v1 import (
    asset_service_pb2,
    conversation_pb2,
    conversation_service_pb2,
    decision_service_pb2,
    history_service_pb2,
    monitor_service_pb2,
    run_service_pb2,
    safety_service_pb2,
    script_pb2,
    script_service_pb2,
    session_pb2,
    session_service_pb2,
)
from monitor_service.bootstrap import start_monitor
from monitor_service.settings import MonitorSettings
from session_store.open import open_store
from tests.chaos.fuzz.messages import fill

_FILES = (
    conversation_service_pb2, session_service_pb2, history_service_pb2, script_service_pb2,
    asset_service_pb2, safety_service_pb2, decision_service_pb2, run_service_pb2,
    monitor_service_pb2,
)  # fmt: skip
_SERVICES: Sequence[ServiceDescriptor] = [
    service for file in _FILES for service in file.DESCRIPTOR.services_by_name.values()
]
RPCS: Sequence[MethodDescriptor] = [rpc for service in _SERVICES for rpc in service.methods]
_BY_NAME = {rpc.name: rpc for rpc in RPCS}
OURS = frozenset({StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DATA_LOSS})
"""No request may be answered so: these say that the service itself is wrong."""
SCRIPT = b"""
session:
  session_id: fuzzed
  phases:
    - phase_id: p1
      topics:
        - topic_id: t1
          actions:
            - action_type: ai_ask
              action_id: ask_name
              config: {content: "who", output: [{get: name}, {get: age}], max_rounds: 40}
            - action_type: ai_think
              action_id: think
              config: {content: "what", output: [{get: guess}]}
            - action_type: ai_say
              action_id: say
              config: {content: "so", max_rounds: 40}
"""
GOOD = json.dumps({
    "EXIT": "NO", "content": "嗯，慢慢说。", "BRIEF": "", "variables": {},
    "metrics": {"information_completeness": "a", "user_engagement": "b",
                "emotional_intensity": "c", "reply_relevance": "d"},
    "progress_suggestion": "continue_needed",
})  # fmt: skip
HUNG_S = 30.0
_OF_THE_CLIENT = "Internal error from Core"
"""What grpc's client says of a write to a call that had ended; the server never says it."""
_READ = 12
_IDLE_S = 0.05


class Model:
    """Answers what is set next, else something good."""

    def __init__(self) -> None:
        """Create it without a prepared reply."""
        self.next: list[str] = []

    async def stream(
        self,
        request: ChatRequest,
        *,
        calls: list[LLMDebugInfo],
        visible: Callable[[], bool],
    ) -> AsyncIterator[str | ModelRestarted]:
        """Yield a reply in pieces of seven characters, or few large ones."""
        # Half a character never comes through: what reads a provider's stream replaces it.
        reply = self.next.pop(0) if self.next else GOOD
        text = reply.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        size = max(7, len(text) // 50)
        for at in range(0, len(text), size):
            yield text[at : at + size]
        calls.append(
            LLMDebugInfo(
                call_id=new_id("call"), purpose=request.purpose, prompt_type=request.prompt_type,
                provider="fuzz", model="fuzz", input="[]", output=text, finish_reason="stop",
            )
        )  # fmt: skip

    async def aclose(self) -> None:
        """Do nothing."""


class Target:
    """What is called; open it in the loop that calls."""

    def __init__(self, folder: Path, database: str = "") -> None:
        """`database` is an address; empty: a file in the folder."""
        self.model = Model()
        self.known: dict[str, str] = {}
        self._database = database or str(folder / "heartrule.db")
        self._stack = AsyncExitStack()
        self._channels: dict[str, aio.Channel] = {}
        self.addresses: dict[str, str] = {}
        self._sent = 0

    async def open(self) -> None:
        """Start both services on free ports, and one session."""
        environ = {
            "HEARTRULE_PORT": "0", "HEARTRULE_MONITOR_PORT": "0", "HEARTRULE_STOP_GRACE": "0.1",
            "HEARTRULE_MONITOR_STOP_GRACE": "0.1", "HEARTRULE_MONITOR_ADDRESS": "off",
            "HEARTRULE_HEARTBEAT": "60", "HEARTRULE_CHECK_LIMIT": "60",
            "HEARTRULE_DECISION_LIMIT": "60",
        }  # fmt: skip
        monitor = await start_monitor(read(MonitorSettings, environ), self.model)
        self._stack.push_async_callback(monitor.aclose)
        owner = new_id("exe")
        store = open_store(self._database, boot_id=owner)
        settings = read(ExecutorSettings, environ)
        executor = Executor(settings, Dependencies(store=store, model=self.model), owner=owner)
        server = ExecutorServer(settings.server, executor)
        self._stack.push_async_callback(server.close)
        await server.start()
        for service in _SERVICES:
            port = monitor.port if service.name == "MonitorService" else server.port
            self.addresses[service.full_name] = f"127.0.0.1:{port}"
            channel = aio.insecure_channel(self.addresses[service.full_name])
            self._stack.push_async_callback(channel.close)
            self._channels[service.full_name] = channel
        await self.begin()

    async def aclose(self) -> None:
        """Stop everything."""
        await self._stack.aclose()

    async def begin(self) -> None:
        """Make what requests may name: a script, and a session with a turn."""
        files = script_pb2.ScriptBundle(files={"script.yaml": SCRIPT})
        published = await self._ask("PublishScript", script_pb2.PublishScriptRequest(bundle=files))
        start = session_pb2.StartSessionRequest(script_id=published.script.script_id, user_id="u1")
        session = (await self._ask("StartSession", start)).session
        self.known = {
            "session_id": session.session_id, "script_id": published.script.script_id,
            "script_version": published.script.version, "version": published.script.version,
            "user_id": "u1", "scope_id": session.session_id, "action_id": "ask_name",
            "topic_id": "t1", "phase_id": "p1", "variable_name": "name", "client_message_id": "m1",
            "request_id": "r1", "main_path": "script.yaml",
        }  # fmt: skip
        await self.say("你好")
        state = await self._ask("GetExecutionState", self.request("GetExecutionState"))
        self.known["action_instance_id"] = state.state.position.action_instance_id

    async def say(self, text: str) -> list[Any]:
        """Run a turn and return its events."""
        method = _BY_NAME["SendMessage"]
        user_input = conversation_pb2.UserInput(client_message_id=new_id("m"))
        user_input.parts.add(text=text)
        request: Any = GetMessageClass(method.input_type)()
        request.session_id = self.known["session_id"]
        request.audiences.extend([1, 2, 3])
        request.input.CopyFrom(user_input)
        call = self._call(method)(request, timeout=HUNG_S)
        events = [response.event async for response in call]
        for event in events:
            if event.turn_id:
                self.known["turn_id"] = event.turn_id
            if event.HasField("message_committed"):
                self.known["message_id"] = event.message_committed.message_id
        return events

    def request(self, name: str) -> Any:
        """Return a request about the known session."""
        method = _BY_NAME[name]
        return GetMessageClass(method.input_type)(session_id=self.known["session_id"])

    async def send(self, method: MethodDescriptor, requests: Sequence[Message | bytes]) -> str:
        """Send what was made up, bytes as they are; return what is wrong with the answer."""
        self._sent += 1
        if self._sent % 40 == 0 or method.name.startswith("Delete"):
            await self._revive()
        for request in requests:
            if isinstance(request, Message):
                fill(request, self.known)
        try:
            async with asyncio.timeout(HUNG_S):
                answers = await self.exchange(method, requests)
        except TimeoutError:
            return f"no answer within {HUNG_S:g} s"
        except aio.AioRpcError as error:
            if error.code() not in OURS or str(error.details()).startswith(_OF_THE_CLIENT):
                return ""
            return f"{error.code().name}: {error.details()}"
        return next(filter(None, map(_wrong, answers)), "")

    async def exchange(
        self, method: MethodDescriptor, requests: Sequence[Message | bytes]
    ) -> list[Message]:
        """Send requests as they are; return the answers, of a stream the first few."""
        if method.client_streaming:
            call = self._call(method)()
            try:
                for request in requests:
                    await call.write(request)
                await call.done_writing()
            except (asyncio.InvalidStateError, aio.UsageError):
                pass  # it has ended already; its status has the reason
            if not method.server_streaming:
                return [await call]
            return await self._heard(call)
        call = self._call(method)(requests[0], timeout=HUNG_S)
        if method.server_streaming:
            return await self._heard(call)
        return [await call]

    async def _heard(self, call: Any) -> list[Message]:
        """Read a little of a stream, which may well have no end."""
        received: list[Message] = []
        try:
            while len(received) < _READ:
                async with asyncio.timeout(_IDLE_S if received else 1.0):
                    answer = await call.read()
                if answer is aio.EOF:
                    break
                received.append(answer)
        except TimeoutError:
            pass
        if not call.done():
            call.cancel()
            return received
        code = await call.code()
        if code not in {StatusCode.OK, StatusCode.CANCELLED}:
            raise aio.AioRpcError(code, aio.Metadata(), aio.Metadata(), await call.details())
        return received

    async def _revive(self) -> None:
        """Begin anew where some request erased what requests name."""
        try:
            await self._ask("GetSession", self.request("GetSession"))
        except aio.AioRpcError:
            await self.begin()

    async def _ask(self, name: str, request: Message) -> Any:
        return await self._call(_BY_NAME[name])(request, timeout=HUNG_S)

    def _call(self, method: MethodDescriptor) -> Any:
        service = method.containing_service.full_name
        channel = self._channels[service]
        kinds = {
            (False, False): channel.unary_unary, (False, True): channel.unary_stream,
            (True, False): channel.stream_unary, (True, True): channel.stream_stream,
        }  # fmt: skip
        made: Any = kinds[bool(method.client_streaming), bool(method.server_streaming)]
        return made(
            f"/{service}/{method.name}",
            request_serializer=_bytes,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )


def _bytes(request: Message | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


def _wrong(answer: Message) -> str:
    """Return an INTERNAL or UNKNOWN that travelled in-band."""
    event: Any = getattr(answer, "event", None)
    for name in ("turn_ended", "input_rejected"):
        if event is not None and event.HasField(name):
            problem = getattr(event, name).problem
            if problem.code in {2, 13, 15}:
                return f"in-band {problem.reason}"
    return ""
