"""The routes of a conversation over a real executor: whole answers and streams."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from heartrule.domain.errors import ModelUnavailable
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.gateways import RunningGateway, frames_of, read_frames, running_gateway
from tests.support.scripts import ask_script

QUESTION, MORE = ask_reply("怎么称呼你？"), ask_reply("慢慢说。")


def around(*replies: str | Reply) -> Neighbours:
    return Neighbours(model=FakeModel([QUESTION, *replies]))


async def opened(running: RunningGateway) -> str:
    session_id = await running.start(ask_script(9))
    answer = await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
    assert answer.json()["aiMessage"] == "怎么称呼你？"
    return session_id


async def test_a_message_is_answered_with_where_the_session_stands() -> None:
    """aiMessage, status, variables and position."""
    named = ask_reply("小明你好", variables={"称呼": "小明"})
    async with running_gateway(around(named)) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "我叫小明"}
        told = (await running.http.post("/api/v1/chat", json=said)).json()
    assert (told["aiMessage"], told["variables"]) == ("小明你好", {"称呼": "小明"})
    assert told["status"] == "waiting_input"
    assert {"sessionStatus", "executionStatus"}.isdisjoint(told)
    assert (told["position"]["actionId"], told["position"]["currentRound"]) == ("ask_name", 2)
    assert [message["role"] for message in told["messages"]] == ["assistant"]


async def test_the_routes_of_document_004_keep_their_paths_and_names() -> None:
    """Without a version, whole and streamed: sessionStatus and executionStatus, and no status."""
    leaves = ask_reply("好的", exit_="YES", variables={"称呼": "小明"})
    async with running_gateway(around(ask_reply("慢慢来"), leaves, ask_reply("再见"))) as running:
        session_id = await running.start(ask_script(9))
        said = {"sessionId": session_id, "message": "小明"}
        opening = await running.http.post(f"/api/sessions/{session_id}/initialize")
        whole = await running.http.post("/api/chat", json=said)
        async with running.http.stream("POST", "/api/chat/stream", json=said) as response:
            (last,) = (await read_frames(response)).of("reply")
    told = [opening.json(), whole.json(), last]
    assert [one["sessionStatus"] for one in told] == ["active", "active", "completed"]
    assert [one["executionStatus"] for one in told] == [*["waiting_input"] * 2, "completed"]
    assert not any("status" in one for one in told)


async def test_messages_of_one_turn_are_joined_by_a_blank_line() -> None:
    """Past the last action the session is completed, and the exit says who decided."""
    leaves = ask_reply("好的", exit_="YES", variables={"称呼": "小明"})
    async with running_gateway(around(leaves, ask_reply("再见"))) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "小明"}
        told = (await running.http.post("/api/v1/chat", json=said)).json()
    assert told["aiMessage"] == "好的\n\n再见"
    assert told["status"] == "completed"


async def test_an_answer_says_what_was_done_less_well_and_why_an_action_ended() -> None:
    """A reply that could not be read is among the degradations; the exit has a readable reason."""
    async with running_gateway(around("<html>502</html>", ask_reply("再见"))) as running:
        session_id = await running.start(ask_script(2))
        await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
        said = {"sessionId": session_id, "message": "小明"}
        told = (await running.http.post("/api/v1/chat", json=said)).json()
    reasons = [(each["stage"], each["reason"]) for each in told["degradations"]]
    assert ("parse", "UNREADABLE_REPLY") in reasons
    assert told["exitReason"] is None or told["exitDecisionReason"]


async def test_an_unknown_session_is_not_found() -> None:
    """404 Session not found, whole or streamed."""
    async with running_gateway() as running:
        for path in ("/api/v1/chat", "/api/v1/chat/stream"):
            said = {"sessionId": "ses_x", "message": "你好"}
            answer = await running.http.post(path, json=said)
            assert (answer.status_code, answer.json()["title"]) == (404, "Session not found")
            assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    "route", ["/api/v1/chat", "/api/v1/chat/stream", "/api/v1/sessions/{id}/inputs"]
)
async def test_a_message_that_is_too_long_is_refused_in_words_for_its_writer(route: str) -> None:
    """Whole, as a stream and where only the input is stored: 400 with the sentence."""
    async with running_gateway(around()) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "一" * 16_001}
        if route.startswith("/api/v1/sessions"):
            said = {"text": said["message"]}
        answer = await running.http.post(route.format(id=session_id), json=said)
        told = answer.text
    assert answer.status_code == 400
    assert "这条消息有 16001 个字，一条消息最多 16000 个字。" in told


async def test_the_chunks_joined_are_the_answer() -> None:
    """Every chunk is a frame of its own, and the last frame is done."""
    leaves = ask_reply("好的，小明", exit_="YES", variables={"称呼": "小明"})
    async with running_gateway(around(leaves, ask_reply("再见了"))) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "小明"}
        async with running.http.stream("POST", "/api/v1/chat/stream", json=said) as response:
            told = await read_frames(response)
    assert told.words() == "好的，小明\n\n再见了" == told.of("reply")[0]["aiMessage"]
    assert told.told[-1].data == {"done": True}
    assert told.of("turnEnded")[0]["turnEnded"]["outcome"] == "session_completed"


async def test_a_stream_that_was_cut_goes_on_with_nothing_lost_or_doubled() -> None:
    """The same message with Last-Event-ID, from every place where it may have been cut."""
    gate = asyncio.Event()
    gate.set()
    leaves = ask_reply("好的，小明，谢谢你告诉我", exit_="YES", variables={"称呼": "小明"})
    async with running_gateway(around(leaves, ask_reply("再见了"))) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "小明", "clientMessageId": "m1"}
        async with running.http.stream("POST", "/api/v1/chat/stream", json=said) as response:
            first = await read_frames(response)
        for cut in range(len(first.told)):
            heard = first.told[: cut + 1]
            last_id = next((f.id for f in reversed(heard) if f.id), "")
            headers = {"last-event-id": last_id} if last_id else {}
            answer = await running.http.post("/api/v1/chat/stream", json=said, headers=headers)
            rest = [f async for f in frames_of(answer)]
            words = [f.data["chunk"] for f in (*heard, *rest) if "chunk" in f.data]
            assert "".join(words) == "好的，小明，谢谢你告诉我\n\n再见了"
            numbers = [f.id for f in (*heard, *rest) if f.event not in {"message", "reply"}]
            assert len(set(filter(None, numbers))) == len(list(filter(None, numbers)))
            assert rest[-1].data == {"done": True}


async def test_a_stream_cut_in_the_midst_of_the_writing_goes_on() -> None:
    """What the model writes while nobody listens is told when somebody does."""
    gate = asyncio.Event()
    text = ask_reply("好的，小明，谢谢你告诉我这么多")
    pieces = whole(text, chunk=5).pieces
    async with running_gateway(around(Reply(pieces, gate=gate))) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "小明", "clientMessageId": "m1"}
        heard = []
        async with running.http.stream("POST", "/api/v1/chat/stream", json=said) as response:
            async for frame in frames_of(response):
                heard.append(frame)
                if "chunk" in frame.data:
                    break
        place = {"last-event-id": heard[-1].id}
        again = running.http.stream("POST", "/api/v1/chat/stream", json=said, headers=place)
        async with again as response:
            gate.set()
            rest = await read_frames(response)
    words = [f.data["chunk"] for f in (*heard, *rest.told) if "chunk" in f.data]
    assert "".join(words) == "好的，小明，谢谢你告诉我这么多"


async def test_a_client_that_leaves_in_mid_turn_loses_nothing() -> None:
    """The turn lives in the executor; the same message again gives its whole answer."""
    gate = asyncio.Event()
    reply = Reply(whole(MORE).pieces, gate=gate)
    async with running_gateway(around(reply)) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "嗯", "clientMessageId": "m1"}
        async with running.http.stream("POST", "/api/v1/chat/stream", json=said) as response:
            await anext(frames_of(response))
        await reply.started.wait()
        gate.set()
        told = (await running.http.post("/api/v1/chat", json=said)).json()
    assert told["aiMessage"] == "慢慢说。"


async def test_a_turn_that_fails_is_a_problem_that_says_when_to_come_again() -> None:
    """503 with the reason; sent again, the message is answered."""
    down = Reply((), fails=ModelUnavailable("no answer", reason="MODEL_UNAVAILABLE"))
    async with running_gateway(around(down, MORE)) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "嗯", "clientMessageId": "m1"}
        failed = await running.http.post("/api/v1/chat", json=said)
        again = await running.http.post("/api/v1/chat", json=said)
    assert (failed.status_code, failed.json()["reason"]) == (503, "MODEL_UNAVAILABLE")
    assert failed.headers["retry-after"] == "1"
    assert again.json()["aiMessage"] == "慢慢说。"


async def test_a_message_after_a_failed_turn_is_answered_with_the_resumed_turn() -> None:
    """The answer holds all the turn said: what it said before it failed was in no answer yet."""
    leaves = ask_reply("好的。", exit_="YES", variables={"称呼": "小明"})
    down = Reply((), fails=ModelUnavailable("no answer", reason="MODEL_UNAVAILABLE"))
    script = ask_script().replace("require_acknowledgment: false", "max_rounds: 2")
    async with running_gateway(around(leaves, down, ask_reply("谢谢你"))) as running:
        session_id = await running.start(script)
        await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
        said = {"sessionId": session_id, "message": "小明"}
        failed = await running.http.post("/api/v1/chat", json=said)
        resumed = await running.http.post("/api/v1/chat", json=said | {"message": "在吗"})
    assert failed.status_code == 503
    assert resumed.json()["aiMessage"] == "好的。\n\n谢谢你"
    assert resumed.json()["status"] == "waiting_input"


async def test_a_stream_tells_a_failed_turn_as_a_problem() -> None:
    """The stream stood already, so the problem is a frame; done comes all the same."""
    down = Reply((), fails=ModelUnavailable("no answer", reason="MODEL_UNAVAILABLE"))
    async with running_gateway(around(down)) as running:
        session_id = await opened(running)
        said = {"sessionId": session_id, "message": "嗯"}
        told = await read_frames(await running.http.post("/api/v1/chat/stream", json=said))
    assert told.of("problem")[0]["reason"] == "MODEL_UNAVAILABLE"
    assert told.told[-1].data == {"done": True}


async def test_opening_twice_says_the_same() -> None:
    """InitializeSession is idempotent, streamed or not (RESOLUTIONS C28)."""
    async with running_gateway(around()) as running:
        session_id = await opened(running)
        path = f"/api/v1/sessions/{session_id}/initialize"
        again = await running.http.post(path)
        streamed = await running.http.post(path, headers={"accept": "text/event-stream"})
        told = [f async for f in frames_of(streamed)]
    assert again.json()["aiMessage"] == "怎么称呼你？"
    assert "".join(f.data["chunk"] for f in told if "chunk" in f.data) == "怎么称呼你？"


@pytest.mark.parametrize(
    ("body", "content_type", "status", "reason"),
    [
        (b"{", "application/json", 400, "INVALID_JSON"),
        (b'{"sessionId": 7}', "application/json", 400, "INVALID_REQUEST"),
        (b'{"sessionId":"s","message":"x","more":1}', "application/json", 400, "INVALID_REQUEST"),
        (b"{}", "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"),
        (b'"' + b"x" * 1_400_000 + b'"', "application/json", 413, "BODY_TOO_LARGE"),
    ],
    ids=["broken", "wrong", "unknown key", "no JSON", "too large"],
)
async def test_a_bad_body_is_refused(
    body: bytes, content_type: str, status: int, reason: str
) -> None:
    """With a status of its own, as a problem that says what to mend."""
    async with running_gateway() as running:
        headers = {"content-type": content_type}
        answer = await running.http.post("/api/v1/chat", content=body, headers=headers)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


async def test_without_an_executor_every_call_is_unavailable() -> None:
    """503 with no word of addresses; the gateway itself goes on."""
    from tests.support.gateways import gateway_to

    async with gateway_to("127.0.0.1:1") as (_, http):
        answer: httpx.Response = await http.get("/api/v1/sessions/x")
    assert (answer.status_code, answer.json()["reason"]) == (503, "EXECUTOR_UNAVAILABLE")
    assert "127.0.0.1" not in answer.text
