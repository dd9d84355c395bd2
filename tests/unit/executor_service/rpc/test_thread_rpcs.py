"""The rpcs about threads, called without a server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from executor_service.rpc.thread_rpcs import ThreadRpcs
from executor_service.scripts.model.fields import Output
from heartrule.domain.errors import InvalidRequest, NotFound, NotReady, RevisionConflict
from heartrule.domain.sensitive import MASK
from heartrule.domain.thread_changes import ThreadEnd
from heartrule.domain.threads import ThreadState
from heartrule.v1 import thread_details_pb2 as details
from heartrule.v1 import thread_pb2 as pb
from heartrule.v1 import thread_request_pb2 as requests
from heartrule.wire.json_values import read_struct
from session_store.open import open_in_memory
from tests.support.engine_builders import ask, script
from tests.support.kept_threads import MAIN_SETTINGS, SECRET, Nested, with_threads
from tests.support.store_threads import going_on
from tests.support.turn_builders import OneScript

TOP = "messages.2.meta._thread"
BELOW = f"{TOP}.messages.1.meta._thread"


@dataclass
class Desk:
    """The rpcs over a session with a thread, and another one nested in it."""

    at: Nested
    rpcs: ThreadRpcs

    async def read(self, thread_id: str = "", path: str = "", **fields: Any) -> Any:
        """Read a thread."""
        asked = {"session_id": "s1", "thread_id": thread_id, "path": path, **fields}
        return await self.rpcs.GetThread(requests.GetThreadRequest(**asked), nowhere())

    async def document(self, thread_id: str = "", path: str = "", **fields: Any) -> Any:
        """Read a thread as one document."""
        return json.loads((await self.read(thread_id, path, as_document=True, **fields)).document)

    async def threads(self, **fields: Any) -> requests.ListThreadsResponse:
        """List threads."""
        request = requests.ListThreadsRequest(**{"session_id": "s1", **fields})
        return await self.rpcs.ListThreads(request, nowhere())

    async def messages(self, thread_id: str, **fields: Any) -> requests.ListThreadMessagesResponse:
        """List what is said in a thread."""
        asked = {"session_id": "s1", "thread_id": thread_id, **fields}
        request = requests.ListThreadMessagesRequest(**asked)
        return await self.rpcs.ListThreadMessages(request, nowhere())


def nowhere() -> Any:
    """Return the context of an rpc that asks nothing of it."""
    return None


async def desk(*, sensitive: bool = False) -> Desk:
    """Return the rpcs over a session with threads."""
    library = OneScript(script(ask(output=(Output(get="诊所", sensitive=sensitive),))))
    at = await with_threads(open_in_memory())
    return Desk(at, ThreadRpcs(at.store, library))


async def test_a_thread_is_read_by_id_and_by_path() -> None:
    """With how far it is, what it was opened for, and what is said in it."""
    at = await desk()
    found = await at.read("thr_1")
    thread = found.thread
    assert await at.read(path=TOP) == found == await at.read("thr_1", TOP)
    assert (thread.path, thread.depth, thread.anchor_message_id) == (TOP, 1, "ph_1")
    assert (thread.agent, thread.state) == ("researcher", pb.THREAD_STATE_RUNNING)
    assert (thread.phase, thread.suggested_phase, thread.run_id) == ("query", "check", "run_1")
    assert read_struct(thread.request) == {"query": SECRET}
    assert [(each.number, each.text, each.is_placeholder) for each in found.messages] == [
        (0, f"请查{SECRET}", False),
        (1, "读着…", True),
    ]
    assert [(each.role, each.phase, each.unit) for each in found.messages] == [
        (pb.THREAD_ROLE_USER, "plan", 1),
        (pb.THREAD_ROLE_BOT, "plan", 1),
    ]


async def test_a_nested_thread_is_read_by_its_path() -> None:
    """It knows which thread it is nested in."""
    at = await desk()
    thread = (await at.read(path=BELOW)).thread
    assert (thread.thread_id, thread.parent_thread_id, thread.depth) == ("thr_2", "thr_1", 2)
    assert (thread.anchor_message_id, thread.path) == ("thr_1.1", BELOW)


async def test_without_a_name_it_is_the_main_thread() -> None:
    """Its messages are numbered as paths number them; an input that waits is not among them."""
    at = await desk()
    found = await at.read()
    rest = await at.read(page_size=1, page_token=(await at.read(page_size=2)).next_page_token)
    assert found.thread == details.Thread(phase="execute", suggested_phase="end")
    assert [each.number for each in found.messages] == [0, 1, 2]
    assert (found.messages[2].message_id, found.messages[2].is_placeholder) == ("ph_1", True)
    assert list(rest.messages) == list(found.messages)[2:]


async def test_a_result_is_read_in_its_placeholders_place() -> None:
    """In the conversation, and in a thread."""
    at = await desk()
    await at.at.say(1, "读完了", "thr_1", message_id="done", replaces="thr_1.1")
    await at.at.finish()
    found = await at.read("thr_1")
    told = (found.thread.result_text, read_struct(found.thread.values))
    shown = (await at.read()).messages[2]
    inner = (await at.messages("thr_1")).messages[1]
    assert (found.thread.state, *told) == (
        pb.THREAD_STATE_COMPLETED,
        f"在{SECRET}",
        {"诊所": SECRET},
    )
    assert (shown.text, shown.replaces_message_id, shown.number) == (f"在{SECRET}", "ph_1", 2)
    assert (inner.text, inner.replaces_message_id, inner.number) == ("读完了", "thr_1.1", 1)


async def test_a_thread_is_read_as_the_document_that_document_003_draws() -> None:
    """Nested threads lie in their messages; a result stands under its placeholder's id."""
    at = await desk()
    whole = await at.document()
    thread = whole["messages"][2]["meta"]["_thread"]
    assert (whole["id"], whole["messages"][2]["id"]) == ("s1", "ph_1")
    assert whole["settings"] == MAIN_SETTINGS
    assert thread["settings"]["briefStatus"] == {"phase": "query"}
    assert thread["settings"]["_phaseUpdateSuggestion"] == {"phase": "check"}
    below = thread["messages"][1]["meta"]["_thread"]
    assert below == {
        "messages": [{"id": "thr_2.0", "role": "user", "text": SECRET, "meta": {"页": 7}}],
        "settings": {"briefStatus": {"phase": "read"}},
    }
    assert await at.document("thr_1") == thread
    assert await at.document(path=BELOW) == below
    await at.at.finish("好了")
    done = (await at.document())["messages"][2]
    assert (done["id"], done["text"], "_thread" in done["meta"]) == ("ph_1", "好了", True)


