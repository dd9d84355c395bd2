"""Sessions over HTTP: watched, gone back in, read, exported and erased."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import pytest

from heartrule.domain.request_limits import LARGEST_INPUT
from tests.support.executors import Neighbours
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.gateways import RunningGateway, frames_of, running_gateway
from tests.support.scripts import ask_script

REPLIES = [ask_reply("怎么称呼你？"), *[ask_reply("慢慢说。")] * 4]
LISTS = (
    "messages", "variables", "variables/operations", "variables/definitions",
    "variables/snapshots", "exits", "metrics", "strategies", "plan", "plan/edits", "calls",
    "state", "outline", "export",
)  # fmt: skip


def around() -> Neighbours:
    return Neighbours(model=FakeModel(list(REPLIES)))


async def talked(running: RunningGateway) -> str:
    session_id = await running.start(ask_script(9))
    await running.http.post(f"/api/v1/sessions/{session_id}/initialize")
    said = {"sessionId": session_id, "message": "嗯"}
    assert (await running.http.post("/api/v1/chat", json=said)).status_code == 200
    return session_id


@pytest.mark.parametrize("what", LISTS)
async def test_everything_kept_can_be_read(what: str) -> None:
    """Each list and picture of a session has a route."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        answer = await running.http.get(f"/api/v1/sessions/{session_id}/{what}")
        missing = await running.http.get(f"/api/v1/sessions/ses_x/{what}")
    assert (answer.status_code, missing.status_code) == (200, 404)


async def test_an_export_has_all_that_was_said_and_learned() -> None:
    """As a file, in the contract's JSON; for people, in the language that is asked for."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}"
        whole = (await running.http.get(f"{path}/export")).json()
        page = await running.http.get(f"{path}/export?format=markdown&language=zh-CN")
        messages = (await running.http.get(f"{path}/messages")).json()["messages"]
    assert whole["messages"] == messages
    numbers = [event["sequence"] for event in whole["events"]]
    assert numbers == list(range(1, whole["state"]["sequence"] + 1))
    assert page.headers["content-disposition"].endswith(f"{session_id}.md")
    assert "## 第 1 回合" in page.text


async def test_the_figures_of_a_script_have_no_text() -> None:
    """Only ids, words of ours and numbers; its outline is read by version too."""
    async with running_gateway(around()) as running:
        await talked(running)
        answer = await running.http.get("/api/v1/scripts/asking/figures")
        outline = await running.http.get("/api/v1/scripts/asking/outline")
    figures = answer.json()
    (action,) = figures["actions"]
    assert (figures["sessions"], action["actionId"], action["rounds"]) == (1, "ask_name", 1)
    assert "慢慢说" not in answer.text
    assert outline.json()["scriptVersion"] == figures["scriptVersion"]


async def test_a_watcher_resumes_by_the_last_id_without_gap_or_repeat() -> None:
    """Durable events bear their sequence; cut anywhere, the rest follows."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}/events?audience=operator&after="
        last = (await running.http.get(f"/api/v1/sessions/{session_id}/state")).json()["sequence"]

        async def sequences(after: str, headers: dict[str, str]) -> list[int]:
            seen: list[int] = []
            async with running.http.stream("GET", path + after, headers=headers) as response:
                async for frame in frames_of(response):
                    seen += [int(frame.id)] if frame.id else []
                    if seen and seen[-1] == last:
                        return seen
            return seen

        every = await sequences("0", {})
        rest = await sequences("0", {"last-event-id": str(every[3])})
    assert every == sorted(set(every))
    assert rest == every[4:]


async def test_a_watcher_beyond_the_end_is_told_the_bounds() -> None:
    """416, as a problem with metadata."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        answer = await running.http.get(f"/api/v1/sessions/{session_id}/events?after=9999")
    assert (answer.status_code, answer.json()["reason"]) == (416, "SEQUENCE_OUT_OF_RANGE")


async def test_an_input_is_stored_and_its_turn_told_to_watchers() -> None:
    """202 at once; the same key stores nothing more."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}"
        said = {"text": "还是我", "clientMessageId": "m7"}
        first = await running.http.post(f"{path}/inputs", json=said)
        again = await running.http.post(f"{path}/inputs", json=said)
        after = first.json()["sequence"] - 1
        async with running.http.stream("GET", f"{path}/events?after={after}") as response:
            async for frame in frames_of(response):
                if frame.event == "turnEnded":
                    break
    assert (first.status_code, again.json()["duplicate"]) == (202, True)
    assert frame.data["turnEnded"]["clientMessageIds"] == ["m7"]


