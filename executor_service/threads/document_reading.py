"""Reading the nested document of a thread into an aggregate; nothing of a wrong one is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from executor_service.threads.thread import Thread
from executor_service.threads.thread_document import PHASE, STATUS, SUGGESTION, THREAD
from executor_service.threads.thread_errors import InvalidThreadDocument
from executor_service.threads.thread_nodes import LONGEST_MESSAGE
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.ids import new_id
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import (
    DEEPEST_THREAD,
    SubThread,
    ThreadMessage,
    ThreadRole,
    ThreadSettings,
    ThreadState,
)

MOST_MESSAGES = 5_000
"""Messages of a document, those of nested threads counted."""
_DEEPEST_VALUE = 50
_OBJECT, _TEXT = "an object stands here", "a text that is not empty stands here"


def read_document(
    document: object,
    *,
    make_id: Callable[[str], str] = new_id,
    phases: Collection[str] | None = None,
) -> Thread:
    """Return the aggregate of a document; its nested threads are running.

    Args:
        document: The document of a main thread, as `print_document` prints it.
        make_id: Makes the ids of threads that have none.
        phases: The phases that may be suggested; None: any.

    Raises:
        InvalidThreadDocument: Something in it is none of that; the violation names the place.
    """
    return _Reading(make_id, phases).read(document)


class _Reading:
    """One reading, which knows what it has met."""

    def __init__(self, make_id: Callable[[str], str], phases: Collection[str] | None) -> None:
        self._make_id, self._phases = make_id, phases
        self._open: list[int] = []
        self._seen: set[str] = set()
        self._count = 0

    def read(self, document: object) -> Thread:
        root = _mapping(document, "")
        thread_id = _text(root["id"], "id") if "id" in root else self._make_id("thread")
        thread = Thread(thread_id, self._settings(root, ""))
        self._fill(thread, MAIN, root, "")
        thread.saved(thread.unsaved)
        return thread

    def _fill(
        self, thread: Thread, path: ThreadPath, node: Mapping[str, object], place: str
    ) -> None:
        if id(node) in self._open:
            raise InvalidThreadDocument(place, "a thread is nested in itself")
        if path.depth > DEEPEST_THREAD:
            problem = f"threads are nested at most {DEEPEST_THREAD} deep"
            raise InvalidThreadDocument(place, problem)
        self._open.append(id(node))
        messages = node.get("messages")
        if isinstance(messages, str) or not isinstance(messages, Sequence):
            raise InvalidThreadDocument(_at(place, "messages"), "a list stands here")
        for number, written in enumerate(messages):
            self._message(thread, path, written, _at(place, f"messages.{number}"))
        self._open.pop()

    def _message(self, thread: Thread, path: ThreadPath, written: object, place: str) -> None:
        self._count += 1
        if self._count > MOST_MESSAGES:
            problem = f"a document has at most {MOST_MESSAGES} messages"
            raise InvalidThreadDocument(place, problem)
        message = _mapping(written, place)
        message_id = _text(message.get("id"), _at(place, "id"))
        if message_id in self._seen:
            raise InvalidThreadDocument(_at(place, "id"), "two messages have this id")
        self._seen.add(message_id)
        meta = _mapping(message.get("meta", {}), _at(place, "meta"))
        own = {key: each for key, each in meta.items() if key != THREAD}
        appended = thread.append(
            path,
            ThreadMessage(
                message_id=message_id,
                role=_role(message.get("role"), _at(place, "role")),
                text=_any_text(message.get("text"), _at(place, "text")),
                meta={key: _json(own[key], _at(place, f"meta.{key}")) for key in own},
            ),
        )
        if THREAD in meta:
            below = _at(place, f"meta.{THREAD}")
            self._nested(thread, path, appended.message, _mapping(meta[THREAD], below))

    def _nested(
        self,
        thread: Thread,
        path: ThreadPath,
        anchor: ThreadMessage,
        node: Mapping[str, object],
    ) -> None:
        inner = path.below(anchor.number)
        place = str(inner)
        if inner.depth > DEEPEST_THREAD or id(node) in self._open:
            self._fill(thread, inner, node, place)
        given = _text(node["id"], _at(place, "id")) if "id" in node else self._make_id("thread")
        sub_thread = SubThread(
            thread_id=given,
            parent_thread_id="",
            anchor_message_id=anchor.message_id,
            depth=inner.depth,
            agent="",
            state=ThreadState.RUNNING,
            settings=self._settings(node, place),
        )
        thread.nest(path, anchor.message_id, sub_thread)
        self._fill(thread, inner, node, place)

    def _settings(self, node: Mapping[str, object], place: str) -> ThreadSettings:
        at = _at(place, "settings")
        settings = _mapping(node.get("settings"), at)
        status = _mapping(settings.get(STATUS), _at(at, STATUS))
        phase = _text(status.get(PHASE), _at(at, f"{STATUS}.{PHASE}"))
        suggested = self._suggested(settings, _at(at, SUGGESTION))
        names = [key for key in settings if key not in {STATUS, SUGGESTION}]
        other = {key: _json(settings[key], _at(at, key)) for key in names}
        besides = {key: _json(status[key], _at(at, key)) for key in status if key != PHASE}
        if besides:
            other[STATUS] = besides
        return ThreadSettings(phase=phase, suggested_phase=suggested, other=other)

    def _suggested(self, settings: Mapping[str, object], place: str) -> str | None:
        if SUGGESTION not in settings:
            return None
        suggested = _text(_mapping(settings[SUGGESTION], place).get(PHASE), _at(place, PHASE))
        if self._phases is not None and suggested not in self._phases:
            raise InvalidThreadDocument(_at(place, PHASE), "no phase of that name is known")
        return suggested


def _at(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _mapping(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidThreadDocument(place, _OBJECT)
    return value


def _text(value: object, place: str) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidThreadDocument(place, _TEXT)
    return value


def _any_text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise InvalidThreadDocument(place, "a text stands here")
    if len(value) > LONGEST_MESSAGE:
        raise InvalidThreadDocument(place, f"a text has at most {LONGEST_MESSAGE} characters")
    return value


def _role(value: object, place: str) -> ThreadRole:
    if not isinstance(value, str) or value not in set(ThreadRole):
        raise InvalidThreadDocument(place, "user or bot stands here")
    return ThreadRole(value)


def _json(value: object, place: str, depth: int = 0) -> JsonValue:
    """Return a copy of a value that JSON can hold."""
    if depth > _DEEPEST_VALUE:
        raise InvalidThreadDocument(place, "a value is nested too deep, or in itself")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        items = _mapping(value, place).items()
        return {key: _json(each, place, depth + 1) for key, each in items}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_json(each, place, depth + 1) for each in value]
    raise InvalidThreadDocument(place, "a value is none that JSON has")
