"""A quickened dataclass takes, does and refuses what it did before."""

from __future__ import annotations

import inspect
import sys
from dataclasses import FrozenInstanceError, dataclass, field, fields
from types import ModuleType
from typing import Any

import pytest

import executor_service.bootstrap  # noqa: F401  its classes are looked through
import session_store.open  # noqa: F401
from heartrule.domain.quick_init import quick_init, quicken, understood

OURS = ("executor_service", "heartrule", "session_store")


@dataclass(frozen=True, slots=True)
class Place:
    """What a quickened class may have: positions, keywords, defaults, factories, a check."""

    name: str
    number: int = 3
    notes: list[str] = field(default_factory=list)
    kind: str = field(default="plain", kw_only=True)

    def __post_init__(self) -> None:
        """Refuse nothing."""
        if self.number < 0:
            raise ValueError("negative")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> type[Place]:
    """The class with its quick constructor, for one test."""
    monkeypatch.setattr(Place, "__init__", quick_init(Place))
    return Place


def test_what_it_takes(quick: type[Place]) -> None:
    """Positions, keywords, defaults and factories give the same values."""
    made = quick("a", kind="b")
    assert (made.name, made.number, made.notes, made.kind) == ("a", 3, [], "b")
    assert made.notes is not quick("a").notes
    assert made == quick(name="a", number=3, notes=[], kind="b")


def test_what_it_refuses(quick: type[Place]) -> None:
    """Missing and unknown arguments, and its own check."""
    with pytest.raises(TypeError):
        quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        quick("a", 1, [], "b")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="negative"):
        quick("a", -1)


def test_it_stays_frozen(quick: type[Place]) -> None:
    """The value cannot be written, and is of its own class."""
    made = quick("a")
    with pytest.raises(FrozenInstanceError):
        made.name = "b"  # type: ignore[misc]
    assert type(made) is Place


def test_all_of_ours() -> None:
    """Every class that would be quickened keeps its signature and its values."""
    kinds = understood(OURS)
    assert len(kinds) > 200
    for kind in kinds:
        made = quick_init(kind)
        assert _parameters(made) == _parameters(kind.__init__), kind
        if hasattr(kind, "__post_init__"):
            continue
        given = {each.name: object() for each in fields(kind)}
        value = object.__new__(kind)
        made(value, **given)
        assert {name: getattr(value, name) for name in given} == given, kind


def test_quickened_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a package, its frozen dataclasses of slots are changed and nothing else."""
    module: Any = ModuleType("tiny")

    @dataclass(frozen=True, slots=True)
    class Frozen:
        a: int
        b: int

    @dataclass(slots=True)
    class Open:
        a: int
        b: int

    for kind in (Frozen, Open):
        kind.__module__ = "tiny"
        setattr(module, kind.__name__, kind)
    monkeypatch.setitem(sys.modules, "tiny", module)
    before = Open.__init__
    assert quicken(("tiny",)) == 1
    assert Frozen(1, b=2).b == 2
    assert Open.__init__ is before


def _parameters(made: object) -> list[tuple[str, object, bool]]:
    found = inspect.signature(made).parameters.values()  # type: ignore[arg-type]
    return [(each.name, each.kind, each.default is each.empty) for each in found]
