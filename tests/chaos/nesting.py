"""The rules about threads: each ends, nothing said in one is lost or doubled, nothing dangles."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping

from heartrule.domain.threads import ENDED_THREADS
from tests.chaos.evidence import Evidence
from tests.chaos.thread_dump import ThreadMessageRow, ThreadRow

_CHANGED, _SAID = "thread_changed", "thread_message_added"


def threads_end(e: Evidence) -> Iterator[str]:
    """No thread is left undone, and a message has one thread at most."""
    threads = _threads(e)
    for each in threads:
        if each.state not in ENDED_THREADS:
            yield f"{each.thread_id} was left {each.state}"
    places = Counter((each.parent_thread_id, each.anchor_message_id) for each in threads)
    for (_, message_id), times in places.items():
        if times > 1:
            yield f"{message_id} has {times} threads"


def no_placeholder_is_left(e: Evidence) -> Iterator[str]:
    """A message took the place of each placeholder, in the conversation and inside threads."""
    for each in e.dump.placeholders:
        if each.session_id == e.session_id and not each.is_replaced:
            yield f"nothing took the place of {each.message_id}"
    names = {each.thread_id for each in _threads(e)}
    for said in _messages(e):
        if said.thread_id in names and said.is_placeholder and not said.replaced_by:
            yield f"nothing took the place of {said.message_id} in {said.thread_id}"
    for thread in _threads(e):
        if not (thread.parent_thread_id or thread.is_shown):
            yield f"the result of {thread.thread_id} is not shown"


def said_in_threads_once(e: Evidence) -> Iterator[str]:
    """A thread's message is told once and kept as told; those that stand count from 0."""
    told = Counter(
        (str(body["thread_id"]), str(body["message_id"]), int(body.get("number", 0)))
        for row in e.events
        if row.kind == _SAID and (body := json.loads(row.body))
    )
    kept = {(each.thread_id, each.message_id, each.number) for each in _messages(e)}
    for (thread_id, message_id, _), times in told.items():
        if times > 1:
            yield f"{message_id} of {thread_id} was told {times} times"
    for thread_id, message_id, number in sorted(kept ^ set(told)):
        yield f"{message_id} is number {number} of {thread_id} and was not told so, or is not kept"
    numbers = defaultdict(list)
    for each in _messages(e):
        if not each.replaced_by:
            numbers[each.thread_id].append(each.number)
    for thread_id, found in numbers.items():
        if found != list(range(len(found))):
            yield f"the messages of {thread_id} are numbered {found}"


def threads_are_told_as_kept(e: Evidence) -> Iterator[str]:
    """The last state told of a thread is its row's, and nothing of it is told behind its end."""
    last: dict[str, str] = {}
    for row in e.events:
        if row.kind not in (_CHANGED, _SAID):
            continue
        body = json.loads(row.body)
        thread_id = str(body["thread_id"])
        if last.get(thread_id) in ENDED_THREADS:
            yield f"{thread_id} had ended, and {row.kind} was told"
        if row.kind == _CHANGED:
            last[thread_id] = str(body["state"])
    for each in _threads(e):
        if last.get(each.thread_id) != each.state:
            yield f"{each.thread_id} is {each.state}, and {last.get(each.thread_id)} was told"


OF_THREADS: Mapping[str, Callable[[Evidence], Iterator[str]]] = {
    "threads end": threads_end,
    "no placeholder is left": no_placeholder_is_left,
    "said in threads once": said_in_threads_once,
    "threads are told as kept": threads_are_told_as_kept,
}


def _threads(e: Evidence) -> list[ThreadRow]:
    return [each for each in e.dump.threads if each.session_id == e.session_id]


def _messages(e: Evidence) -> list[ThreadMessageRow]:
    return [each for each in e.dump.thread_messages if each.session_id == e.session_id]
