"""Stands in for a mail server: takes a mail as JSON, and keeps its attachments in `received/`.

It counts as sent once what bears the same Idempotency-Key, as a mail server has to: a node may run
again.
"""

from __future__ import annotations

import argparse
import base64
import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePath
from typing import Any


class Mailbox:
    """What came, and how many calls are still to be refused."""

    def __init__(self, failing: int) -> None:
        """Refuse so many calls first."""
        self.failing = failing
        self.keys: set[str] = set()

    def take(self, key: str, mail: dict[str, Any]) -> HTTPStatus:
        """Keep a mail once, and return the status that answers it."""
        if self.failing > 0:
            self.failing -= 1
            print("refused: the server is down", flush=True)
            return HTTPStatus.SERVICE_UNAVAILABLE
        if key not in self.keys:
            self.keys.add(key)
            print(f"mail to {mail['to']!r}: {mail['subject']}, {mail['text']}", flush=True)
            for file in mail["attachments"]:
                keep(file)
        return HTTPStatus.ACCEPTED


def keep(file: dict[str, str]) -> None:
    """Write an attachment, {name, mime_type, data in base64}, into the folder `received`."""
    path = Path("received") / PurePath(file["name"]).name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(base64.b64decode(file["data"]))
    print(f"  attached: {path} ({file['mime_type']}, {path.stat().st_size} bytes)", flush=True)


def handler(mailbox: Mailbox) -> type[BaseHTTPRequestHandler]:
    """Return what answers the requests to a mailbox."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            mail = json.loads(self.rfile.read(length))
            status = mailbox.take(self.headers["Idempotency-Key"], mail)
            answer = json.dumps({"accepted": status is HTTPStatus.ACCEPTED}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing: the mailbox does."""

    return Handler


def main() -> None:
    """Listen on this machine until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8025, help="0: a free one (8025)")
    parser.add_argument("--failing", type=int, default=0, metavar="N", help="refuse N calls first")
    args = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", args.port), handler(Mailbox(args.failing)))
    print(f"listening on http://127.0.0.1:{server.server_port}/send", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
