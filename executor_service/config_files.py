"""Small data files of `_system/config`, read once at start; all errors of a file at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.model.plain_yaml import read_plain_yaml

T = TypeVar("T")


class InvalidConfigFile(InvalidRequest):
    """A data file breaks its rules; each violation names `file: path`."""


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
        violations = [_violation(path.name, one["loc"], one["msg"]) for one in wrong]
        raise _refused(invalid, violations) from error


def _violation(file: str, place: tuple[int | str, ...], message: str) -> FieldViolation:
    where = ".".join(str(part) for part in place) or "file"
    return FieldViolation(field=f"{file}: {where}", description=message)


def _refused(
    invalid: Callable[..., InvalidRequest], violations: list[FieldViolation]
) -> InvalidRequest:
    listed = "; ".join(f"{one.field}: {one.description}" for one in violations)
    return invalid(listed, violations=violations)
