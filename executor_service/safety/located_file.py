"""Reads a data file of the crisis path by its model; each fault has its file, line and column."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from executor_service.scripts.loading.tree import ListNode, MapNode, Node, to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import At, Findings, Spot


class Strict(BaseModel):
    """A part of a data file: unknown keys are faults, and numbers are not taken for text."""

    model_config = ConfigDict(extra="forbid", frozen=True)


T = TypeVar("T", bound=BaseModel)


class LocatedFile:
    """A file's tree, its findings, and the places of its values."""

    def __init__(self, path: Path, *, name: str) -> None:
        """Read `path`; `name` stands for it in findings."""
        self.findings = Findings(name)
        self._root: Node | None = None
        try:
            data = path.read_bytes()
        except OSError as error:
            self.findings.error(At(), f"cannot be read: {error.strerror}")
            return
        document = read_yaml(data, self.findings, begins="a file of the crisis path has keys")
        self._root = None if document is None else document.root

    def parsed(self, model: type[T]) -> T | None:
        """Return the content; None where it has faults, which are among the findings."""
        if self._root is None or self.findings.has_errors:
            return None
        try:
            return model.model_validate(to_json(self._root))
        except ValidationError as error:
            for one in error.errors(include_url=False, include_input=False):
                self.fault(one["msg"], *one["loc"])
            return None

    def fault(self, message: str, *keys: int | str) -> None:
        """Note a fault of the value below these keys and indexes, at the nearest place there is."""
        shown = ".".join(map(str, keys))
        self.findings.error(self._spot(keys), f"{shown}: {message}" if shown else message)

    def _spot(self, keys: tuple[int | str, ...]) -> Spot:
        node = self._root
        for key in keys:
            following: Node | None = None
            if isinstance(node, MapNode) and (entry := node.entries.get(str(key))):
                following = entry.value
            elif isinstance(node, ListNode) and isinstance(key, int) and key < len(node.items):
                following = node.items[key]
            if following is None:
                break
            node = following
        return node or At()
