"""Which files a script mentions; enough to collect them, before anything is understood."""

from __future__ import annotations

import re

from executor_service.scripts.loading.bundle import path_problem

_SKILL = re.compile(r"""\bskill["']?[ ]*:[ ]*["']?([A-Za-z0-9_-]{1,128})""")
_ASSET = re.compile(r"""\bsource["']?[ ]*:[ ]*["']?(assets/[^\s"',}\]#]+(?:[ ][^\s"',}\]#:]+)*)""")


def mentioned_skills(data: bytes) -> frozenset[str]:
    """Return the ids under `skill:`; one in a remark is among them, which does no harm."""
    return frozenset(_SKILL.findall(data.decode(errors="replace")))


def mentioned_assets(data: bytes) -> frozenset[str]:
    """Return the safe paths below assets/ under `source:`."""
    found = (path.strip() for path in _ASSET.findall(data.decode(errors="replace")))
    return frozenset(path for path in found if not path_problem(path))
