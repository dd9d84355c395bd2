"""All processes, through the gateway: talk, kill -9, and go on."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from heartrule.model.rehearsal.rehearsal_server import serve
from heartrule_cli.services.running_services import free_ports
from tests.support.gateways import Frame, frames_of
from tests.support.processes import Service, service
from tests.support.scripts import ask_script

pytestmark = pytest.mark.slow
SAID = {"message": "小明", "clientMessageId": "m1"}


@asynccontextmanager
async def gateway(folder: Path, executor: str) -> AsyncIterator[httpx.AsyncClient]:
    """A gateway process and a client of it; killed at the end, as by a power cut."""
    environ = {"HEARTRULE_GATEWAY_PORT": "0", "HEARTRULE_GATEWAY_EXECUTOR_ADDRESS": executor}
    async with service("gateway_service", folder, environ) as running:
        base = f"http://{running.address}"
        async with httpx.AsyncClient(base_url=base, timeout=60, trust_env=False) as http:
            yield http


@asynccontextmanager
async def executor(folder: Path, model: str, port: int, **more: str) -> AsyncIterator[Service]:
    """An executor process on this port, with the folder's database."""
    environ = {
        "HEARTRULE_PORT": str(port), "HEARTRULE_MODEL": "rehearsal", "OPENAI_BASE_URL": model,
        "HEARTRULE_PROVIDER_KIND": "rehearsal",
        "HEARTRULE_MONITOR_ADDRESS": "off", **more,
    }  # fmt: skip
    async with service("executor_service", folder, environ) as running:
        yield running


async def started(http: httpx.AsyncClient) -> str:
    """Publish a script, begin a session and open it."""
    files = {"files": {"s.yaml": ask_script()}}
    script = (await http.post("/api/v1/scripts", json=files)).json()["script"]["scriptId"]
    session = (await http.post("/api/v1/sessions", json={"scriptId": script})).json()["sessionId"]
    await http.post(f"/api/v1/sessions/{session}/initialize")
    return str(session)


async def stream(http: httpx.AsyncClient, body: Any, last_id: str, most: int) -> list[Frame]:
    """Read up to so many frames of a turn; what breaks off is what came till then."""
    told: list[Frame] = []
    headers = {"last-event-id": last_id} if last_id else {}
    try:
        async with http.stream("POST", "/api/v1/chat/stream", json=body, headers=headers) as answer:
            if answer.status_code != httpx.codes.OK:
                return told
            async for frame in frames_of(answer):
                told.append(frame)
                if len(told) >= most:
                    break
    except httpx.TransportError:
        pass
    return told


def words(frames: list[Frame]) -> str:
    """Return what a reader has on the screen: a voided draft is taken off."""
    shown = ""
    for frame in frames:
        shown = "" if frame.event == "draftVoided" else shown + frame.data.get("chunk", "")
    return shown


def last_id(frames: list[Frame]) -> str:
    return next((frame.id for frame in reversed(frames) if frame.id), "")


async def test_a_killed_executor_is_gone_on_with(tmp_path: Path) -> None:
    """The stream says that it broke; sent again, the turn is answered once, by the next process."""
    model = await serve(pace_s=0.01)
    (port,) = free_ports(1)
    async with gateway(tmp_path, f"127.0.0.1:{port}") as http:
        async with executor(tmp_path, model.base_url, port):
            session = await started(http)
        armed = {"HEARTRULE_TEST_MODE": "1", "HEARTRULE_FAILPOINT": "mid_stream"}
        body = {"sessionId": session, **SAID}
        async with executor(tmp_path, model.base_url, port, **armed) as doomed:
            told: list[Frame] = []
            while not told:
                told = await stream(http, body, "", 1_000)
            assert await doomed.died() == -signal.SIGKILL
        assert [frame.event for frame in told][-2:] == ["problem", "message"]
        async with executor(tmp_path, model.base_url, port):
            rest: list[Frame] = []
            while not any(frame.event == "reply" for frame in rest):
                rest = await stream(http, body, last_id(told), 1_000)
            said = (await http.get(f"/api/v1/sessions/{session}/messages")).json()["messages"]
    await model.aclose()
    (reply,) = [frame.data for frame in rest if frame.event == "reply"]
    assert words([*told, *rest]) == reply["aiMessage"]
    assert len({one["messageId"] for one in said}) == len(said) == 4


async def test_another_gateway_goes_on_where_a_killed_one_was(tmp_path: Path) -> None:
    """The place is in the frame's id alone: nothing is lost, nothing told twice."""
    model = await serve(pace_s=0.01)
    (port,) = free_ports(1)
    async with executor(tmp_path, model.base_url, port) as running:
        async with gateway(tmp_path, running.address) as http:
            session = await started(http)
            body = {"sessionId": session, **SAID}
            told = await stream(http, body, "", 5)
        async with gateway(tmp_path, running.address) as http:
            rest = await stream(http, body, last_id(told), 1_000)
    await model.aclose()
    (reply,) = [frame.data for frame in rest if frame.event == "reply"]
    assert words([*told, *rest]) == reply["aiMessage"]
    numbers = [f.id for f in (*told, *rest) if f.event not in {"message", "reply"} and f.id]
    assert len(numbers) == len(set(numbers))


async def test_many_clients_talk_at_once_and_each_hears_its_own(tmp_path: Path) -> None:
    """Twenty sessions through one gateway, none of whose answers is another's."""
    model = await serve()
    (port,) = free_ports(1)
    async with executor(tmp_path, model.base_url, port) as running:
        async with gateway(tmp_path, running.address) as http:
            sessions = [await started(http) for _ in range(20)]

            async def talk(number: int, session: str) -> str:
                body = {"sessionId": session, "message": f"小明{number}"}
                told = await stream(http, body, "", 1_000)
                return str(told[-2].data["variables"]["称呼"])

            named = await asyncio.gather(*(talk(n, one) for n, one in enumerate(sessions)))
    await model.aclose()
    assert named == [f"小明{number}" for number in range(20)]
