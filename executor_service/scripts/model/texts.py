"""The texts of findings and of editors, read once from the catalogues beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import yaml

from executor_service.scripts.model.rules import CheckRule

_FOLDER = Path(__file__).parent


class Text(NamedTuple):
    """The severity of a finding, the rule it is filed under, and its message."""

    severity: str
    rule: CheckRule
    message: str


def _texts() -> dict[str, Text]:
    written = yaml.safe_load((_FOLDER / "texts.yaml").read_text("utf-8"))
    return {
        code: Text(severity, CheckRule(rule), message)
        for code, (severity, rule, message) in written.items()
    }


TEXTS: Mapping[str, Text] = MappingProxyType(_texts())


@cache
def help_texts() -> Mapping[str, Mapping[str, str]]:
    """Return what editors show, by the name of a mapping or an enumeration."""
    text = (_FOLDER / "help.yaml").read_text("utf-8")
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(text)
    return found
