"""The files of the console as a browser asks for them."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.parse import quote

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from gateway_service.console_modules import joined
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import page_words

FOLDER = Path(__file__).parent / "console" / "static"
_JOINED = "app.js"
_WORDS = {f"words/{language.value[:2]}.json": page_words(language) for language in ReaderLanguage}


class ConsoleFiles(StaticFiles):
    """Serves the console; browsers ask each time whether a file changed, except vendored ones."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file; 404 where there is none."""
        if path == _JOINED:
            return await self._modules(scope)
        if words := _WORDS.get(path):
            answer = self.file_response(words, await anyio.to_thread.run_sync(words.stat), scope)
            answer.headers["cache-control"] = "no-cache"
            return answer
        answer = await super().get_response(path, scope)
        if "location" in answer.headers:
            # Starlette builds it from the Host header, which is whatever the caller sent.
            answer.headers["location"] = quote(f"/{path.strip('/')}/")
        lasting = path.startswith("vendor/")
        answer.headers["cache-control"] = "max-age=86400" if lasting else "no-cache"
        return answer

    async def _modules(self, scope: Scope) -> Response:
        """Return the console's modules as one, made anew: they may have changed on the disk."""
        text = await anyio.to_thread.run_sync(joined, FOLDER)
        tag = f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if self.is_not_modified(Headers(headers), Request(scope).headers):
            return NotModifiedResponse(Headers(headers))
        return Response(text, media_type="text/javascript", headers=headers)