async def test_a_retry_says_it_with_other_words_and_a_fork_leaves_the_first_alone() -> None:
    """Both go back over HTTP as over gRPC."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}"
        forked = await running.http.post(f"{path}/fork")
        said_again = await running.http.post(f"{path}/retry", json={"text": "其实……"})
    assert forked.status_code == 201
    assert forked.json()["session"]["forkedFromSessionId"] == session_id
    assert said_again.json()["message"]["parts"][0]["text"] == "其实……"


async def test_an_erased_session_is_gone() -> None:
    """Also for those who watch it: their stream ends with the problem."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}"
        async with running.http.stream("GET", f"{path}/events") as response:
            assert (await running.http.delete(path)).status_code == 204
            told = [frame async for frame in frames_of(response)]
        assert (await running.http.get(path)).status_code == 404
    assert (told[-1].event, told[-1].data["status"]) == ("problem", 404)


async def test_a_gateway_that_leaves_says_so_to_watchers() -> None:
    """They come again by themselves, with the last id."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        async with running.http.stream("GET", f"/api/v1/sessions/{session_id}/events") as response:
            told = []
            async for frame in frames_of(response):
                told.append(frame.event)
                if frame.event == "opened":
                    await running.gateway.go_away()
    assert told == ["opened", "goingAway"]


async def test_streams_get_connections_as_they_need_them_and_give_them_back() -> None:
    """A hundred and one watchers are served, though a connection takes a hundred streams."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        executor = running.gateway.services.executor
        async with AsyncExitStack() as opened:
            watching = []
            for _ in range(101):
                asked = running.http.stream("GET", f"/api/v1/sessions/{session_id}/events")
                frames = frames_of(await opened.enter_async_context(asked))
                assert (await anext(frames)).event == "opened"
                watching.append(frames)
            assert executor.connections == 2


async def test_a_session_is_labelled_and_found_again() -> None:
    """Labels are changed by their mask; a filter that is none is told with its place."""
    async with running_gateway(around()) as running:
        session_id, _ = await running.start(ask_script(9)), await running.start(ask_script(9))
        change = {"labels": {"研究": "秋季"}, "updateMask": "labels.研究,labels.none"}
        changed = await running.http.patch(f"/api/v1/sessions/{session_id}", json=change)
        asked = {"filter": 'labels.研究 = "秋季"', "orderBy": "create_time"}
        found = await running.http.get("/api/v1/sessions", params=asked)
        wrong = await running.http.get("/api/v1/sessions", params={"filter": "a OR b"})
    assert changed.json()["labels"] == {"研究": "秋季"}
    assert [each["sessionId"] for each in found.json()["sessions"]] == [session_id]
    assert (wrong.status_code, wrong.json()["violations"][0]["field"]) == (400, "filter")


async def test_a_note_at_a_turn_is_written_read_and_exported() -> None:
    """It stands in both forms of the export, and in no answer that was not asked for it."""
    async with running_gateway(around()) as running:
        session_id = await talked(running)
        path = f"/api/v1/sessions/{session_id}"
        messages = (await running.http.get(f"{path}/messages")).json()["messages"]
        turn_id = messages[-1]["turnId"]
        change = {"notes": {turn_id: "问得*好*"}, "updateMask": f"notes.{turn_id}"}
        changed = (await running.http.patch(path, json=change)).json()
        plain = (await running.http.get(path)).json()
        asked = (await running.http.get(path, params={"withNotes": "true"})).json()
        exported = (await running.http.get(f"{path}/export")).json()
        form = {"format": "markdown", "language": "zh-CN"}
        transcript = (await running.http.get(f"{path}/export", params=form)).text
        long = {"notes": {turn_id: "x" * 2_001}, "updateMask": f"notes.{turn_id}"}
        refused = await running.http.patch(path, json=long)
    noted = {turn_id: "问得*好*"}
    assert changed["notes"] == asked["notes"] == exported["session"]["notes"] == noted
    assert not plain.get("notes")
    assert "**批注**\n\n问得\\*好\\*\n" in transcript
    assert refused.status_code in {400, 422}


async def test_a_persons_data_is_exported_as_lines() -> None:
    """A row a line, the end at last; one nobody knows has the end alone."""
    async with running_gateway(around()) as running:
        told = {"files": {"script.yaml": ask_script(9)}}
        script = (await running.http.post("/api/v1/scripts", json=told)).json()["script"]
        begun = {"scriptId": script["scriptId"], "userId": "u1"}
        session = (await running.http.post("/api/v1/sessions", json=begun)).json()
        answer = await running.http.get("/api/v1/users/u1/data?reveal=true")
        nobody = await running.http.get("/api/v1/users/u2/data")
    *rows, end = map(json.loads, answer.text.splitlines())
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert {one["row"]["session_id"] for one in rows} == {session["sessionId"]}
    assert end == {"end": {"sessions": 1, "rows": len(rows)}}
    assert nobody.json() == {"end": {"sessions": 0, "rows": 0}}


async def test_the_server_says_what_it_takes() -> None:
    """Limits of requests, as the executor behind it applies them."""
    async with running_gateway(around()) as running:
        info = (await running.http.get("/api/v1/server")).json()
    assert "export" in info["features"]
    assert info["limits"]["maxInputBytes"] == LARGEST_INPUT
