"""The tables of docs/reference/settings.md, made from the settings classes themselves.

`python -m tests.support.settings_page` writes them into the page; a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from executor_service.settings import ExecutorSettings
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import Settings, VariableInfo, variables
from monitor_service.settings import MonitorSettings
from tests.support.source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "settings.md"
PROCESSES: Mapping[str, type[Settings]] = {
    "executor": ExecutorSettings,
    "monitor": MonitorSettings,
    "gateway": GatewaySettings,
}
REGENERATE = "python -m tests.support.settings_page"


def table(cls: type[Settings]) -> str:
    """Return one row for each variable that a process reads, in order of declaration."""
    head = ("| variable | default | meaning |", "| --- | --- | --- |")
    return "\n".join((*head, *(_row(info) for info in variables(cls))))


def filled(text: str) -> str:
    """Return the page's text with each table as the code has it now."""
    for process, cls in PROCESSES.items():
        begin, end = f"<!-- {process}: made by {REGENERATE} -->", f"<!-- end of {process} -->"
        block = re.compile(re.escape(begin) + r".*?" + re.escape(end), re.DOTALL)
        made = f"{begin}\n{table(cls)}\n{end}"
        text, count = block.subn(lambda _: made, text)  # noqa: B023 - used at once
        assert count == 1, f"{PAGE.name} has no place for the {process}'s table"
    return text


def known() -> Iterator[str]:
    """Yield the name of every variable a service reads through its settings."""
    return (info.name for cls in PROCESSES.values() for info in variables(cls))


def _row(info: VariableInfo) -> str:
    unset = "required" if info.required else "–"
    default = f"`{_written(info.default)}`" if info.default else unset
    return f"| `{info.name}` | {default} | {info.description.replace('|', chr(92) + '|')} |"


def _written(default: str) -> str:
    """Return a default as it is written into an environment."""
    return default.lower() if default in {"True", "False"} else default.removesuffix(".0")


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
