"""Whatever is broken behind the gateway, a person in danger is told where help is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import pytest

from heartrule.domain.errors import ModelUnavailable
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.gateway_doors import DOORS, HttpDoor, by_chat, by_openai, by_stream
from tests.support.gateways import gateway_to, running_gateway
from tests.support.reached_limits import LIMITS
from tests.support.scripts import ask_script
from tests.support.stopped_stores import StoppableStore, Stopped

# Levels from THIRD_PARTY on: a concern is asked about when its turn comes.
GRAVE = (
    ("我朋友说他不想活了，我该怎么办", "zh"),
    ("他拿着刀说要杀了我", "zh"),
    ("我想自杀", "zh"),
    ("我今晚就要跳楼，遗书写好了", "zh"),
    ("My friend says she wants to kill herself", "en"),
    ("He has a knife and says he will kill me", "en"),
    ("I want to kill myself", "en"),
    ("I'm going to kill myself tonight", "en"),
)
CONCERNS = (
    ("我觉得自己是别人的负担，看不到希望", "zh"),
    ("I feel hopeless and a burden to everyone", "en"),
)
ALL = (*GRAVE, *CONCERNS)
# The region is that of the session, where it is known.
SHOWN = {"zh": ("12356",), "en": ("12356", "988")}
# What hangs is given up soon.
QUICK = {"HEARTRULE_STOP_GRACE": "0.1"}
LONG = pytest.mark.long(
    short="tests/integration/gateway_service/test_safety_doors.py::"
    "test_a_text_in_danger_is_answered_while_no_executor_is_there"
)


async def each_is_answered(
    http: httpx.AsyncClient, door: HttpDoor, texts: Sequence[tuple[str, str]], *sessions: str
) -> None:
    """Send each text to a session of its own, all at once, and look at what came."""
    named = sessions or tuple(f"s{number}" for number in range(len(texts)))
    sent = [door(http, name, text) for name, (text, _) in zip(named, texts, strict=True)]
    for (text, language), words in zip(texts, await asyncio.gather(*sent), strict=True):
        assert any(word in words for word in SHOWN[language]), (text, words)


@asynccontextmanager
async def silent_server() -> AsyncIterator[str]:
    """Listen, and never say anything."""
    gone = asyncio.Event()

    async def say_nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"{host}:{port}"
    finally:
        gone.set()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("door", DOORS[:2] + tuple(pytest.param(d, marks=LONG) for d in DOORS[2:]))
async def test_a_text_in_danger_is_answered_while_no_executor_is_there(door: HttpDoor) -> None:
    """The gateway reads it, and shows the card as an ordinary message."""
    async with gateway_to("127.0.0.1:9") as (_, http):
        await each_is_answered(http, door, ALL)


@pytest.mark.parametrize("door", [by_chat, *(pytest.param(d, marks=LONG) for d in DOORS[1:])])
async def test_a_text_in_danger_is_answered_while_the_executor_hangs(door: HttpDoor) -> None:
    """It does not wait for the call's own limit."""
    async with silent_server() as address, gateway_to(address) as (_, http):
        await each_is_answered(http, door, ALL)


@pytest.mark.parametrize("door", [by_stream, *(pytest.param(d, marks=LONG) for d in DOORS)])
@pytest.mark.parametrize("hangs", [True, False])
async def test_a_text_in_danger_is_answered_whatever_the_model_does(
    door: HttpDoor, *, hangs: bool
) -> None:
    """A model that hangs or fails, in the opening and after, keeps nobody from the card."""
    down = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
    one = Reply(("",), gate=asyncio.Event()) if hangs else Reply((), fails=down)
    around = Neighbours(model=FakeModel([one] * 200))
    async with running_gateway(around) as running:
        sessions = [await running.start(ask_script(9)) for _ in GRAVE]
        await each_is_answered(running.http, door, GRAVE, *sessions)


@pytest.mark.parametrize("door", [by_chat, by_openai])
async def test_a_whole_reply_is_the_card_where_the_model_hangs(door: HttpDoor) -> None:
    """The script goes on behind the card, and is not waited for."""
    model = FakeModel([ask_reply("怎么称呼你？"), Reply(("",), gate=asyncio.Event())])
    around = Neighbours(model=model, environ=QUICK)
    async with running_gateway(around) as running, asyncio.timeout(20):
        session_id = await running.start(ask_script(9))
        await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
        assert "12356" in await door(running.http, session_id, GRAVE[0][0])


@pytest.mark.parametrize("door", DOORS)
async def test_a_concern_is_asked_about_whatever_the_model_does(door: HttpDoor) -> None:
    """The question takes no model, and comes in place of the script's."""
    model = FakeModel([Reply(("",), gate=asyncio.Event())] * 9)
    around = Neighbours(model=model, environ=QUICK)
    async with running_gateway(around) as running, asyncio.timeout(20):
        session_id = await running.start(ask_script(9))
        assert "不想活" in await door(running.http, session_id, "大学时想过自杀")


