"""Reads scene files; they are played as `heartrule rehearse` plays a conversation."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from executor_service.scripts.loading.bundle import completed, make_bundle
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.tree import to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings
from heartrule_cli.rehearsal.conversation_file import read_conversation
from heartrule_cli.rehearsal.harness import ScriptUnderTest
from heartrule_cli.rehearsal.outcome import Difference
from heartrule_cli.rehearsal.shapes import CONVERSATION, EXPECT
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from tests.support.shipped_files import shipped_installation

READERS = ("executor_service.actions.reply_diagnosis", "monitor_service.json_call")
"""Loggers whose lines a scene may expect."""
# A scene holds its script too, and what it shows; the rest is what authors write.
SCENE = replace(CONVERSATION, keys=(*CONVERSATION.keys, "shows", "script", "files"))
SCENE_EXPECT = replace(EXPECT, keys=(*EXPECT.keys, "log"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A conversation together with its script."""

    conversation: WrittenConversation
    script: ScriptUnderTest


def load_scene(path: Path) -> Scene:
    """Return a scene; a key the format does not have is an error."""
    data, findings = path.read_bytes(), Findings(path.name)
    conversation = read_conversation(data, findings, shape=SCENE, expect=SCENE_EXPECT)
    assert conversation is not None, [str(finding) for finding in findings.sorted()]
    document = read_yaml(data, findings)
    assert document is not None
    written = to_json(document.root)
    assert isinstance(written, dict)
    script, files = written["script"], written.get("files", {})
    assert isinstance(script, str)
    assert isinstance(files, dict)
    beside = {name: str(text) for name, text in files.items()}
    return Scene(conversation=conversation, script=script_under_test(script, beside))


def script_under_test(script: str, files: Mapping[str, str] | None = None) -> ScriptUnderTest:
    """Return a script that can be played, with the files beside it."""
    beside = {path: text.encode() for path, text in (files or {}).items()}
    bundle = make_bundle({"script.yaml": script.encode(), **beside})
    loaded = load_script(bundle.files, environment=shipped_installation().environment)
    assert loaded.script is not None, [str(finding) for finding in loaded.findings]
    return ScriptUnderTest(script=loaded.script, bundle=completed(bundle, loaded.added))


def lines(records: Sequence[logging.LogRecord]) -> list[list[str]]:
    """Return level and strategy of each line a reader of replies wrote."""
    ours = [record for record in records if record.name in READERS]
    return [[record.levelname, str(getattr(record, "strategy", ""))] for record in ours]


def told(found: Sequence[Difference]) -> list[str]:
    """Return differences as a failing test shows them."""
    return [
        f"line {each.spot.line}, turn {each.turn} {each.path}: "
        + str(each.message or f"expected {each.expected}, got {each.got!r}")
        for each in found
    ]
