"""The script that takes longest to check: as much of everything as a bundle may hold."""

from __future__ import annotations

from executor_service.scripts.checking.limits import MAX_ACTIONS, MOST, Counted
from executor_service.scripts.loading.bundle import MAX_BUNDLE_BYTES

_HEAD = """\
session:
  session_id: largest
  phases:
    - {phase_id: p, topics: [{topic_id: t, actions: [
"""
_ACTION = '{action_type: ai_ask, action_id: a%d, content: "{v}", condition: "%s", output: [%s]},\n'
_DECLARED = "    - {var: w%d, value: 1}\n"
_CONDITION = " && ".join(["{v} > 1"] * (MOST[Counted.READS] // MAX_ACTIONS - 1))
_OUTPUTS = MOST[Counted.OUTPUTS] // MAX_ACTIONS


def largest_script() -> bytes:
    """Return a legal script with the most actions, conditions, outputs, reads and bytes."""
    actions = (
        _ACTION % (n, _CONDITION, ",".join(f"{{get: o{n}_{k}}}" for k in range(_OUTPUTS)))
        for n in range(MAX_ACTIONS)
    )
    script = _HEAD + "".join(actions) + "    ]}]}\n  declare:\n    - {var: v, value: 1}\n"
    room = MAX_BUNDLE_BYTES - len(script)
    count = room // len(_DECLARED % 10_000)
    declared = "".join(_DECLARED % (10_000 + n) for n in range(count))
    return (script + declared).encode()
