"""The nested document of a thread, as document 003 draws it, made from the rows of the store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace

from executor_service.actions.phase_memory import PhaseMemory
from executor_service.rpc.run_messages import masked_value
from executor_service.rpc.thread_messages import masked_message, of_main_thread
from executor_service.scripts.model.actions import ActionType
from executor_service.threads.thread import Thread
from executor_service.threads.thread_document import print_document
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.conversation import Message
from heartrule.domain.errors import NotReady
from heartrule.domain.keys import SessionKey
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadRole, ThreadSettings
from session_store.ports import Store
from session_store.records import Page
from session_store.records.threads import ThreadContents

LARGEST_DOCUMENT = 16_777_216
"""Bytes of its JSON."""
_PAGE = 500


async def document_of(store: Store, key: SessionKey, thread_id: str, *, masks: bool) -> str:
    """Return the document of a thread as JSON; an empty id: of the main thread.

    With `masks` it holds no text or number that a model or a client may have written.

    Raises:
        NotFound: There is no such thread.
        NotReady: It is too large, reason THREAD_TOO_LARGE.
    """
    if thread_id:
        contents = await store.read_thread_tree(key, thread_id)
        text = _written(_alone(key, contents, masks=masks), ThreadPath((0,)))
    else:
        text = _written(await _main(store, key, masks=masks), MAIN)
    size = len(text.encode())
    if size > LARGEST_DOCUMENT:
        raise NotReady(
            "the document is too large for an answer; read the thread by page",
            reason="THREAD_TOO_LARGE",
            metadata={"bytes": str(size), "max_bytes": str(LARGEST_DOCUMENT)},
        )
    return text


async def main_settings(store: Store, key: SessionKey) -> ThreadSettings:
    """Return the settings of the main thread: what the ai_agent at the session's place remembers.

    Where another action stands, or an agent without phases, they have no phase.
    """
    view = await store.get_plan(key)
    place = view.position.action_instance_id
    agents = (
        PhaseMemory.of(each.memory).settings
        for each in view.plan
        if each.action_instance_id == place and each.action_type == ActionType.AI_AGENT
    )
    return next(agents, None) or ThreadSettings(phase="")


def _written(thread: Thread, path: ThreadPath) -> str:
    document = print_document(thread, path)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


async def _main(store: Store, key: SessionKey, *, masks: bool) -> Thread:
    """Return the conversation with all that is nested in it."""
    numbered = enumerate([each async for each in _standing(store, key)])
    messages = [_as_placeholder(each, number, masks=masks) for number, each in numbered]
    trees = [
        each
        async for top in _outermost(store, key)
        for each in await store.read_thread_tree(key, top)
    ]
    sub_threads = _shown(trees, masks=masks)
    settings = await main_settings(store, key)
    shown = _hidden(settings) if masks else settings
    return Thread.restored(key.session_id, shown, messages, sub_threads)


def _alone(key: SessionKey, contents: Iterable[ThreadContents], *, masks: bool) -> Thread:
    """Return a thread, the first of these, as if its message were all that was said."""
    (top, messages), *below = _shown(contents, masks=masks)
    root = replace(top, parent_thread_id="", depth=1)
    anchor = ThreadMessage(message_id=top.anchor_message_id, role=ThreadRole.BOT, text="")
    settings = ThreadSettings(phase="")
    return Thread.restored(key.session_id, settings, (anchor,), ((root, messages), *below))


def _as_placeholder(message: Message, number: int, *, masks: bool) -> ThreadMessage:
    """Return a message of the main thread; a result has the id of the placeholder it replaced."""
    kept = of_main_thread(message, number)
    shown = masked_message(kept.message) if masks else kept.message
    return replace(shown, message_id=kept.replaces or shown.message_id)


def _shown(
    contents: Iterable[ThreadContents], *, masks: bool
) -> list[tuple[SubThread, tuple[ThreadMessage, ...]]]:
    if not masks:
        return [(each.thread, each.messages) for each in contents]
    return [(_masked(each.thread), tuple(map(masked_message, each.messages))) for each in contents]


def _masked(thread: SubThread) -> SubThread:
    return replace(thread, settings=_hidden(thread.settings))


def _hidden(settings: ThreadSettings) -> ThreadSettings:
    return replace(settings, other=masked_value(settings.other, masks=True))


async def _standing(store: Store, key: SessionKey) -> AsyncIterator[Message]:
    """Yield the messages of the conversation that stand."""
    page: Page | None = Page(size=_PAGE)
    while page:
        found, token = await store.list_main_messages(key, page)
        for each in found:
            yield each
        page = replace(page, token=token) if token else None


async def _outermost(store: Store, key: SessionKey) -> AsyncIterator[str]:
    """Yield the ids of threads nested in messages of the conversation."""
    page: Page | None = Page(size=_PAGE)
    while page:
        found, token = await store.list_threads(key, page)
        for each in found:
            if each.thread.depth == 1:
                yield each.thread.thread_id
        page = replace(page, token=token) if token else None
