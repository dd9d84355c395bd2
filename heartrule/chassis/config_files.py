"""Small data files of `_system`: read at start, every error of a file at once, with its place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from heartrule.chassis.plain_yaml import places_in, read_plain_yaml
from heartrule.domain.errors import FieldViolation, InvalidRequest

T = TypeVar("T")


class FilePart(BaseModel):
    """A mapping of a data file: a key it does not know is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def by_name(members: type[Enum]) -> BeforeValidator:
    """Return what reads a member of an enum by the name it has in the code."""

    def member(value: object) -> object:
        if not isinstance(value, str):
            return value
        if value not in members.__members__:
            raise ValueError(f"must be one of {', '.join(members.__members__)}")
        return members[value]

    return BeforeValidator(member)


class InvalidConfigFile(InvalidRequest):
    """A data file breaks its rules; each violation names `file:line:column: path`."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong at a place of a data file."""

    path: tuple[int | str, ...]
    """Keys and indexes that lead there."""
    message: str


def read_config(
    path: Path,
    shape: TypeAdapter[T],
    *,
    name: str = "",
    absent: T | None = None,
) -> T:
    """Return the content of the file, or `absent`, unless that is None, where there is no file.

    Errors call the file `name`, or by its own name.

    Raises:
        InvalidConfigFile: It cannot be read or breaks its rules.
        InvalidSettingsFile: It is not readable as YAML.
    """
    name = name or path.name
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        if absent is not None and isinstance(error, FileNotFoundError):
            return absent
        violation = FieldViolation(field=name, description=str(error))
        raise _invalid([violation]) from error
    try:
        return shape.validate_python(read_plain_yaml(text, source=name))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)
        violations = located(name, text, [Fault(one["loc"], one["msg"]) for one in wrong])
        raise _invalid(violations) from error


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


def listed(violations: Iterable[FieldViolation]) -> str:
    """Return violations as one line of text."""
    return "; ".join(f"{one.field}: {one.description}" for one in violations)


def _invalid(violations: list[FieldViolation]) -> InvalidConfigFile:
    return InvalidConfigFile(
        listed(violations), reason="INVALID_CONFIG_FILE", violations=violations
    )
