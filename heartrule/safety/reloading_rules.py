"""The crisis rules in use: read again when their files change, kept while these are faulty."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from heartrule.domain.errors import InvalidRequest
from heartrule.safety.cards import SafetyTexts
from heartrule.safety.crisis_rules import CrisisRules, load_crisis_rules
from heartrule.safety.safety_texts import outdated
from heartrule.safety.screen import ScreenContext, Screening
from heartrule.safety.unreviewed import unreviewed

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
    """Crisis rules that follow their files; a `ClientScreen`."""

    def __init__(
        self, folder: Path, load: Callable[[Path], CrisisRules] = load_crisis_rules
    ) -> None:
        """Read the rules by `load`.

        Raises:
            InvalidSafetyFile: The files are faulty: a service must not start with them.
        """
        self._folder, self._load = folder, load
        self._read = content_hash(folder)
        self._failed = ""
        self._rules = load(folder)
        _warn_of_age(self._rules)
        if unread := unreviewed(folder):
            LOG.warning("files of the crisis path need a reader", extra={"files": unread})

    @property
    def texts(self) -> SafetyTexts:
        """The fixed texts in use."""
        return self._rules.texts

    def screen(self, text: str, context: ScreenContext) -> Screening:
        """Return what a text means by the rules in use."""
        return self._rules.screen.screen(text, context)

    async def refresh(self) -> bool:
        """Read the files again if they changed, off the loop; return whether new rules are in use.

        Faulty files are logged once, and the rules in use stay; so they do where a file cannot be
        read, as it is being replaced. That may be after the files were hashed, so what could not
        be read is read once more.
        """
        try:
            now = await asyncio.to_thread(content_hash, self._folder)
        except OSError as error:
            LOG.error(  # noqa: TRY400
                "the safety files cannot be read, the rules in use stay", extra={"why": str(error)}
            )
            return False
        if now == self._read:
            return False
        try:
            self._rules = await asyncio.to_thread(self._load, self._folder)
        except (InvalidRequest, OSError) as error:
            if now == self._failed:
                self._read = now
            else:
                LOG.error(  # noqa: TRY400
                    "the new safety rules are faulty, the old ones stay", extra={"why": str(error)}
                )
            self._failed = now
            return False
        self._read, self._failed = now, ""
        LOG.info("new safety rules are in use")
        _warn_of_age(self._rules)
        return True


def _warn_of_age(rules: CrisisRules) -> None:
    """Log the resources that nobody has verified for too long."""
    for each in outdated(rules.texts.all_resources(), datetime.now(UTC).date()):
        LOG.warning(
            "a resource of the crisis path was verified too long ago", extra={"resource": str(each)}
        )
