"""A run that a server keeps, as a page for a person. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC
from typing import TypeAlias

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from heartrule.domain.runs import NodeFailure, NodeState, RunState, SkipReason
from heartrule.v1 import run_details_pb2, run_pb2, run_request_pb2
from heartrule.wire.enums import members
from heartrule.wire.json_values import read_struct, read_value
from heartrule.wire.message_mapping import from_message
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, Words, say, told
from heartrule_cli.narration.run_narration import failure_text, revision_words, seconds_words
from heartrule_cli.narration.session_texts import value_text
from heartrule_cli.style import Style
from heartrule_cli.text import one_line, table_lines

_Row: TypeAlias = tuple[Said, ...]
_HEAD: _Row = (
    say("cli.run.node"),
    say("cli.run.attempt"),
    say("cli.run.state"),
    say("cli.run.took_head"),
    "",
)
_RUN_STATES = members(RunState, run_pb2.RunState.DESCRIPTOR)
_NODE_STATES = members(NodeState, run_pb2.NodeState.DESCRIPTOR)
_REASONS = members(SkipReason, run_pb2.SkipReason.DESCRIPTOR)


def run_page(
    found: run_request_pb2.GetRunResponse,
    style: Style,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> Iterator[str]:
    """Yield the run, its attempts as a table, what they gave, and its files."""

    def title(code: str) -> str:
        return style.bold(say(code).told(language))

    def table(rows: Iterable[_Row]) -> Iterator[str]:
        return table_lines([tuple(told(each, language) for each in row) for row in rows])

    yield style.bold(say("cli.run.run", id=one_line(found.run.run_id)).told(language))
    yield from table(_facts(found))
    yield ""
    yield title("cli.run.nodes")
    yield from table([_HEAD, *(_row(each, language) for each in found.attempts)])
    outputs = [line for each in found.attempts for line in _output(each)]
    if outputs:
        yield ""
        yield title("cli.run.outputs")
        yield from (f"  {each.told(language)}" for each in outputs)
    if found.artifacts:
        yield ""
        yield title("cli.run.files")
        yield from table(map(_file, found.artifacts))
        yield style.dim(f"  {say('cli.run.read_file').told(language)}")


def _facts(found: run_request_pb2.GetRunResponse) -> Iterator[_Row]:
    """Yield the names and values of the heading's lines."""
    run = found.run
    if run.agent:
        agent, thread = one_line(run.agent), one_line(run.thread_id)
        yield say("cli.run.agent"), say("cli.run.in_thread", agent=agent, thread=thread)
    else:
        yield say("cli.run.workflow"), revision_words(run.workflow_id, run.revision)
    seconds = _took(run, "begin_time", "end_time")
    took = say("cli.run.took", took=seconds) if seconds else ""
    state = say(f"cli.state.{_RUN_STATES.get(run.state, 'unknown')}")
    yield say("cli.run.state"), say("cli.run.in_state", state=state, took=took)
    if run.HasField("failure"):
        yield say("cli.run.failure"), _failure(run.failure)
    if run.HasField("create_time"):
        yield say("cli.run.queued"), _local(run.create_time)
    decision, turn = one_line(run.decision_id), one_line(run.turn_id)
    code = "cli.run.begun_in" if turn else "cli.run.begun_between"
    yield say("cli.run.begun_by"), say(code, decision=decision, turn=turn)
    if run.replaces:
        yield say("cli.run.replaces"), one_line(run.replaces)
    if run.is_trimmed:
        yield say("cli.run.trimmed"), say("cli.run.trimmed_why")
    if found.inputs.fields:
        yield say("cli.run.inputs"), value_text(read_struct(found.inputs))


def _row(attempt: run_details_pb2.NodeAttempt, language: ReaderLanguage) -> _Row:
    notes: list[Said] = []
    if attempt.skip_reason:
        notes.append(say(f"cli.skip.{_REASONS.get(attempt.skip_reason, 'unknown')}"))
    if attempt.HasField("failure"):
        notes.append(_failure(attempt.failure))
    if attempt.failed_conditions:
        edges = tuple(map(one_line, attempt.failed_conditions))
        notes.append(say("cli.run.conditions", edges=edges))
    return (
        one_line(attempt.path),
        str(attempt.attempt or "-"),
        say(f"cli.state.{_NODE_STATES.get(attempt.state, 'unknown')}"),
        _took(attempt, "begin_time", "end_time"),
        say("cli.semicolon").told(language).join(told(each, language) for each in notes),
    )


def _output(attempt: run_details_pb2.NodeAttempt) -> Iterator[Words]:
    node = one_line(attempt.path)
    if attempt.HasField("output"):
        yield say("cli.run.gave", node=node, value=value_text(read_value(attempt.output)))
    elif attempt.output_sha256:
        yield say("cli.run.large", node=node, hash=attempt.output_sha256)


def _file(file: run_details_pb2.RunArtifact) -> _Row:
    place = f"{one_line(file.path)}/{one_line(file.name)}"
    return place, one_line(file.mime_type), say("cli.bytes", size=f"{file.size_bytes:,}")


def _failure(failure: run_details_pb2.NodeFailure) -> str:
    return failure_text(from_message(failure, NodeFailure, lenient=True))


def _took(timed: Message, begin: str, end: str) -> Said:
    if not (timed.HasField(begin) and timed.HasField(end)):
        return ""
    return seconds_words(getattr(timed, begin).ToDatetime(), getattr(timed, end).ToDatetime())


def _local(moment: Timestamp) -> str:
    return moment.ToDatetime(tzinfo=UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
