"""What a check found, as lines for people, as JSON, and as annotations of a GitHub workflow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from executor_service.scripts.model.findings import FindingSeverity, Located
from heartrule_cli.scripts import count_text, finding_line
from heartrule_cli.text import clean

# Of the shape of the JSON; it changes when a key goes or means something else.
JSON_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All that was checked, and all that was found, each once."""

    files: tuple[str, ...]
    findings: tuple[Located, ...]
    """In the files their author knows."""
    is_strict: bool = False
    """True: a warning refuses like an error."""

    @property
    def counts(self) -> Mapping[FindingSeverity, int]:
        """How many findings there are of each severity."""
        found = Counter(each.severity for each in self.findings)
        return {kind: found[kind] for kind in FindingSeverity}

    @property
    def is_ok(self) -> bool:
        """True when nothing refuses."""
        warnings = self.counts[FindingSeverity.WARNING] if self.is_strict else 0
        return not self.counts[FindingSeverity.ERROR] and not warnings

    @property
    def summary(self) -> str:
        """How many files are fine, or what was found, in a few words."""
        counts = [count_text(count, kind.value) for kind, count in self.counts.items() if count]
        if self.is_ok:
            counts.insert(0, f"OK: {count_text(len(self.files), 'script')}")
        return ", ".join(counts)


def text_lines(checked: CheckReport) -> Iterator[str]:
    """Yield `file:line:column: message` for each finding: errors, warnings, notes."""
    for kind in FindingSeverity:
        yield from (finding_line(each) for each in checked.findings if each.severity is kind)


def json_lines(checked: CheckReport) -> Iterator[str]:
    """Yield one document; docs/reference/checking.md tells its keys."""
    found = {
        "version": JSON_VERSION,
        "ok": checked.is_ok,
        "files": checked.files,
        "counts": {kind.value: count for kind, count in checked.counts.items()},
        "findings": [
            {
                "file": each.file,
                "line": each.line,
                "column": each.column,
                "severity": each.severity.value,
                "rule": each.rule.value,
                "message": each.message,
            }
            for each in checked.findings
        ],
    }
    text = json.dumps(found, ensure_ascii=False, indent=2)
    yield text if text.isascii() else "".join(map(_json_sign, text))


def github_lines(checked: CheckReport) -> Iterator[str]:
    """Yield a workflow command for each finding; what an author wrote cannot become one."""
    kinds = {FindingSeverity.NOTE: "notice"}
    for each in checked.findings:
        places = {"file": each.file, "line": each.line, "col": each.column, "title": each.rule}
        where = ",".join(f"{key}={_property(str(value))}" for key, value in places.items() if value)
        kind = kinds.get(each.severity, each.severity.value)
        yield f"::{kind} {where}::{_data(clean(each.message))}"


FORMATS: Mapping[str, Callable[[CheckReport], Iterator[str]]] = MappingProxyType(
    {"text": text_lines, "json": json_lines, "github": github_lines}
)
"""How a check can be printed."""


def _json_sign(sign: str) -> str:
    """Return a sign, escaped where it would steer a terminal."""
    return sign if sign.isprintable() or sign == "\n" else json.dumps(sign)[1:-1]


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
