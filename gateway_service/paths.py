"""Where routes stand: the version of the API, and what an older document fixed without one."""

from __future__ import annotations

from typing import Final

API: Final = "/api/v1"
# Document 004 names three routes, without a version (ADR 86); nothing else stands here.
DOCUMENTED: Final = "/api"
