"""Small data files of `_system/config`, read once at start; all errors of a file at once."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.model.plain_yaml import read_plain_yaml

T = TypeVar("T")


class InvalidConfigFile(InvalidRequest):
    """A data file breaks its rules; each violation names `file: path`."""


def read_config(path: Path, shape: TypeAdapter[T], *, absent: T) -> T:
    """Return the content of the file, or `absent` where there is no such file.

    Raises:
        InvalidConfigFile: It cannot be read or breaks its rules.
        InvalidSettingsFile: It is not readable as YAML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return absent
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid([FieldViolation(field=path.name, description=str(error))]) from error
    try:
        return shape.validate_python(read_plain_yaml(text, source=path.name))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        raise _invalid([_violation(path.name, one["loc"], one["msg"]) for one in wrong]) from error


def _violation(file: str, place: tuple[int | str, ...], message: str) -> FieldViolation:
    where = ".".join(str(part) for part in place) or "file"
    return FieldViolation(field=f"{file}: {where}", description=message)


def _invalid(violations: list[FieldViolation]) -> InvalidConfigFile:
    listed = "; ".join(f"{one.field}: {one.description}" for one in violations)
    return InvalidConfigFile(listed, reason="INVALID_CONFIG_FILE", violations=violations)
