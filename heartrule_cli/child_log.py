"""What a service wrote before it ended, read for the one sentence a person needs. Pure."""

from __future__ import annotations

import json
import re

from heartrule_cli.text import clean

_MOST_LINES = 20
_SEVERE = {"ERROR", "CRITICAL"}
_NOISE = re.compile(r"[IWEF]\d{4} \d\d:\d\d|WARNING: All log messages before|.* listening on ")
"""Lines of grpc's core, and what a service says when all is well."""


def reason_of_end(log: str) -> str:
    """Return why a service ended, from its log; empty where the log does not tell.

    Plain lines are written for people (settings that are wrong); of the JSON lines the last error
    counts, with the text of what was raised. A traceback counts by its last line.
    """
    plain: list[str] = []
    error = ""
    for line in log.splitlines():
        record = _record(line)
        if record is None:
            plain.append(line)
        elif record.get("level") in _SEVERE:
            error = _sentence(record)
    return clean(error or "\n".join(_told(plain)).strip())


def _record(line: str) -> dict[str, object] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _sentence(record: dict[str, object]) -> str:
    errors = record.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return str(errors[0].get("text") or errors[0].get("class") or record.get("event"))
    return str(record.get("event", ""))


def _told(lines: list[str]) -> list[str]:
    """Return plain lines that are meant for a person; of a traceback the last one."""
    kept = [line for line in lines if line.strip() and not _NOISE.match(line)]
    if any(line.startswith("Traceback ") for line in kept):
        return kept[-1:]
    return kept[-_MOST_LINES:]
