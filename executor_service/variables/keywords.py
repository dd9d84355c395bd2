"""The keyword table: the scope a name implies by its words (document 001, 2.2.2; C19)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from heartrule.chassis.config_files import FilePart, read_config
from heartrule.domain.variables import VariableScope

FILE = "variable_scopes.yaml"


@dataclass(frozen=True, slots=True)
class KeywordTable:
    """Words and the scopes they imply, in order of precedence."""

    groups: tuple[tuple[VariableScope, tuple[str, ...]], ...] = ()

    def scope_of(self, name: str) -> VariableScope | None:
        """Return the scope of the first group with a word that the name holds; else None."""
        for scope, words in self.groups:
            if any(word in name for word in words):
                return scope
        return None


#: No keyword implies a scope.
NO_KEYWORDS = KeywordTable()


class _Group(FilePart):
    scope: VariableScope
    words: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


_SHAPE: TypeAdapter[tuple[_Group, ...]] = TypeAdapter(tuple[_Group, ...])


def load_keywords(folder: Path) -> KeywordTable:
    """Read `variable_scopes.yaml` of the `config` folder; without one no word implies a scope.

    Raises:
        InvalidConfigFile: The file breaks its rules.
    """
    groups = read_config(folder / FILE, _SHAPE, absent=())
    return KeywordTable(tuple((group.scope, group.words) for group in groups))
