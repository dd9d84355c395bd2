"""Small data files of `_system/config`, read once at start; all errors of a file at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.model.plain_yaml import places_in, read_plain_yaml

T = TypeVar("T")


class InvalidConfigFile(InvalidRequest):
    """A data file breaks its rules; each violation names `file:line:column: path`."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place of a data file."""

    path: tuple[int | str, ...]
    """Keys and indexes that lead there."""
    message: str


_INVALID = partial(InvalidConfigFile, reason="INVALID_CONFIG_FILE")


def read_config(
    path: Path,
    shape: TypeAdapter[T],
    *,
    absent: T | None = None,
    invalid: Callable[..., InvalidRequest] = _INVALID,
) -> T:
    """Return the content of the file, or `absent`, unless that is None, where there is no file.

    Raises:
        InvalidConfigFile: It cannot be read or breaks its rules; `invalid` makes another error.
        InvalidSettingsFile: It is not readable as YAML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        if absent is not None and isinstance(error, FileNotFoundError):
            return absent
        violation = FieldViolation(field=path.name, description=str(error))
        raise _refused(invalid, [violation]) from error
    try:
        return shape.validate_python(read_plain_yaml(text, source=path.name))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        violations = located(path.name, text, [Fault(one["loc"], one["msg"]) for one in wrong])
        raise _refused(invalid, violations) from error


def located(file: str, text: str, faults: Sequence[Fault]) -> list[FieldViolation]:
    """Return the faults of a file's text, each with line and column; none costs nothing."""
    places = places_in(text, [fault.path for fault in faults]) if faults else []
    return [
        FieldViolation(
            field=f"{file}:{line}:{column}: {'.'.join(map(str, fault.path)) or 'file'}",
            description=fault.message,
        )
        for fault, (line, column) in zip(faults, places, strict=True)
    ]


def _refused(
    invalid: Callable[..., InvalidRequest], violations: list[FieldViolation]
) -> InvalidRequest:
    listed = "; ".join(f"{one.field}: {one.description}" for one in violations)
    return invalid(listed, violations=violations)
