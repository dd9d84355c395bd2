"""What the texts of an agent in YAML read, and what its phases yield.

Texts of the agent's files are templates, filled in one pass; what a client or a model said is a
value in them, and is never scanned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from executor_service.scripts.agents.agent_files import WrittenAgent
from executor_service.scripts.model.agent_file import MATERIAL, REQUEST, SNAPSHOT_NAMES, AgentOutput
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.domain.threads import ThreadSettings
from heartrule.model.quoting import continued
from heartrule.model.reply.convert import Unconvertible, convert
from heartrule.model.reply.decode import UnreadableReply, decode_object
from heartrule.model.template_filling import fill, placeholders

INPUT = "input"
"""The key of a thread's request that holds what its agent takes, by name."""
TEXT = "text"
"""The key of a thread's request that holds the words it was opened with."""
_VALUES = "values"
"""The key of a thread's settings that holds what its phases have yielded."""
_SNAPSHOT = "snapshot"
"""What a decision's sub-agent is told of the talk, beside its task."""
_ANSWERS = "answers"
"""The key of a main thread's settings that holds how many answers its phases had."""
_CONTENT = "content"
_OBJECT = re.compile(r'\{\s*"')


def request_of(task: Task, thread: Thread) -> Mapping[str, JsonValue]:
    """Return what the task's thread was opened for; in the main thread, what the task asks for."""
    header = thread.resolve(task.path, task.meta.thread_id).sub_thread
    if header is not None:
        return header.request
    return task.meta.original_query or task.request()


def readable(agent: WrittenAgent, task: Task, thread: Thread) -> dict[str, JsonValue]:
    """Return what texts may read: inputs, values of earlier phases, the request, the sources."""
    request = request_of(task, thread)
    given = request.get(INPUT)
    inputs = given if isinstance(given, Mapping) else {}
    taken = {each.name: inputs.get(each.name, each.default) for each in agent.file.input}
    settings = thread.settings_of(task.thread_id(thread))
    material: list[JsonValue] = [
        {"name": name, "text": text} for name, text in sorted(agent.sources.items())
    ]
    told = task.meta.other.get(_SNAPSHOT)
    snapshot = told if isinstance(told, Mapping) else {}
    own = {REQUEST: request.get(TEXT, ""), MATERIAL: material}
    own |= {name: snapshot.get(name) for name in SNAPSHOT_NAMES}
    return {**taken, **values_of(settings), **own}


def values_of(settings: ThreadSettings) -> Mapping[str, JsonValue]:
    """Return what the phases of a thread have yielded so far."""
    found = settings.other.get(_VALUES)
    return found if isinstance(found, Mapping) else {}


def keep_values(task: Task, thread: Thread, values: Mapping[str, JsonValue]) -> None:
    """Keep what a phase yields in its thread's settings, to be written with the next message."""
    if not values:
        return
    repository = task.host_utils.thread_repository
    settings = repository.get_thread_settings(task.thread_id(thread))
    kept: dict[str, JsonValue] = {**values_of(settings), **values}
    changed = replace(settings, other={**settings.other, _VALUES: kept})
    repository.update_thread_settings(thread, changed, task.path)


def count_answer(task: Task, thread: Thread) -> int:
    """Note one more answer in the phase of a main thread; return how many it had before.

    It is kept in the thread's settings: messages of a main thread do not know their phases.
    """
    repository = task.host_utils.thread_repository
    settings = repository.get_thread_settings(task.thread_id(thread))
    found = settings.other.get(_ANSWERS)
    counts: dict[str, JsonValue] = dict(found) if isinstance(found, Mapping) else {}
    before = counts.get(settings.phase)
    given = before if isinstance(before, int) else 0
    counts[settings.phase] = given + 1
    changed = replace(settings, other={**settings.other, _ANSWERS: counts})
    repository.update_thread_settings(thread, changed, task.path)
    return given


def filled(text: str, values: Mapping[str, JsonValue]) -> str:
    """Return a text that is said, its placeholders replaced."""
    return fill(text, {}, values).text


def filled_prompt(text: str, values: Mapping[str, JsonValue]) -> str:
    """Return a prompt; no line of a value can pass for one of the prompt's own."""
    return fill(text, {}, values, written=continued).text


def handed(
    written: Mapping[str, JsonValue], values: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Return what a nested thread's agent is handed.

    A text that is one placeholder alone stands for the value itself, others are filled.
    """
    return {name: _handed(each, values) for name, each in written.items()}


def _handed(written: JsonValue, values: Mapping[str, JsonValue]) -> JsonValue:
    if not isinstance(written, str):
        return written
    found = placeholders(written)
    if len(found) == 1 and written.strip() in {f"{{{found[0].name}}}", f"${{{found[0].name}}}"}:
        return values.get(found[0].name)
    return filled(written, values)


def lines_of(value: JsonValue) -> tuple[str, ...]:
    """Return the lines of a text, or the items of a list, that are not blank."""
    items = value if isinstance(value, list | tuple) else str(value or "").splitlines()
    return tuple(text for text in (str(each).strip() for each in items) if text)


def read_outputs(
    outputs: Sequence[AgentOutput], answer: str
) -> tuple[str, Mapping[str, JsonValue]]:
    """Return what is said of an answer, and what it yields.

    One output of type text is the whole answer. Else the answer is a JSON object, with what is said
    under `content`; where there is none, or a value does not convert, that output stays away.
    """
    if not outputs:
        return answer, {}
    if len(outputs) == 1 and outputs[0].type is OutputType.TEXT:
        return answer, {outputs[0].get: answer.strip()}
    found = _object_in(answer)
    said = found.get(_CONTENT)
    values = {each.get: _converted(found.get(each.get), each) for each in outputs}
    known = {name: value for name, value in values.items() if value is not None}
    return said if isinstance(said, str) and said.strip() else answer, known


def _object_in(answer: str) -> Mapping[str, JsonValue]:
    begin = _OBJECT.search(answer)
    try:
        return decode_object(answer, begin.start()).value if begin else {}
    except UnreadableReply:
        return {}


def _converted(value: JsonValue, output: AgentOutput) -> JsonValue:
    if value is None:
        return None
    made = convert(value, output.type, output.options)
    return None if isinstance(made, Unconvertible) else made
