"""The hint for the next action about how the one before it ended (document 000, scene 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from heartrule.chassis.config_files import read_config
from heartrule.domain.exits import ExitReason
from heartrule.model.template_store import layers

FILE = "exit_hints.yaml"

_Line = Annotated[str, Field(min_length=1, max_length=500, pattern=r"^[^\n]+$")]
_SHAPE: TypeAdapter[dict[ExitReason, str]] = TypeAdapter(dict[ExitReason, _Line])


@dataclass(frozen=True, slots=True)
class ExitHints:
    """One line for each exit reason, by layer; the nearest line counts, as with templates."""

    by_layer: Mapping[str, Mapping[ExitReason, str]] = field(default_factory=dict)

    def line(self, reason: ExitReason | None, scheme: str = "", language: str = "") -> str:
        """Return the hint; empty where the action before ended for no such reason."""
        if reason is None:
            return ""
        found = (self.by_layer.get(each, {}).get(reason) for each in layers(scheme, language))
        return next(filter(None, found), "")


def load_exit_hints(folder: Path) -> ExitHints:
    """Read `exit_hints.yaml` of every layer that has one.

    Args:
        folder: The `config` folder of the system files.

    Raises:
        InvalidConfigFile: A file breaks its rules.
    """
    files = sorted(folder.rglob(FILE))
    return ExitHints({path.parent.relative_to(folder).as_posix(): _read(path) for path in files})


def _read(path: Path) -> dict[ExitReason, str]:
    return read_config(path, _SHAPE, absent={})
