"""Routes of threads nested in messages: what agents say in them, and how far they are."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import PlainSerializer
from starlette.responses import Response

from gateway_service.bodies import Name, PageQuery, QueryParameters
from gateway_service.list_queries import ListQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.responses import JSON
from gateway_service.route import Executor, SessionId
from gateway_service.routes.call_router import CallRouter
from heartrule.v1 import thread_request_pb2

_SESSION = f"{API}/sessions/{{sessionId}}"
_THREAD = f"{_SESSION}/threads/{{threadId}}"

StateWord = Annotated[
    Literal["running", "completed", "failed", "cancelled"],
    PlainSerializer(lambda word: f"THREAD_STATE_{word.upper()}", return_type=str),
]


class ThreadsQuery(ListQuery):
    """Which threads."""

    agent: Name = ""
    """Only those of this agent."""
    state: StateWord | None = None
    """Only those in this state."""


class ThreadMessagesQuery(PageQuery):
    """Which messages of a thread; fewer on a page where they are large."""

    reveal: bool = False
    """True: with texts and numbers where the script has sensitive variables; `•••` otherwise."""


class ThreadQuery(ThreadMessagesQuery):
    """Where the thread stands, and which of its messages."""

    path: str = ""
    """Such as `messages.3.meta._thread`; empty: the main thread, or wherever the id says."""


class DocumentQuery(QueryParameters):
    """Which thread, as one document."""

    path: str = ""
    """Such as `messages.3.meta._thread`; neither path nor id: the main thread."""
    thread_id: Name = ""
    """Its id; 409 where a path beside it leads elsewhere."""
    reveal: bool = False
    """True: with texts and numbers where the script has sensitive variables; `•••` otherwise."""


router = CallRouter(tags=["threads"])
router.add_call(
    f"GET {_SESSION}/threads",
    "ListThreads",
    summary="List the threads nested in messages in the order in which they were opened",
    query=ThreadsQuery,
)
router.add_call(
    f"GET {_SESSION}/thread",
    "GetThread",
    summary="Read the thread that a path leads to, or the main one, with its messages by page",
    query=ThreadQuery,
)
router.add_call(
    f"GET {_THREAD}",
    "GetThread",
    summary="Read a thread by its id with its messages by page; 409 where a path leads elsewhere",
    query=ThreadQuery,
    failures=(404, 409),
)
router.add_call(
    f"GET {_THREAD}/messages",
    "ListThreadMessages",
    summary="List the messages of a nested thread",
    query=ThreadMessagesQuery,
)


@router.get(
    f"{_SESSION}/thread/document",
    summary="Read a thread as one document, with all that is nested in it",
    responses=returns(None, "The document, as GetThread has it.") | fails(404, 409),
)
async def document(
    executor: Executor, session_id: SessionId, asked: Annotated[DocumentQuery, Query()]
) -> Response:
    """Return the document itself."""
    request = thread_request_pb2.GetThreadRequest(
        session_id=session_id, as_document=True, **asked.model_dump()
    )
    answer = await executor.ask(request, thread_request_pb2.GetThreadResponse)
    headers = {"cache-control": "no-store"}
    return Response(answer.document, media_type=JSON, headers=headers)
