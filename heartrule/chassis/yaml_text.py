"""Data as YAML that authors read and change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml


def yaml_text(data: Mapping[str, Any]) -> str:
    """Return it as authors write: lists indented, texts of several lines as such, no aliases."""
    return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=1000)


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002 - the library's
        """Indent a list below its key."""
        del indentless
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        """Write what stands twice a second time: these files have no aliases."""
        del data
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    # Conditions hold single quotes; a single-quoted text would double each of them.
    quoted = '"' if "'" in value and '"' not in value else None
    style = "|" if "\n" in value else quoted
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)
