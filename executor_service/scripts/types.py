"""What a variable holds, seen from a place of the script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from executor_service.scripts.declarations import DeclarationBoard, Owner
from heartrule.domain.output_type import OutputType


class Yields:
    """The types of the outputs of a file's actions."""

    def __init__(self) -> None:
        self._types: dict[str, dict[Owner, OutputType]] = {}
        self._unclear: set[str] = set()

    def add(self, name: str, topic: Owner, kind: OutputType) -> None:
        """Note that an action of `topic` yields `name`; the first one counts."""
        self._types.setdefault(name, {}).setdefault(topic, kind)

    def add_unclear(self, name: str) -> None:
        """Note that the author meant a type for `name` that was not understood, and reported."""
        self._unclear.add(name)

    def is_unclear(self, name: str) -> bool:
        """Say whether nothing is to be said about the type of `name`."""
        return name in self._unclear

    def names(self) -> Iterator[str]:
        """Yield every name an action yields."""
        return iter(self._types)

    def type_at(self, name: str, owner: Owner) -> OutputType | None:
        """Return the type `name` has at `owner`: of its topic, else its phase, else anywhere."""
        found = self._types.get(name)
        if not found:
            return None
        if owner in found:
            return found[owner]
        near = (kind for topic, kind in found.items() if topic.phase == owner.phase)
        return next(near, None) or next(iter(found.values()))


class VisibleTypes(Mapping[str, OutputType]):
    """The types of variables at one place; a name nobody declares or yields is absent."""

    def __init__(self, board: DeclarationBoard, yields: Yields, owner: Owner) -> None:
        """Look up lazily: a condition reads few of a script's many variables."""
        self._board = board
        self._yields = yields
        self._owner = owner

    def __getitem__(self, name: str) -> OutputType:
        """Return the declared type, else that of the nearest output, else of its first value."""
        kind = self._board.explicit_type(name, self._owner)
        kind = kind or self._yields.type_at(name, self._owner)
        if kind is not None:
            return kind
        nearest = next(self._board.look_up(name, self._owner), None)
        if nearest is None:
            raise KeyError(name)
        return nearest.declaration.type

    def __iter__(self) -> Iterator[str]:
        """Yield the names the script declares or yields."""
        return iter(dict.fromkeys((*self._board.names(), *self._yields.names())))

    def __len__(self) -> int:
        """Return how many names there are."""
        return sum(1 for _ in self)
