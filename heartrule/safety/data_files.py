"""The data files of the crisis path: all faults of all files come in one error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import TypeAdapter

from heartrule.chassis.config_files import Fault, listed, located, read_config
from heartrule.domain.errors import FieldViolation, InvalidRequest

T = TypeVar("T")


class InvalidSafetyFile(InvalidRequest):
    """Files of the crisis path break their rules; each violation names `file:line:column`."""


class DataFile(Generic[T]):
    """A file of the crisis path: its content, None where it cannot be read, and its faults."""

    def __init__(self, path: Path, shape: TypeAdapter[T]) -> None:
        """Read `path`; errors call it `folder/file`, as every language has files of its name."""
        folder = path.parent.name
        self.name = path.name if folder == "safety" else f"{folder}/{path.name}"
        self.path = path
        self.content: T | None = None
        self._unreadable: Sequence[FieldViolation] = ()
        self._faults: list[Fault] = []
        try:
            self.content = read_config(path, shape, name=self.name)
        except InvalidRequest as error:
            self._unreadable = error.violations

    def fault(self, message: str, *keys: int | str) -> None:
        """Note what is wrong with the value below these keys."""
        self.add([Fault(keys, message)])

    def add(self, faults: Iterable[Fault]) -> None:
        """Note faults of the content."""
        self._faults += faults

    def violations(self) -> list[FieldViolation]:
        """Return every fault with its place."""
        if self.content is None:
            return list(self._unreadable)
        return located(self.name, self.path.read_text("utf-8"), self._faults)


def refuse_faults(violations: Iterable[FieldViolation]) -> None:
    """Raise InvalidSafetyFile where there is a fault."""
    if found := list(violations):
        raise InvalidSafetyFile(listed(found), reason="INVALID_SAFETY_FILE", violations=found)
