"""What came of a run that ended here: for people, and as one JSON document. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import NodeState, RunProgress
from heartrule.domain.workflows import Workflow
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, say
from heartrule_cli.narration.run_narration import failure_text, seconds_words
from heartrule_cli.narration.session_texts import value_text
from heartrule_cli.style import Style
from heartrule_cli.text import one_line
from session_store.records.kept_runs import KeptArtifact, KeptNode, KeptRun, RunDetails

# Of the shape of the JSON; it changes when a key goes or means something else.
JSON_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A run that ended, and where its files were written."""

    details: RunDetails
    progress: RunProgress
    written: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Paths on this machine by node and name; empty: nothing was written."""

    @property
    def outputs(self) -> Mapping[str, JsonValue]:
        """Return what the last nodes gave, by their ids."""
        workflow, nodes = self.progress.workflow, self.progress.nodes
        return {
            node_id: nodes[node_id].output
            for node_id in _last_nodes(workflow)
            if self.progress.state(node_id) is NodeState.COMPLETED
        }


def report_text(
    report: RunReport, style: Style, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> Iterator[str]:
    """Yield the end of the run, what its last nodes gave, and its files."""
    run = report.details.run
    took: Said = ""
    if run.begin_time is not None and run.end_time is not None:
        took = say("cli.run.took", took=seconds_words(run.begin_time, run.end_time))
    ended = say("cli.run.ended", state=say(f"cli.state.{run.state}"), took=took)
    yield style.bold(ended.told(language))
    if run.failure is not None:
        yield f"  {failure_text(run.failure)}"
    for node_id, output in report.outputs.items():
        gave = say("cli.run.gave", node=one_line(node_id), value=value_text(output))
        yield f"  {gave.told(language)}"
    for file in report.details.artifacts:
        path = report.written.get((file.path, file.name))
        wrote = say(
            "cli.run.wrote",
            node=one_line(file.path),
            name=one_line(file.name),
            kind=file.mime_type,
            size=f"{file.size:,}",
            place=say("cli.run.wrote_to", path=one_line(path)) if path else "",
        )
        yield f"  {wrote.told(language)}"
    if report.details.artifacts and not report.written:
        yield style.dim(f"  {say('cli.run.keep_files').told(language)}")


def report_json(report: RunReport) -> str:
    """Return one document; docs/how-to/run-a-workflow.md describes its keys."""
    run, progress = report.details.run, report.progress
    document = {
        "version": JSON_VERSION,
        "workflow": run.workflow_id,
        "state": run.state,
        "seconds": _seconds(run),
        "failure": asdict(run.failure) if run.failure else None,
        "inputs": dict(report.details.inputs),
        "outputs": dict(report.outputs),
        "nodes": {
            path: {"state": each.state, "output": each.output}
            for path, each in progress.nodes.items()
        },
        "attempts": [_attempt(each) for each in report.details.nodes],
        "artifacts": [_artifact(each, report.written) for each in report.details.artifacts],
    }
    # ASCII: what a node gave cannot steer a terminal.
    return json.dumps(document, indent=2)


def _last_nodes(workflow: Workflow) -> tuple[str, ...]:
    sources = {edge.source for edge in workflow.edges}
    return tuple(each.node_id for each in workflow.nodes if each.node_id not in sources)


def _seconds(timed: KeptRun | KeptNode) -> float | None:
    if timed.begin_time is None or timed.end_time is None:
        return None
    return round((timed.end_time - timed.begin_time).total_seconds(), 3)


def _attempt(node: KeptNode) -> Mapping[str, JsonValue]:
    record = node.record
    return {
        "path": record.path,
        "attempt": record.attempt,
        "state": record.state,
        "skip_reason": record.skip_reason,
        "seconds": _seconds(node),
        "failure": asdict(record.failure) if record.failure else None,
        "failed_conditions": list(record.failed_conditions),
    }


def _artifact(
    file: KeptArtifact, written: Mapping[tuple[str, str], str]
) -> Mapping[str, JsonValue]:
    return {
        "path": file.path,
        "name": file.name,
        "mime_type": file.mime_type,
        "size_bytes": file.size,
        "sha256": file.sha256,
        "file": written.get((file.path, file.name)),
    }
