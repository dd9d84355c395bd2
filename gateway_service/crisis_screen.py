"""The crisis screen of the gateway, for what must be said while no executor answers (ADR 52)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from heartrule.domain.safety import SafetyLevel, SafetyResource
from heartrule.safety.reloading_rules import ReloadingRules
from heartrule.safety.safety_texts import outdated
from heartrule.safety.screen import ScreenContext
from heartrule.safety.screening_threads import in_screening_thread
from heartrule.safety.unreviewed import unreviewed
from heartrule.v1 import safety_pb2
from heartrule.wire.message_mapping import to_message

# As in the executor.
_RULES_S = 60.0
# Longer texts are screened in a thread, as in the executor: some milliseconds become many.
_LONG = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyNotices:
    """What a console says of the fixed texts, and what it shows without a network."""

    unreviewed: tuple[str, ...]
    """Files that no clinically trained person has read."""
    outdated: tuple[str, ...]
    """Resources that were verified more than 180 days ago."""
    resources: tuple[SafetyResource, ...]
    """Where help is in the region of the locale asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDanger:
    """What was found in a text; no word of it."""

    level: SafetyLevel
    rules: tuple[str, ...]
    card: safety_pb2.SafetyCard


class CrisisScreen:
    """The rules of the crisis path: read on first use, and again when their files change."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the `safety` folder of the system files; nothing is read yet."""
        self._folder = folder
        self._reading = asyncio.Lock()
        self._rules: ReloadingRules | None = None
        self._looked = 0.0

    async def prepare(self) -> ReloadingRules:
        """Return the rules; they are read in a thread.

        Raises:
            InvalidSafetyFile: The files are faulty and no older rules are in use.
        """
        now = asyncio.get_running_loop().time()
        async with self._reading:
            if self._rules is None:
                self._rules = await in_screening_thread(partial(ReloadingRules, self._folder))
                self._looked = now
            elif now - self._looked > _RULES_S:
                self._looked = now
                await self._rules.refresh()
        return self._rules

    async def read(self, text: str, *, locale: str, question: str = "") -> FoundDanger | None:
        """Return what a text means and its card; None where it calls for none.

        Without a locale the card is for the region of the text's language. `question` is what the
        assistant said last.
        """
        rules, context = await self.prepare(), ScreenContext(question=question)
        if len(text) > _LONG:
            found = await in_screening_thread(partial(rules.screen, text, context))
        else:
            found = rules.screen(text, context)
        if found.level is SafetyLevel.NONE:
            return None
        language = found.language or ""
        card = rules.texts.refusal_card(found.level, locale or language, language)
        shown = to_message(card, safety_pb2.SafetyCard)
        return FoundDanger(level=found.level, rules=found.rules, card=shown)

    async def notices(self, locale: str) -> SafetyNotices:
        """Return what a console of this locale says of the fixed texts."""
        texts = (await self.prepare()).texts
        language = texts.messages_for(locale).locale
        return SafetyNotices(
            unreviewed=await asyncio.to_thread(unreviewed, self._folder),
            outdated=outdated(texts.all_resources(), datetime.now(UTC).date()),
            resources=tuple(each.shown(language) for each in texts.resources_for(locale)),
        )