async def test_a_document_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages can be read."""
    monkeypatch.setattr("executor_service.rpc.thread_documents.LARGEST_DOCUMENT", 100)
    at = await desk()
    with pytest.raises(NotReady) as refused:
        await at.document()
    assert refused.value.reason == "THREAD_TOO_LARGE"


async def test_a_path_that_leads_elsewhere_than_the_id_is_refused() -> None:
    """Also where it leads nowhere: the id is the truth."""
    at = await desk()
    for path in (BELOW, "messages.0.meta._thread", "messages.99.meta._thread"):
        with pytest.raises(RevisionConflict) as refused:
            await at.read("thr_1", path)
        assert refused.value.reason == "THREAD_MOVED"


@pytest.mark.parametrize(
    "path",
    [
        "messages.-1.meta._thread",
        f"messages.{'9' * 30}.meta._thread",
        "messages.1.meta",
        f"{TOP}.settings",
        "__class__",
        ".".join([TOP] * 9),
        "x" * 10_000,
    ],
    ids=lambda path: path[:40],
)
async def test_what_is_no_path_is_refused(path: str) -> None:
    """With the part that is wrong."""
    at = await desk()
    with pytest.raises(InvalidRequest) as refused:
        await at.read(path=path)
    assert (refused.value.reason, refused.value.violations != ()) == ("INVALID_THREAD_PATH", True)


@pytest.mark.parametrize(
    "named",
    [
        {"thread_id": "thr_9"},
        {"path": "messages.1.meta._thread"},
        {"thread_id": "thr_1", "session_id": "s2"},
        {"path": TOP, "session_id": "nobody"},
        {"session_id": "nobody"},
    ],
    ids=str,
)
async def test_a_thread_that_is_not_there_is_not_found(named: Any) -> None:
    """Nor is one of another session."""
    at = await desk()
    with pytest.raises(NotFound):
        await at.read(**named)


async def test_a_thread_of_another_tenant_is_not_found() -> None:
    """It looks like one that is not there."""
    store = open_in_memory()
    await going_on(store)
    rpcs = ThreadRpcs(store, OneScript(script(ask())))
    with pytest.raises(NotFound):
        await rpcs.GetThread(
            requests.GetThreadRequest(session_id="s1", thread_id="thr_1"), nowhere()
        )
    with pytest.raises(NotFound):
        await rpcs.ListThreads(requests.ListThreadsRequest(session_id="s1"), nowhere())


async def test_threads_are_listed_by_page_agent_and_state() -> None:
    """In the order in which they were opened, without what they gave."""
    at = await desk()
    await at.at.write(ThreadEnd(thread_id="thr_2", state=ThreadState.FAILED, failure_code="SLOW"))
    listed = list((await at.threads()).threads)
    first = await at.threads(page_size=1)
    second = await at.threads(page_size=1, page_token=first.next_page_token)
    assert [each.path for each in listed] == [TOP, BELOW]
    assert [*first.threads, *second.threads] == listed
    assert not any(each.HasField("request") for each in listed)
    assert [each.failure_code for each in (await at.threads(agent="reader")).threads] == ["SLOW"]
    failed = await at.threads(state=pb.THREAD_STATE_FAILED)
    assert [each.thread_id for each in failed.threads] == ["thr_2"]
    with pytest.raises(InvalidRequest):
        await at.threads(state=99)


async def test_messages_are_listed_by_page() -> None:
    """A page has fewer where they are large, and one at least."""
    at = await desk()
    for number in range(3):
        await at.at.say(number + 1, "x" * 10)
    first = await at.messages("thr_2", page_size=3)
    rest = await at.messages("thr_2", page_token=first.next_page_token)
    assert [each.number for each in (*first.messages, *rest.messages)] == [0, 1, 2, 3]
    with pytest.raises(InvalidRequest):
        await at.messages("")
    with pytest.raises(NotFound):
        await at.messages("thr_9")


async def test_a_page_keeps_below_what_a_channel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is halved until it does, and the token leads on."""
    monkeypatch.setattr("executor_service.rpc.thread_rpcs.LARGEST_ANSWER", 25)
    at = await desk()
    for number in range(4):
        await at.at.say(number + 1, "x" * 10)
    found, token, pages = [], "", 0
    while token or not pages:
        page = await at.messages("thr_2", page_token=token)
        found += [each.number for each in page.messages]
        token, pages = page.next_page_token, pages + 1
    assert (found, pages) == ([0, 1, 2, 3, 4], 3)


async def test_a_sensitive_session_tells_texts_to_those_who_ask() -> None:
    """Any text and number may be a value; agents, phases, states and names of fields are not."""
    at = await desk(sensitive=True)
    await at.at.finish()
    masked = await at.read("thr_1")
    messages = [
        *masked.messages,
        *(await at.messages("thr_2")).messages,
        *(await at.read()).messages,
    ]
    written = json.dumps(await at.document(), ensure_ascii=False)
    assert {each.text for each in messages} == {MASK}
    assert read_struct(messages[2].meta) == {"页": MASK}
    assert (masked.thread.result_text, read_struct(masked.thread.values)) == (MASK, {"诊所": MASK})
    assert read_struct(masked.thread.request) == {"query": MASK}
    assert (masked.thread.agent, masked.thread.phase) == ("researcher", "query")
    assert SECRET not in written
    assert '"phase": "query"' in written
    assert (await at.read("thr_1", reveal=True)).thread.result_text == f"在{SECRET}"
    assert SECRET in json.dumps(await at.document(reveal=True), ensure_ascii=False)
