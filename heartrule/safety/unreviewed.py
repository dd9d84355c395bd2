"""Names the files of the crisis path that no clinically trained person has read."""

from __future__ import annotations

import re
from pathlib import Path

_NEEDS_A_READER = re.compile(r"^reviewed:\s*needs a reader\s*$", re.MULTILINE)


def unreviewed(folder: Path) -> tuple[str, ...]:
    """Return the data files below the `safety` folder whose `reviewed` names no day."""
    return tuple(
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*.yaml"))
        if _NEEDS_A_READER.search(path.read_text("utf-8"))
    )
