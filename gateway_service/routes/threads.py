"""Routes of threads nested in messages: what agents say in them, and how far they are."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import PlainSerializer

from gateway_service.bodies import Name, PageQuery
from gateway_service.routes.call_router import CallRouter

_SESSION = "/api/sessions/{sessionId}"
_THREAD = f"{_SESSION}/threads/{{threadId}}"

StateWord = Annotated[
    Literal["running", "completed", "failed", "cancelled"],
    PlainSerializer(lambda word: f"THREAD_STATE_{word.upper()}", return_type=str),
]


class ThreadsQuery(PageQuery):
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
    """Where the thread stands, and how it is told."""

    path: str = ""
    """Such as `messages.3.meta._thread`; empty: the main thread, or wherever the id says."""
    as_document: bool = False
    """True: whole, with all that is nested in it, in place of a page of its messages."""


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
    summary="Read the thread that a path leads to, or the main one, by page or as one document",
    query=ThreadQuery,
)
router.add_call(
    f"GET {_THREAD}",
    "GetThread",
    summary="Read a thread by its id; 409 where a path beside it leads elsewhere",
    query=ThreadQuery,
    failures=(404, 409),
)
router.add_call(
    f"GET {_THREAD}/messages",
    "ListThreadMessages",
    summary="List the messages of a nested thread",
    query=ThreadMessagesQuery,
)
