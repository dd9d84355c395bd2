"""Makes frozen dataclasses cheap to construct: a turn makes some two hundred values.

`dataclasses` sets each field of a frozen class by a call of `object.__setattr__`, which costs more
than all else a constructor does. Here a value is born as its class's twin, which has the same slots
and may be written, takes its fields by plain assignment, and becomes what it is. It is as frozen
afterwards as any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

_FEWEST = 2
"""With fewer fields the twin costs more than it saves."""


def quicken(packages: Iterable[str]) -> int:
    """Give the frozen dataclasses of these packages, as far as imported, a quicker constructor.

    Call it once, when a process has imported what it needs. What a constructor takes and does is
    the same; classes of a kind not understood here keep theirs. Returns how many were changed.
    """
    kinds = understood(packages)
    for kind in kinds:
        kind.__init__ = quick_init(kind)
    return len(kinds)


def understood(packages: Iterable[str]) -> frozenset[type[Any]]:
    """Return the imported dataclasses of these packages that can be quickened."""
    return frozenset(kind for kind in _classes(tuple(packages)) if _is_understood(kind))


def quick_init(kind: type[Any]) -> Callable[..., None]:
    """Return a constructor of a frozen dataclass with slots that does what its own does."""
    every = fields(kind)
    twin = type(kind.__name__, (), {"__slots__": tuple(each.name for each in every)})
    names: dict[str, object] = {
        "_begin": object.__dict__["__class__"].__set__, "_twin": twin, "_kind": kind,
        "_missing": MISSING,
    }  # fmt: skip
    before: list[str] = []
    after: list[str] = []
    for each in every:
        (after if each.kw_only else before).append(_argument(each, names))
    lines = [f"def __init__({', '.join(('self', *before, *(('*', *after) if after else ())))}):"]
    lines.append(" _begin(self, _twin)")
    lines.extend(f" self.{each.name} = {_value(each)}" for each in every)
    lines.append(" self.__class__ = _kind")
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec("\n".join(lines), names)  # noqa: S102  the names of our own fields, as dataclasses does
    made: Any = names["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__annotations__ = kind.__init__.__annotations__
    return made  # type: ignore[no-any-return]  # exec cannot say


def _argument(each: Field[object], names: dict[str, object]) -> str:
    """Return a field as a parameter; what stands for its absence goes into `names`."""
    if each.default is not MISSING:
        names[f"_default_{each.name}"] = each.default
        return f"{each.name}=_default_{each.name}"
    if each.default_factory is not MISSING:
        names[f"_make_{each.name}"] = each.default_factory
        return f"{each.name}=_missing"
    return each.name


def _value(each: Field[object]) -> str:
    if each.default_factory is MISSING:
        return each.name
    return f"_make_{each.name}() if {each.name} is _missing else {each.name}"


def _classes(prefixes: tuple[str, ...]) -> Iterator[type[Any]]:
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] in prefixes:
            for value in tuple(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name and is_dataclass(value):
                    yield value


def _is_understood(kind: type[Any]) -> bool:
    """Return whether the class is frozen, has slots alone, no base, and its own constructor."""
    every = fields(kind)
    names = tuple(each.name for each in every)
    return (
        kind.__dataclass_params__.frozen
        and kind.__bases__ == (object,)
        and not kind.__subclasses__()
        and kind.__dict__.get("__slots__") == names
        and len(names) >= _FEWEST
        and all(each.init for each in every)
        and "self" not in names
        and set(kind.__init__.__annotations__) - {"return"} == set(names)
    )
