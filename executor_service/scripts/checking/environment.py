"""What checking a script must know about its surroundings; nothing here reads a disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from heartrule.domain.variables import VariableScope

# Those that a script's own texts may use; the others are filled in templates only.
SYSTEM_VARIABLES = frozenset({"time", "who", "user"})

DEFAULT_LAYER = "default"
"""The layer of templates that a scheme without one of its own falls back to."""

ASSESSMENT = "assessment"
"""The reply group that measures what the client understood."""


def _asks_nothing(scheme: str, template: str) -> frozenset[str]:
    del scheme, template
    return frozenset()


def _no_skill(skill: str) -> None:
    del skill


def _own_layer(scheme: str, template: str) -> str:
    return scheme or template


def _no_scope(name: str) -> None:
    del name


@dataclass(frozen=True, slots=True, kw_only=True)
class LintEnvironment:
    """Facts about the installation a script is checked against."""

    schemes: frozenset[str] | None = frozenset()
    """Template schemes that have a folder; None takes every name as one."""
    asks: Callable[[str, str], frozenset[str]] = _asks_nothing
    """`asks(scheme, template)`: reply groups that template asks for; scheme "" = default."""
    skill: Callable[[str], bytes | None] = _no_skill
    """The technique file this installation ships under an id; None where it ships none."""
    skill_names: frozenset[str] = frozenset()
    """The ids of those it ships, to guess at one that was misspelt."""
    assets: frozenset[str] | None = frozenset()
    """Paths below assets/ whose files were uploaded for this bundle; None takes every path."""
    layer: Callable[[str, str], str] = _own_layer
    """`layer(scheme, template)`: which layer answers, `DEFAULT_LAYER` or another; "" for none."""
    scope_of: Callable[[str], VariableScope | None] = _no_scope
    """The scope a name implies by its words; None where it implies none (RESOLUTIONS C19)."""
    system_variables: frozenset[str] = SYSTEM_VARIABLES
    """System variables that are filled in a script's own texts too."""


def trusting() -> LintEnvironment:
    """Return the surroundings of a version published before.

    What the installation offered then is not asked again: a scheme removed since falls back to
    the default templates when the session runs, and the script goes on loading.
    """
    return LintEnvironment(schemes=None, asks=_asks_everything, assets=None)


def _asks_everything(scheme: str, template: str) -> frozenset[str]:
    del scheme, template
    return frozenset({ASSESSMENT})
