"""Reads all that a session's rehearsal is written from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from executor_service.recorded_conversation import RecordedSession
from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import ModelCall
from heartrule.domain.sensitive import SensitiveVariables
from session_store.ports import Store
from session_store.records import Page

# Model calls among them, whose prompts are some ten kilobytes each.
_PAGE = 100
T = TypeVar("T")


async def recorded_session(
    store: Store, key: SessionKey, hidden: SensitiveVariables
) -> RecordedSession:
    """Return what is kept of a session; `hidden` are the variables that are shown to nobody.

    Raises:
        NotFound: There is no such session.
    """
    return RecordedSession(
        session=await store.get_session(key),
        events=await _events(store, key),
        calls=await _calls(store, key),
        feedback=await _all(lambda page: store.list_feedback(key, page)),
        hidden=hidden,
    )


async def _events(store: Store, key: SessionKey) -> list[SessionEvent]:
    found: list[SessionEvent] = []
    while more := await store.read_events(key, found[-1].sequence if found else 0, _PAGE):
        found += more
    return found


async def _calls(store: Store, key: SessionKey) -> list[ModelCall]:
    """Return the ledger; before a fork's, that of its source, whose turns keep their ids."""
    own = await _all(lambda page: _named_prompts(store, key, page))
    session = await store.get_session(key)
    if not session.forked_from_turn_id:
        return own
    source = SessionKey(key.tenant, session.forked_from_session_id)
    try:
        return await _calls(store, source) + own
    except NotFound:  # erased meanwhile
        return own


async def _named_prompts(store: Store, key: SessionKey, page: Page) -> tuple[list[ModelCall], str]:
    """Return a page of the ledger; prompts, which are only compared, are there by their digests."""
    found, token = await store.list_ledger(key, page)
    named = [
        replace(each, call=replace(each.call, input=sha256(each.call.input.encode()).hexdigest()))
        for each in found
    ]
    return named, token


async def _all(read: Callable[[Page], Awaitable[tuple[list[T], str]]]) -> list[T]:
    found: list[T] = []
    token = ""
    while True:
        more, token = await read(Page(size=_PAGE, token=token))
        found += more
        if not token:
            return found
