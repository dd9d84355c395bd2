"""The crisis rules in use: read again when their files change, kept while these are faulty."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from pathlib import Path

from executor_service.safety.crisis_rules import RuleMatch, load_crisis_rules
from heartrule.domain.errors import InvalidRequest

LOG = logging.getLogger(__name__)


def content_hash(folder: Path) -> str:
    """Return a hash of the names and contents of all data files below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.yaml")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\n{len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


class ReloadingRules:
    """Crisis rules that follow their files (`executor_service.ports.CrisisWords`)."""

    def __init__(self, folder: Path) -> None:
        """Read the rules.

        Raises:
            InvalidSafetyFile: The files are faulty: a service must not start with them.
        """
        self._folder = folder
        self._read = content_hash(folder)
        self._rules = load_crisis_rules(folder)

    def find(self, text: str) -> RuleMatch | None:
        """Return what the rules in use find."""
        return self._rules.find(text)

    def message(self, locale: str) -> str:
        """Return the fixed text of a locale."""
        return self._rules.message(locale)

    async def refresh(self) -> bool:
        """Read the files again if they changed, off the loop; return whether new rules are in use.

        Faulty files are logged once, and the rules in use stay.
        """
        now = await asyncio.to_thread(content_hash, self._folder)
        if now == self._read:
            return False
        self._read = now
        try:
            self._rules = await asyncio.to_thread(load_crisis_rules, self._folder)
        except InvalidRequest as error:
            LOG.error("the new safety rules are faulty, the old ones stay: %s", error)  # noqa: TRY400
            return False
        LOG.info("new safety rules are in use")
        return True
