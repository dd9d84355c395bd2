"""Threads as one nested document in memory, changed plainly, to hold the aggregate against.

It shares no code with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]


class NaiveThreads:
    """A document of a main thread; beside it who runs, and which messages are placeholders."""

    def __init__(self, phase: str) -> None:
        self.document: Node = {"id": "main", "messages": [], "settings": _settings(phase)}
        self.placeholders: set[str] = set()
        self.phases: dict[str, str] = {}
        self.states: dict[str, str] = {}

    def threads(self) -> list[tuple[str, Node]]:
        """Return every thread with its path, the main one first."""
        return list(_below("", self.document))

    def at(self, path: str) -> Node | None:
        """Return the thread at a path; None: there is none."""
        return dict(self.threads()).get(path)

    def is_open(self, path: str) -> bool:
        """Return whether a thread may be changed."""
        return path == "" or self.states[self.id_at(path)] == "running"

    def id_at(self, path: str) -> str:
        """Return a sub-thread's id."""
        node = self.at(path)
        assert node is not None
        return str(node["id"])

    def append(self, path: str, message: Node, *, is_placeholder: bool) -> None:
        """Write a message at the end of a thread."""
        node = self.at(path)
        assert node is not None
        node["messages"].append(message)
        self.phases[message["id"]] = node["settings"]["briefStatus"]["phase"]
        if is_placeholder:
            self.placeholders.add(message["id"])

    def nest(self, path: str, number: int, thread_id: str) -> None:
        """Open a thread in a message."""
        message = self.message(path, number)
        inner = {"id": thread_id, "messages": [], "settings": _settings("initial_phase")}
        message.setdefault("meta", {})["_thread"] = inner
        self.states[thread_id] = "running"

    def message(self, path: str, number: int) -> Node:
        """Return a message."""
        node = self.at(path)
        assert node is not None
        found: Node = node["messages"][number]
        return found

    def replace(self, path: str, number: int, text: str) -> None:
        """Put a result in the place of a placeholder."""
        message = self.message(path, number)
        message["text"] = text
        self.placeholders.discard(message["id"])

    def runs_in(self, message: Node) -> bool:
        """Return whether a thread nested in a message runs, or one in that."""
        return any(self.states[each["id"]] == "running" for each in _inside(message))

    def remove(self, path: str, number: int) -> None:
        """Take out a message with all that is in it."""
        node = self.at(path)
        assert node is not None
        self._forget(node["messages"].pop(number))

    def cut(self, path: str, number: int) -> None:
        """Go back to a message of the user."""
        node = self.at(path)
        assert node is not None
        while len(node["messages"]) > number + 1:
            self._forget(node["messages"].pop())
        phase = self.phases[node["messages"][number]["id"]]
        node["settings"] = _settings(phase)

    def finish(self, path: str, state: str) -> None:
        """End a thread; what runs in it is cancelled."""
        node = self.at(path)
        assert node is not None
        for message in node["messages"]:
            for inner in _inside(message):
                if self.states[inner["id"]] == "running":
                    self.states[inner["id"]] = "cancelled"
        self.states[node["id"]] = state

    def _forget(self, message: Node) -> None:
        for inner in _inside(message):
            del self.states[inner["id"]]


def _settings(phase: str) -> Node:
    return {"briefStatus": {"phase": phase}}


def _below(path: str, node: Node) -> Iterator[tuple[str, Node]]:
    yield path, node
    for number, message in enumerate(node["messages"]):
        inner = message.get("meta", {}).get("_thread")
        if inner is not None:
            here = f"messages.{number}.meta._thread"
            yield from _below(f"{path}.{here}" if path else here, inner)


def _inside(message: Node) -> list[Node]:
    inner = message.get("meta", {}).get("_thread")
    return [] if inner is None else [node for _, node in _below("", inner)]
