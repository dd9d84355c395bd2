"""What a turn's runner is given in tests."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.scripts.model.script import Script
from heartrule.domain.errors import NotFound
from heartrule.domain.replacement import ActionReplacement


@dataclass
class Shelf:
    """A library with one script, or none."""

    script: Script | None

    async def get(
        self,
        tenant: str,
        script_id: str,
        version: str,
        replacements: tuple[ActionReplacement, ...] = (),
    ) -> Script:
        """Return it."""
        if self.script is None:
            raise NotFound("script", script_id)
        return self.script
