"""Threads over HTTP."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from gateway_service.json_encoding import words
from gateway_service.routes.threads import StateWord
from heartrule.v1 import thread_pb2
from session_store.open import open_in_memory
from tests.support.executors import Neighbours
from tests.support.gateways import Frames, RunningGateway, frames_of, running_gateway
from tests.support.kept_threads import SECRET, with_threads

SESSION = "/api/v1/sessions/s1"
TOP = "messages.2.meta._thread"
# The session's script is not in the store, so that all variables count as sensitive.
SHOWN: dict[str, Any] = {"reveal": "true"}


async def ended() -> Neighbours:
    """Return a store with a thread that ended, and one nested in it."""
    store = open_in_memory()
    await (await with_threads(store)).finish()
    return Neighbours(store=store)


async def told_by(running: RunningGateway, path: str) -> Frames:
    """Read a stream of events until the thread's end is told."""
    told = Frames()
    async with running.http.stream("GET", path) as response:
        async for frame in frames_of(response):
            told.told.append(frame)
            if frame.event == "activity" and frame.data["activity"]["state"] == "ended":
                break
    return told


async def test_threads_are_listed_and_read() -> None:
    """Names are lowerCamelCase, words lower-case; texts are masked unless somebody asks."""
    async with running_gateway(await ended()) as running:
        get = running.http.get
        listed = (await get(f"{SESSION}/threads", params={"state": "completed"})).json()
        by_id = (await get(f"{SESSION}/threads/thr_1", params=SHOWN)).json()
        by_path = (await get(f"{SESSION}/thread", params={**SHOWN, "path": TOP})).json()
        main = (await get(f"{SESSION}/thread", params=SHOWN)).json()
        messages = (await get(f"{SESSION}/threads/thr_1/messages")).json()["messages"]
    assert [each["threadId"] for each in listed["threads"]] == ["thr_1"]
    assert by_id == by_path
    assert (by_id["thread"]["path"], by_id["thread"]["state"]) == (TOP, "completed")
    assert by_id["thread"]["resultText"] == f"在{SECRET}"
    assert main["messages"][2]["replacesMessageId"] == "ph_1"
    assert {each["text"] for each in messages} == {"•••"}


async def test_a_document_is_the_body() -> None:
    """As deep as it is; kept by no cache."""
    async with running_gateway(await ended()) as running:
        whole = await running.http.get(f"{SESSION}/thread/document", params=SHOWN)
        asked = {**SHOWN, "threadId": "thr_2"}
        inner = await running.http.get(f"{SESSION}/thread/document", params=asked)
    thread = whole.json()["messages"][2]["meta"]["_thread"]
    assert thread["messages"][1]["meta"]["_thread"] == inner.json()
    assert inner.json()["messages"][0]["text"] == SECRET
    assert whole.headers["content-type"] == "application/json"
    assert whole.headers["cache-control"] == "no-store"


async def test_a_watcher_is_told_of_threads() -> None:
    """An operator of what is said in them, masked; a client that something goes on and is over."""
    async with running_gateway(await ended()) as running:
        path = f"{SESSION}/events?after=0"
        told = await told_by(running, f"{path}&audience=operator")
        client = await told_by(running, path)
    messages, changes = told.of("threadMessage"), told.of("threadChanged")
    assert {each["threadMessage"]["text"] for each in messages} == {"•••"}
    assert [each["threadChanged"]["threadId"] for each in changes[:2]] == ["thr_1", "thr_2"]
    assert changes[-1]["threadChanged"]["state"] == "completed"
    assert set(client.names()).isdisjoint({"threadMessage", "threadChanged"})
    activities = [each["activity"] for each in client.of("activity")]
    assert [(each["state"], each["messageId"]) for each in activities] == [
        ("began", "ph_1"),
        ("ended", "ph_1"),
    ]


@pytest.mark.parametrize(
    ("path", "status", "reason"),
    [
        ("threads/thr_9", 404, "THREAD_NOT_FOUND"),
        ("thread?path=messages.0.meta._thread", 404, "THREAD_NOT_FOUND"),
        ("thread?path=messages.-1.meta._thread", 400, "INVALID_THREAD_PATH"),
        ("thread/document?path=messages.1.meta", 400, "INVALID_THREAD_PATH"),
        ("threads/thr_1?path=messages.0.meta._thread", 409, "THREAD_MOVED"),
        (f"thread/document?threadId=thr_2&path={TOP}", 409, "THREAD_MOVED"),
        ("threads?state=flying", 400, "INVALID_REQUEST"),
        ("threads/thr_1/messages?pageSize=501", 400, "INVALID_REQUEST"),
    ],
)
async def test_a_wrong_request_is_a_problem(path: str, status: int, reason: str) -> None:
    """400 for what cannot be asked, 404 for what is not there, 409 for what has moved."""
    async with running_gateway(await ended()) as running:
        answer = await running.http.get(f"{SESSION}/{path}")
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert answer.headers["content-type"] == "application/problem+json"


def test_the_words_are_those_of_the_contract() -> None:
    """A state that the contract gains is one that HTTP takes."""
    literal, _ = get_args(StateWord)
    assert list(get_args(literal)) == list(words(thread_pb2.ThreadState.DESCRIPTOR).values())
