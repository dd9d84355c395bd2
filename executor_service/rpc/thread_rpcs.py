"""The rpcs of ThreadService: threads nested in messages of a session, and what is said in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from executor_service.ports import ScriptLibrary
from executor_service.rpc.requests import Context, chosen, masks_in, page_of, session_of, start_of
from executor_service.rpc.thread_documents import document_of, main_settings
from executor_service.rpc.thread_messages import (
    fill_outcome,
    fill_phases,
    fill_thread,
    fill_thread_message,
    of_main_thread,
)
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.errors import RevisionConflict
from heartrule.domain.keys import SessionKey
from heartrule.domain.threads import ThreadState
from heartrule.v1 import thread_details_pb2, thread_pb2, thread_request_pb2
from heartrule.wire.inbound import Reading
from heartrule.wire.message_mapping import refuse
from heartrule.wire.request_parsing import allow, require
from session_store.ports import Store
from session_store.records import Page
from session_store.records.threads import KeptThread, KeptThreadMessage, ThreadFilter

# Bytes of a page of messages; it has one message at least.
LARGEST_ANSWER = 16_777_216

_Rows: TypeAlias = Callable[[Page], Awaitable[tuple[list[KeptThreadMessage], str]]]
_Answer: TypeAlias = (
    thread_request_pb2.GetThreadResponse | thread_request_pb2.ListThreadMessagesResponse
)


class ThreadRpcs:
    """GetThread, ListThreads, ListThreadMessages."""

    def __init__(self, store: Store, scripts: ScriptLibrary) -> None:
        """Read from `store`; `scripts` name which variables are sensitive."""
        self._store = store
        self._scripts = scripts

    async def GetThread(  # noqa: N802  the contract's name
        self, request: thread_request_pb2.GetThreadRequest, _context: Context
    ) -> thread_request_pb2.GetThreadResponse:
        """Return a thread with a page of its messages, or its document.

        Raises:
            NotFound: There is no such session or thread.
            InvalidThreadPath: The path is none.
            RevisionConflict: The path does not lead to the thread of that id.
            NotReady: The document is too large.
        """
        key, page = session_of(request), page_of(request)
        allow(thread_id=request.thread_id)
        path = ThreadPath.parse(request.path) if request.path else MAIN
        masks = await masks_in(self._store, self._scripts, key, reveal=request.reveal)
        kept = await self._found(key, request.thread_id, path)
        response = thread_request_pb2.GetThreadResponse()
        if kept is not None:
            await self._fill_threads(key, (kept,), (response.thread,))
            fill_outcome(kept, response.thread, masks=masks)
        else:
            fill_phases(await main_settings(self._store, key), response.thread)
        response.thread.SetInParent()
        thread_id = kept.thread.thread_id if kept else ""
        if request.as_document:
            response.document = await document_of(self._store, key, thread_id, masks=masks)
            return response
        await _fill_page(partial(self._rows, key, thread_id), page, response, masks=masks)
        return response

    async def ListThreads(  # noqa: N802
        self, request: thread_request_pb2.ListThreadsRequest, _context: Context
    ) -> thread_request_pb2.ListThreadsResponse:
        """Return threads in the order in which they were opened, without what they gave."""
        key, wanted, page = session_of(request), _filter(request), page_of(request)
        threads, token = await self._store.list_threads(key, page, wanted)
        response = thread_request_pb2.ListThreadsResponse(next_page_token=token)
        await self._fill_threads(key, threads, [response.threads.add() for _ in threads])
        return response

    async def ListThreadMessages(  # noqa: N802
        self, request: thread_request_pb2.ListThreadMessagesRequest, _context: Context
    ) -> thread_request_pb2.ListThreadMessagesResponse:
        """Return the messages of a nested thread in their order."""
        require(session_id=request.session_id, thread_id=request.thread_id)
        key, page = session_of(request), page_of(request)
        masks = await masks_in(self._store, self._scripts, key, reveal=request.reveal)
        rows = partial(self._rows, key, request.thread_id)
        response = thread_request_pb2.ListThreadMessagesResponse()
        await _fill_page(rows, page, response, masks=masks)
        return response

    async def _found(self, key: SessionKey, thread_id: str, path: ThreadPath) -> KeptThread | None:
        """Return the thread that a request names; None: the main one."""
        if not thread_id:
            return None if path.is_main else await self._store.thread_at(key, path.numbers)
        kept = await self._store.get_thread(key, thread_id)
        if not path.is_main:
            where = await self._store.paths_of(key, (thread_id,))
            if where.get(thread_id) != path.numbers:
                raise RevisionConflict(
                    "the path does not lead to the thread of that id",
                    reason="THREAD_MOVED",
                    metadata={"path": str(path), "thread_id": thread_id},
                )
        return kept

    async def _rows(
        self, key: SessionKey, thread_id: str, page: Page
    ) -> tuple[list[KeptThreadMessage], str]:
        """Return a page of the messages of a thread, or of the main one."""
        if thread_id:
            return await self._store.list_thread_messages(key, thread_id, page)
        found, token = await self._store.list_main_messages(key, page)
        first = start_of(page)
        return [of_main_thread(each, number) for number, each in enumerate(found, first)], token

    async def _fill_threads(
        self,
        key: SessionKey,
        threads: Sequence[KeptThread],
        targets: Sequence[thread_details_pb2.Thread],
    ) -> None:
        where = await self._store.paths_of(key, [each.thread.thread_id for each in threads])
        for kept, target in zip(threads, targets, strict=True):
            fill_thread(kept, target, path=where.get(kept.thread.thread_id, ()))


async def _fill_page(rows: _Rows, page: Page, response: _Answer, *, masks: bool) -> None:
    """Add messages, a half of those asked for as often as the answer would be too large."""
    size = page.size
    found, token = await rows(page)
    while size > 1 and sum(len(each.message.text.encode()) for each in found) > LARGEST_ANSWER:
        size = max(1, min(size, len(found)) // 2)
        found, token = await rows(replace(page, size=size))
    for each in found:
        fill_thread_message(each, response.messages.add(), masks=masks)
    response.next_page_token = token


def _filter(request: thread_request_pb2.ListThreadsRequest) -> ThreadFilter:
    allow(agent=request.agent)
    reading = Reading()
    states = thread_pb2.ThreadState.DESCRIPTOR
    state = chosen(request.state, ThreadState, states, at="state", reading=reading)
    refuse(reading)
    return ThreadFilter(agent=request.agent, state=state)
