"""The cookie that the console gets for the token, and that its logout voids.

It holds its expiry, a number of its own and a signature made with the token, so every replica
accepts it and a new token invalidates all of them. Voided ones are known to the process that voided
them, until they would have expired.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable

from pydantic import SecretStr

NAME = "heartrule_session"
# One working day, so that the console asks for the token each morning.
LASTS_S = 12 * 3_600


class ConsoleCookies:
    """Makes, reads and voids cookies."""

    def __init__(self, token: SecretStr, *, now: Callable[[], float] = time.time) -> None:
        """Sign with `token`."""
        self._key = token.get_secret_value().encode()
        self._now = now
        self._voided: dict[str, int] = {}

    def make(self) -> str:
        """Return a cookie's value that opens the gateway for some hours."""
        named = f"{int(self._now()) + LASTS_S}.{secrets.token_hex(8)}"
        return f"{named}.{self._signature(named)}"

    def is_valid(self, cookie: str) -> bool:
        """Return whether this gateway signed the cookie, and it is neither over nor voided."""
        named, _, signature = cookie.rpartition(".")
        ends, _, number = named.partition(".")
        # int() would take other scripts' digits and signs, and thousands of characters slowly.
        if not (ends.isascii() and ends.isdecimal() and len(ends) < 12):
            return False
        right = hmac.compare_digest(signature.encode(), self._signature(named).encode())
        return right and int(ends) > self._now() and number not in self._voided

    def void(self, cookie: str) -> None:
        """Make a cookie open nothing from now on."""
        if not self.is_valid(cookie):
            return
        now = self._now()
        self._voided = {number: ends for number, ends in self._voided.items() if ends > now}
        ends, number, _ = cookie.split(".")
        self._voided[number] = int(ends)

    def _signature(self, named: str) -> str:
        signed = f"heartrule-console:{named}".encode()
        return hmac.new(self._key, signed, hashlib.sha256).hexdigest()
