"""A file of the older dialect as scripts of today, one for each session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from executor_service.scripts.loading.tree import MapNode, Node, to_json
from heartrule.chassis.yaml_text import yaml_text
from heartrule.words.words import say
from heartrule_cli.migration.actions import ActionMigration, Data
from heartrule_cli.migration.older_variables import OlderVariables
from heartrule_cli.migration.reading import Leftovers, OlderMapping

_NO_ID = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class MigratedScript:
    """One script of today."""

    session_id: str
    data: Data

    def text(self, origin: str) -> str:
        """Return it as YAML; `origin` names the file it was made from."""
        return f"# heartrule migrate {origin}\n{yaml_text(self.data)}"


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
        yield MigratedScript(session_id, {"session": _Session(older, leftovers).made(session_id)})
    file.report_unread()


class _Session:
    """One session while it is written anew."""

    def __init__(self, older: OlderMapping, leftovers: Leftovers) -> None:
        self._older = older
        self._leftovers = leftovers
        self._variables = OlderVariables(older.node)
        self._scene_taken: Data = {}

    def made(self, session_id: str) -> Data:
        older = self._older
        named = _filled(session_id=session_id, session_name=older.text("session"))
        declared = [_declaration(each) for each in older.mappings("declare")]
        stages = [
            self._phase(each, number) for number, each in enumerate(older.mappings("stages"), 1)
        ]
        phases = [stage for stage in stages if stage["topics"]]
        older.report_unread()
        return {**named, **self._scene_taken, **_filled(declare=declared), "phases": phases}

    def _phase(self, older: OlderMapping, number: int) -> Data:
        topics: list[Any] = []
        name = older.text("stage")
        for step in older.mappings("steps"):
            if step.get("actions") is None:
                self._scene(step)
            elif topic := self._topic(step, f"topic_{number}_{len(topics) + 1}"):
                topics.append(topic)
            step.report_unread()
        if not topics:
            self._leftovers.add(older.node, say("cli.migrate.no_actions", name=name))
        older.report_unread()
        return {**_filled(phase_id=f"phase_{number}", phase_name=name), "topics": topics}

    def _scene(self, step: OlderMapping) -> None:
        """Take a scene's parties as the script's roles, and its words as its description."""
        scene, ai, human = (step.text(key) for key in ("scene", "ai", "human"))
        if self._scene_taken:
            self._leftovers.add(step.node, say("cli.migrate.second_scene", scene=scene))
            return
        named = {"counsellor": ai, "client": human}
        roles = [{"role": role, "name": name} for role, name in named.items() if name]
        self._scene_taken = _filled(description=scene, roles=roles)

    def _topic(self, step: OlderMapping, topic_id: str) -> Data | None:
        actions = ActionMigration(self._variables, self._leftovers)
        goal = self._variables.in_text(step.text("goal"))
        for each in step.mappings("actions"):
            actions.add(each)
        if not actions.made:
            return None
        named = _filled(topic_id=topic_id, topic_name=goal[:40], topic_goal=goal)
        return {**named, "actions": actions.made}


def _filled(**texts: Any) -> Data:
    """Return the keys that have something."""
    return {key: value for key, value in texts.items() if value}


def _declaration(older: OlderMapping) -> Data:
    made = _filled(var=older.text("var"), define=older.text("define"))
    if (value := older.get("value")) is not None:
        made["value"] = to_json(value)
    older.report_unread()
    return made
