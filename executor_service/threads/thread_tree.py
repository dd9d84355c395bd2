"""The threads of a conversation as they are nested, to be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from executor_service.threads.thread_nodes import ThreadNode, folded
from executor_service.threads.thread_path import ThreadPath
from heartrule.domain.errors import NotFound, RevisionConflict
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedThread:
    """A thread as it is now, to be read where it was extracted; no function takes one (R23)."""

    thread_id: str
    """Empty: the main thread."""
    settings: ThreadSettings
    messages: tuple[ThreadMessage, ...]
    sub_thread: SubThread | None
    """None: the main thread."""


class ThreadTree:
    """The main thread and those nested in it; what changes them is `Thread`."""

    def __init__(self, thread_id: str, settings: ThreadSettings) -> None:
        """Begin without messages."""
        self.thread_id = thread_id
        self._main = ThreadNode(settings)
        self._subs: dict[str, ThreadNode] = {}

    @property
    def messages(self) -> tuple[ThreadMessage, ...]:
        """Those of the main thread that stand."""
        return tuple(self._main.messages)

    def id_at(self, path: ThreadPath, thread_id: str = "") -> str:
        """Return the id of the thread a path leads to; empty: the main thread.

        Raises:
            NotFound: It leads to a message that is not there, or that has no thread.
            RevisionConflict: It leads to another thread than `thread_id`, reason THREAD_MOVED.
        """
        found = self._node(path).thread_id
        if thread_id not in ("", found):
            raise RevisionConflict(
                "the path leads to another thread than the id",
                reason="THREAD_MOVED",
                metadata={"path": str(path), "thread_id": thread_id},
            )
        return found

    def resolve(self, path: ThreadPath, thread_id: str = "") -> ExtractedThread:
        """Return the thread a path leads to; errors as `id_at`."""
        self.id_at(path, thread_id)
        node = self._node(path)
        header = replace(node.header, settings=node.settings) if node.header else None
        return ExtractedThread(
            thread_id=node.thread_id,
            settings=node.settings,
            messages=tuple(node.messages),
            sub_thread=header,
        )

    def nested_in(self, path: ThreadPath, message_id: str) -> SubThread | None:
        """Return the thread nested in a message; None: there is none."""
        nested = self._node(path).nested.get(message_id)
        return None if nested is None else self.sub_thread(nested)

    def sub_thread(self, thread_id: str) -> SubThread:
        """Return a sub-thread without its messages; NotFound where there is none of that id."""
        node = self._by_id(thread_id)
        if node.header is None:
            raise NotFound("thread", thread_id)
        return replace(node.header, settings=node.settings)

    def sub_threads(self) -> tuple[SubThread, ...]:
        """Return all of them without their messages, in the order in which they were opened."""
        return tuple(self.sub_thread(thread_id) for thread_id in self._subs)

    def path_of(self, thread_id: str) -> ThreadPath:
        """Return where a thread is now; NotFound where there is none of that id."""
        numbers: list[int] = []
        header = self._by_id(thread_id).header
        while header is not None:
            above = self._by_id(header.parent_thread_id)
            numbers.append(above.place(header.anchor_message_id))
            header = above.header
        return ThreadPath(tuple(reversed(numbers)))

    def settings_of(self, thread_id: str) -> ThreadSettings:
        """Return the settings of the main thread or a sub-thread; NotFound as `path_of`."""
        return self._by_id(thread_id).settings

    # --- within ----------------------------------------------------------------------------------

    def _node(self, path: ThreadPath) -> ThreadNode:
        node = self._main
        for number in path.numbers:
            message = node.messages[number] if 0 <= number < len(node.messages) else None
            nested = node.nested.get(message.message_id) if message else None
            if nested is None:
                raise NotFound("thread", str(path))
            node = self._subs[nested]
        return node

    def _by_id(self, thread_id: str) -> ThreadNode:
        if thread_id in ("", self.thread_id):
            return self._main
        if thread_id not in self._subs:
            raise NotFound("thread", thread_id)
        return self._subs[thread_id]

    def _fill(self, node: ThreadNode, rows: Iterable[ThreadMessage]) -> None:
        for message in folded(rows):
            node.append(message)

    def _nest(self, above: ThreadNode, header: SubThread) -> ThreadNode:
        node = ThreadNode(header.settings, header)
        above.nested[header.anchor_message_id] = header.thread_id
        self._subs[header.thread_id] = node
        return node

    def _all_below(self, node: ThreadNode, message_ids: Iterable[str]) -> tuple[str, ...]:
        """Return the threads in these messages, and in those of theirs."""
        found = [node.nested[each] for each in message_ids if each in node.nested]
        for thread_id in found:
            found += self._subs[thread_id].nested.values()
        return tuple(found)

    def _forget(self, thread_ids: Iterable[str]) -> None:
        for each in thread_ids:
            del self._subs[each]
