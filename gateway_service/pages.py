"""The console's files: served as they lie there, with what keeps a page honest in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent / "console" / "static"
_RULES = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
)
POLICY = "; ".join(_RULES)
"""Nothing but our own files runs; what a model wrote is text, and were it not, it would not run."""
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
    }
)
"""Borne by every answer; the policy holds for pages, and does no harm elsewhere."""


class ConsoleFiles(StaticFiles):
    """Serves the page; browsers ask each time whether a file changed, but for vendored ones."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; 404 where there is none."""
        answer = await super().get_response(path, scope)
        lasting = path.startswith("vendor/")
        answer.headers["cache-control"] = "max-age=86400" if lasting else "no-cache"
        return answer
