"""The shipped example of a workflow, in a folder of a test's own, and a mail server beside it."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.support.require import lacking
from tests.support.source_tree import ROOT

EXAMPLE = ROOT / "examples" / "sales-report"
ADDRESS = "http://127.0.0.1:8025/send"
"""Of the mail server, as the workflow names it."""
PNG = b"\x89PNG\r\n\x1a\n"


def require_analysis() -> None:
    """Skip the test where code with pandas cannot run."""
    from executor_service.workflows.sandbox.probing import SandboxesAtHand
    from heartrule.domain.workflows import SandboxTier

    if SandboxTier.PROCESS not in SandboxesAtHand():
        lacking("this machine has no sandbox for pandas")


def copied(folder: Path) -> Path:
    """Copy the example, without what somebody made in it, and make its database."""
    made = folder / "sales-report"
    shutil.copytree(EXAMPLE, made, ignore=shutil.ignore_patterns("*.db", "received", "report"))
    subprocess.run([sys.executable, "make_database.py"], cwd=made, check=True, capture_output=True)
    return made


def sending_to(folder: Path, address: str, **changes: Any) -> None:
    """Have the mail's node send to another address, changed by keyword."""
    path = folder / "sales_report.yaml"
    plan = yaml.safe_load(path.read_text("utf-8"))
    mail = plan["nodes"][3]
    mail["config"]["url"] = address
    mail |= changes
    path.write_text(yaml.safe_dump(plan, allow_unicode=True, sort_keys=False), "utf-8")


@contextmanager
def mail_server(folder: Path, *options: str) -> Iterator[str]:
    """Start the example's mail server on a free port; give the address for mails."""
    with subprocess.Popen(
        [sys.executable, "mail_receiver.py", "--port", "0", *options],
        cwd=folder, stdout=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()


def mails(requests: Sequence[bytes]) -> list[Mapping[str, Any]]:
    """Return the mails that requests hold."""
    return [json.loads(each.partition(b"\r\n\r\n")[2]) for each in requests]


def attached(mail: Mapping[str, Any]) -> list[tuple[str, str, bytes]]:
    """Return name, type and content of a mail's files."""
    files = mail["attachments"]
    return [(each["name"], each["mime_type"], base64.b64decode(each["data"])) for each in files]


def header(request: bytes, name: str) -> str:
    """Return a header of a request."""
    head = request.partition(b"\r\n\r\n")[0].decode()
    lines = dict(line.lower().split(": ", 1) for line in head.splitlines()[1:])
    return lines[name]