@pytest.mark.parametrize("door", [by_openai, *(pytest.param(d, marks=LONG) for d in DOORS)])
@pytest.mark.parametrize("how", [Stopped.FAILS, pytest.param(Stopped.HANGS, marks=LONG)])
async def test_a_text_in_danger_is_answered_without_a_store(door: HttpDoor, how: Stopped) -> None:
    """The executor's refusal has the card, and the gateway shows it as a message."""
    store = StoppableStore()
    model = FakeModel([ask_reply("怎么称呼你？")] * 20)
    async with running_gateway(Neighbours(model=model, store=store.as_store())) as running:
        sessions = [await running.start(ask_script(9)) for _ in ALL]
        store.stop(how)
        try:
            await each_is_answered(running.http, door, ALL, *sessions)
        finally:
            store.resume()


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("door", [by_chat, by_stream])
async def test_a_text_in_danger_is_answered_where_a_limit_is_reached(
    door: HttpDoor, name: str
) -> None:
    """The executor refuses the input, or takes it for its card; its sender reads the card."""
    limit = LIMITS[name]
    async with running_gateway(limit.around()) as running:
        session_id = await limit.session(running.behind.client)
        assert "12356" in await door(running.http, session_id, "我想自杀")


async def test_after_the_end_of_the_script_the_card_is_the_reply() -> None:
    """It is a 200 with the card as a message of the system, and names what refused the text."""
    model = FakeModel(
        [ask_reply("怎么称呼你？"), ask_reply("好的", exit_="YES"), ask_reply("再见")]
    )
    async with running_gateway(Neighbours(model=model)) as running:
        session_id = await running.start(ask_script(9))
        await by_chat(running.http, session_id, "叫我小明")
        body = {"sessionId": session_id, "message": "我想自杀", "clientMessageId": "m9"}
        reply = (await running.http.post("/api/v1/chat", json=body)).json()
        calm = await running.http.post("/api/v1/chat", json={**body, "message": "谢谢"})
    assert "12356" in reply["aiMessage"]
    assert [one["role"] for one in reply["messages"]] == ["system"]
    assert (reply["status"], reply["outcome"]) == ("completed", None)
    assert reply["problem"]["reason"] == "SESSION_COMPLETED"
    assert calm.status_code == 409


async def test_an_input_that_was_not_stored_has_its_card_in_the_problem() -> None:
    """POST …/inputs stays a failure, so that its sender sends it again; a form's words are read."""
    async with gateway_to("127.0.0.1:9") as (_, http):
        path = "/api/v1/sessions/s1/inputs"
        english = {"accept-language": "en-US,en;q=0.9"}
        text = await http.post(path, json={"text": "I want to kill myself"}, headers=english)
        form = await http.post(path, json={"inputRequestId": "r1", "form": {"q": "我想自杀"}})
        calm = await http.post(path, json={"text": "你好"})
    assert (text.status_code, form.status_code, calm.status_code) == (503, 503, 503)
    assert "988" in text.json()["safetyFallback"]["card"]["text"]
    assert "12356" in form.json()["safetyFallback"]["card"]["text"]
    assert "safetyFallback" not in calm.json()


async def test_a_session_that_passed_is_known_when_its_executor_is_gone() -> None:
    """Its region decides the card, and an answer to the question asked last is understood."""
    model = FakeModel([ask_reply("你有没有想过自杀？")])
    async with AsyncExitStack() as executor:
        behind = await executor.enter_async_context(running_executor(Neighbours(model=model)))
        async with gateway_to(f"127.0.0.1:{behind.server.port}") as (_, http):
            script = {"files": {"script.yaml": ask_script()}}
            await http.post("/api/v1/scripts", json=script)
            begun = {"scriptId": "asking", "locale": "en-US"}
            session_id = (await http.post("/api/v1/sessions", json=begun)).json()["sessionId"]
            await http.post(f"/api/v1/sessions/{session_id}/initialize")
            await executor.aclose()
            assert "988" in await by_chat(http, session_id, "有，每天都想")


async def test_a_turn_said_again_in_danger_has_its_card_in_the_problem() -> None:
    """Its text is a client's as any other."""
    async with gateway_to("127.0.0.1:9") as (_, http):
        answer = await http.post("/api/v1/sessions/any/retry", json={"text": "我想自杀"})
    assert answer.status_code == 503
    assert "12356" in answer.json()["safetyFallback"]["card"]["text"]


async def test_ordinary_texts_meet_their_failure() -> None:
    """Nothing is shown in place of a failure where the text calls for no card."""
    async with gateway_to("127.0.0.1:9") as (_, http):
        body = {"sessionId": "s1", "message": "今天有点累"}
        assert (await http.post("/api/v1/chat", json=body)).status_code == 503
        assert (await http.post("/api/v1/chat/stream", json=body)).status_code == 503
        said = {"model": "asking", "messages": [{"role": "user", "content": "今天有点累"}]}
        assert (await http.post("/v1/chat/completions", json=said)).status_code == 503
