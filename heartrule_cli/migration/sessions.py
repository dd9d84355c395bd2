"""A file of the older dialect as scripts of today, one for each session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from executor_service.scripts.loading.tree import MapNode, Node, to_json
from heartrule_cli.migration.actions import ActionMigration, Data
from heartrule_cli.migration.reading import Leftovers, OlderMapping

_NO_ID = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class MigratedScript:
    """One script of today."""

    session_id: str
    data: Data

    def text(self, origin: str) -> str:
        """Return it as YAML; `origin` names the file it was made from."""
        made = yaml.dump(self.data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)
        return f"# heartrule migrate {origin}\n{made}"


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as such."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def migrated(root: Node, leftovers: Leftovers) -> Iterator[MigratedScript]:
    """Yield a script for each session of a file; `leftovers` gets what has no counterpart."""
    if not isinstance(root, MapNode) or "sessions" not in root.entries:
        return
    file, taken = OlderMapping(root, leftovers), set[str]()
    for number, older in enumerate(file.mappings("sessions"), start=1):
        name = older.text("session")
        session_id = _NO_ID.sub("_", name).strip("_") or f"session_{number}"
        if session_id in taken:
            session_id = f"{session_id}_{number}"
        taken.add(session_id)
        yield MigratedScript(session_id, {"session": _session(older, session_id, leftovers)})
    file.report_unread()


def _session(older: OlderMapping, session_id: str, leftovers: Leftovers) -> Data:
    session: Data = {"session_id": session_id, "session_name": older.text("session")}
    declared = [_declaration(each) for each in older.mappings("declare")]
    stages = [
        _phase(each, number, session, leftovers)
        for number, each in enumerate(older.mappings("stages"), start=1)
    ]
    if declared:
        session["declare"] = declared
    session["phases"] = [stage for stage in stages if stage["topics"]]
    older.report_unread()
    return session


def _declaration(older: OlderMapping) -> Data:
    made: Data = {"var": older.text("var")}
    if define := older.text("define"):
        made["define"] = define
    if (value := older.get("value")) is not None:
        made["value"] = to_json(value)
    older.report_unread()
    return made


def _phase(older: OlderMapping, number: int, session: Data, leftovers: Leftovers) -> Data:
    topics: list[Any] = []
    phase = {"phase_id": f"phase_{number}", "phase_name": older.text("stage"), "topics": topics}
    for step in older.mappings("steps"):
        if step.get("actions") is None:
            _scene(step, session, leftovers)
        elif topic := _topic(step, f"topic_{number}_{len(topics) + 1}", leftovers):
            topics.append(topic)
        step.report_unread()
    if not topics:
        leftovers.add(older.node, f"the stage 「{phase['phase_name']}」 has no actions; left out")
    older.report_unread()
    return phase


def _scene(step: OlderMapping, session: Data, leftovers: Leftovers) -> None:
    """Take a scene's parties as the script's roles, and its words as its description."""
    scene, ai, human = (step.text(key) for key in ("scene", "ai", "human"))
    if "roles" in session or "description" in session:
        leftovers.add(step.node, f"a second scene 「{scene}」 was left out: roles hold throughout")
        return
    if scene:
        session["description"] = scene
    named = {"counsellor": ai, "client": human}
    roles = [{"role": role, "name": name} for role, name in named.items() if name]
    if roles:
        session["roles"] = roles


def _topic(step: OlderMapping, topic_id: str, leftovers: Leftovers) -> Data | None:
    actions = ActionMigration(leftovers)
    goal = step.text("goal")
    for each in step.mappings("actions"):
        actions.add(each)
    if not actions.made:
        return None
    named = {"topic_name": goal[:40], "topic_goal": goal} if goal else {}
    return {"topic_id": topic_id, **named, "actions": actions.made}
