"""What a sandbox takes and gives, whichever tier it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from heartrule.domain.json_value import JsonValue

MEBIBYTE = 1024 * 1024
MOST_RESULT_BYTES = 4 * MEBIBYTE
"""Of what code returns, as JSON."""
MOST_RESULT_VALUES = 200_000
"""Values in it, so that reading it never holds the event loop for long."""
MOST_FILES = 8
"""Files of a result."""
MOST_FILE_BYTES = 8 * MEBIBYTE
"""Of all files of a result together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxJob:
    """One call of a PYTHON node."""

    code: str
    """The body of a function."""
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the code finds under these names."""
    env: Mapping[str, JsonValue] = field(default_factory=dict)
    """What it finds as `env`, unless an input is called so."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files of earlier nodes by name; those of the tier PROCESS find them in their folder."""
    timeout_s: float
    """Seconds from the start of the code's process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxResult:
    """What code returned."""

    value: JsonValue
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files that the code wrote and that the value names, by name."""


class Sandbox(Protocol):
    """Runs code that nobody trusts."""

    async def run(self, job: SandboxJob) -> SandboxResult:
        """Return what the code returned; it has ended then, and left nothing.

        Raises:
            NodeFailed: It has no result, or none that may be kept.
        """
        ...

    async def aclose(self) -> None:
        """End its processes and remove its files; no job may be running."""
        ...
