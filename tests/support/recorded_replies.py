"""The raw replies of two small models, as they were recorded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

_FILE = Path(__file__).parent.parent / "testdata" / "model_replies.yaml"


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One reply; `note` says how the recorder's own reader fared with it."""

    id: str
    kind: str
    raw: str
    note: str

    @property
    def strategy(self) -> str:
        """direct, fence or none: which of the three strategies read it, before repairs."""
        return self._after("three strategies: ")

    @property
    def repairs(self) -> tuple[str, ...]:
        """Names of the repairs that made it readable; none where they did not."""
        names = self._after("safe repairs: ")
        return tuple(names.split(",")) if names and names != "do not rescue" else ()

    @property
    def readable(self) -> bool:
        """Whether an object comes out of it."""
        return self.strategy != "none" or bool(self.repairs)

    def _after(self, label: str) -> str:
        _, found, rest = self.note.partition(label)
        return rest.partition(";")[0] if found else ""


def recorded_replies() -> list[RecordedReply]:
    """Return all forty, in order."""
    data = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return [RecordedReply(**item) for item in data["replies"]]
