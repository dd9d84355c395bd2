"""What this process knows of sessions without the store: what a card needs when it is gone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heartrule.chassis.latest import Latest
from heartrule.domain.events import SafetyChanged, SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.safety import SafetyLevel
from session_store.records import SessionRecord

# The sessions of some hours on one process; of others the server's locale counts.
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSession:
    """One session."""

    locale: str
    language: str = ""
    """As the session's record has it."""
    level: SafetyLevel = SafetyLevel.NONE
    opt_out: bool = False
    """Its script turned the crisis path off."""


class KnownSessions:
    """The sessions that were read last; the oldest are forgotten."""

    def __init__(self, locale: str) -> None:
        """Begin with none; `locale` is that of sessions that nobody has read here."""
        self._locale = locale
        self._known = Latest[SessionKey, KnownSession](_REMEMBERED)

    def of(self, key: SessionKey) -> KnownSession:
        """Return what is known of a session."""
        return self._known.get(key) or KnownSession(locale=self._locale)

    def remember(self, record: SessionRecord) -> None:
        """Note a session's region and level."""
        safety = record.safety
        self._known[record.key] = KnownSession(
            locale=record.locale,
            language=record.language,
            level=safety.level,
            opt_out=bool(safety.opt_out),
        )

    def note(self, key: SessionKey, event: SessionEvent) -> None:
        """Note the level that a session has from an event on, where the event says it."""
        if isinstance(event.body, SafetyChanged):
            self._known[key] = replace(self.of(key), level=event.body.level)
