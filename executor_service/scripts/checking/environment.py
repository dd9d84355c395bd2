"""What checking a script must know about its surroundings; nothing here reads a disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from executor_service.scripts.model.agent_file import KnownAgent
from executor_service.scripts.model.findings import Located
from heartrule.domain.variables import VariableScope

# Those that a script's own texts may use; the others are filled in templates only.
SYSTEM_VARIABLES = frozenset({"time", "who", "user"})

DEFAULT_LAYER = "default"
"""The layer of templates that a scheme without one of its own falls back to."""

# The reply group that measures what the client understood, which two criteria are compared with.
ASSESSMENT = "assessment"


# Functions of this module, since an environment is pickled for the workers that check scripts.
def _nothing(_name: str) -> None:
    return None


def _asks_nothing(_scheme: str, _template: str) -> frozenset[str]:
    return frozenset()


def _asks_assessment(_scheme: str, _template: str) -> frozenset[str]:
    return frozenset({ASSESSMENT})


def _no_findings(_files: Mapping[str, bytes]) -> tuple[Located, ...]:
    return ()


def _any_agent() -> Mapping[str, KnownAgent] | None:
    return None


def _whole(_scheme: str, _template: str) -> str:
    return ""


def _own_layer(scheme: str, template: str) -> str:
    return scheme or template


@dataclass(frozen=True, slots=True, kw_only=True)
class LintEnvironment:
    """Facts about the installation a script is checked against."""

    schemes: frozenset[str] | None = frozenset()
    """Template schemes that have a folder; None takes every name as one."""
    asks: Callable[[str, str], frozenset[str]] = field(default=_asks_nothing)
    """`asks(scheme, template)`: reply groups that template asks for; scheme "" = default."""
    skill: Callable[[str], bytes | None] = field(default=_nothing)
    """The technique file this installation ships under an id; None where it ships none."""
    skill_names: frozenset[str] = frozenset()
    """The ids of those it ships, to guess at one that was misspelt."""
    assets: frozenset[str] | None = frozenset()
    """Paths below assets/ whose files were uploaded for this bundle; None takes every path."""
    layer: Callable[[str, str], str] = field(default=_own_layer)
    """`layer(scheme, template)`: which layer answers, `DEFAULT_LAYER` or another; "" for none."""
    broken: Callable[[str, str], str] = field(default=_whole)
    """`broken(scheme, template)`: what is wrong with a file that is passed over; "" for nothing."""
    older: Callable[[str, str], str] = field(default=_whole)
    """`older(scheme, template)`: what a template written for the older contract lacks."""
    scope_of: Callable[[str], VariableScope | None] = field(default=_nothing)
    """The scope a name implies by its words; None where it implies none (RESOLUTIONS C19)."""
    workflows: Callable[[Mapping[str, bytes]], tuple[Located, ...]] = field(default=_no_findings)
    """`workflows(files)`: what is wrong with those of a bundle, given as its files of them."""
    agents: Callable[[], Mapping[str, KnownAgent] | None] = field(default=_any_agent)
    """The agents of this installation, read when a script names one; None takes every name."""
    may_opt_out: bool = True
    """Whether a script may turn the crisis path off."""
    system_variables: frozenset[str] = SYSTEM_VARIABLES
    """System variables that are filled in a script's own texts too."""


def trusting() -> LintEnvironment:
    """Return the surroundings of a version published before.

    What the installation offered then is not asked again: a scheme removed since falls back to
    the default templates when the session runs, and the script goes on loading.
    """
    return LintEnvironment(schemes=None, asks=_asks_assessment, assets=None)
