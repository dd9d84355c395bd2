"""What checking a script must know about its surroundings; nothing here reads a disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from heartrule.domain.variables import VariableScope

# Those that a script's own texts may use; the others are filled in templates only.
SYSTEM_VARIABLES = frozenset({"time", "who", "user"})

DEFAULT_LAYER = "default"
"""The layer of templates that a scheme without one of its own falls back to."""

# The reply group that measures what the client understood, which two criteria are compared with.
ASSESSMENT = "assessment"


@dataclass(frozen=True, slots=True, kw_only=True)
class LintEnvironment:
    """Facts about the installation a script is checked against."""

    schemes: frozenset[str] | None = frozenset()
    """Template schemes that have a folder; None takes every name as one."""
    asks: Callable[[str, str], frozenset[str]] = field(
        default=lambda _scheme, _template: frozenset()
    )
    """`asks(scheme, template)`: reply groups that template asks for; scheme "" = default."""
    skill: Callable[[str], bytes | None] = field(default=lambda _skill: None)
    """The technique file this installation ships under an id; None where it ships none."""
    skill_names: frozenset[str] = frozenset()
    """The ids of those it ships, to guess at one that was misspelt."""
    assets: frozenset[str] | None = frozenset()
    """Paths below assets/ whose files were uploaded for this bundle; None takes every path."""
    layer: Callable[[str, str], str] = field(default=lambda scheme, template: scheme or template)
    """`layer(scheme, template)`: which layer answers, `DEFAULT_LAYER` or another; "" for none."""
    scope_of: Callable[[str], VariableScope | None] = field(default=lambda _name: None)
    """The scope a name implies by its words; None where it implies none (RESOLUTIONS C19)."""
    may_opt_out: bool = True
    """Whether a script may turn the crisis path off."""
    system_variables: frozenset[str] = SYSTEM_VARIABLES
    """System variables that are filled in a script's own texts too."""


def trusting() -> LintEnvironment:
    """Return the surroundings of a version published before.

    What the installation offered then is not asked again: a scheme removed since falls back to
    the default templates when the session runs, and the script goes on loading.
    """
    assessed = frozenset({ASSESSMENT})
    return LintEnvironment(schemes=None, asks=lambda _scheme, _template: assessed, assets=None)
