"""What the rules of a plan may know beyond the plan itself."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from heartrule.domain.workflows import NodeType, SandboxTier


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """The installation and its policy, as far as a plan is judged by them; None is no limit."""

    secrets: frozenset[str] = frozenset()
    """Names that a `${NAME}` may stand for; their values are never here."""
    sandboxes: Container[SandboxTier] = frozenset()
    """Tiers found on this machine; none: every PYTHON node is refused (RESOLUTIONS D9)."""
    connections: frozenset[str] | None = None
    """Databases that a DATABASE node may name."""
    domains: tuple[str, ...] | None = None
    """Hosts that an HTTP node may call; their subdomains too."""
    node_types: frozenset[NodeType] | None = None
    """Types that a node may have (document 002, section 3.2.1)."""
