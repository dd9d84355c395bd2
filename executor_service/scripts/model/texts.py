"""The codes of findings and the texts of editors, read once from the files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import yaml

from executor_service.scripts.model.rules import CheckRule

_FOLDER = Path(__file__).parent


class Code(NamedTuple):
    """The severity of a finding, and the rule it is filed under; the catalogues have its words."""

    severity: str
    rule: CheckRule


def _codes() -> dict[str, Code]:
    written = yaml.safe_load((_FOLDER / "findings.yaml").read_text("utf-8"))
    return {code: Code(severity, CheckRule(rule)) for code, (severity, rule) in written.items()}


CODES: Mapping[str, Code] = MappingProxyType(_codes())


@cache
def help_texts() -> Mapping[str, Mapping[str, str]]:
    """Return what editors show, by the name of a mapping or an enumeration."""
    text = (_FOLDER / "help.yaml").read_text("utf-8")
    found: Mapping[str, Mapping[str, str]] = yaml.safe_load(text)
    return found
