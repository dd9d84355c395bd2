"""The script that takes longest to check: as much of everything as a bundle may hold."""

from __future__ import annotations

from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES
from executor_service.scripts.model.limits import MAX_ACTIONS, MOST, Counted

_HEAD = """\
session:
  session_id: largest
  phases:
    - {phase_id: p, topics: [{topic_id: t, actions: [
"""
_ACTION = """\
{action_type: ai_ask, action_id: a%d, content: "{v}", condition: "%s", output: [{get: o%d}], \
tone: %s},
"""
_CONDITION = " && ".join(["{v} > 1"] * (MOST[Counted.READS] // MAX_ACTIONS - 1))


def largest_script() -> bytes:
    """Return a legal script with the most actions, conditions, outputs, reads and bytes."""
    count = MOST[Counted.DECLARATIONS] - 1
    listed = "".join(f"    - {{var: w{n}, value: 1}}\n" for n in range(count))
    declared = f"    ]}}]}}\n  declare:\n    - {{var: v, value: 1}}\n{listed}"
    room = MAX_BUNDLE_BYTES - len(_HEAD) - len(declared)
    bare = len(_ACTION % (MAX_ACTIONS, _CONDITION, MAX_ACTIONS, ""))
    tone = "x" * (room // MAX_ACTIONS - bare)
    actions = "".join(_ACTION % (n, _CONDITION, n, tone) for n in range(MAX_ACTIONS))
    return (_HEAD + actions + declared).encode()
