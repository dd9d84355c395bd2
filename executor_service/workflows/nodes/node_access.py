"""What a tenant's policy opens to the nodes of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from typing import TypeAlias
from urllib.parse import unquote, urlsplit

Network: TypeAlias = IPv4Network | IPv6Network
LEAST_HIDDEN = 6
"""Characters of a password that is struck out; a shorter one would strike words of every text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeAccess:
    """Hosts, databases, models and secrets; what is not named is closed."""

    domains: tuple[str, ...] | None = None
    """Hosts that an HTTP node may call, with those below them; None: any."""
    networks: tuple[Network, ...] = ()
    """Addresses that it may connect to beside those of the public internet."""
    models: Mapping[str, str] = field(default_factory=dict)
    """The provider's name of a model, by the name that plans write."""
    connections: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Addresses of databases, by the name that plans write."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What `${NAME}` stands for in HTTP and DATABASE nodes."""

    @property
    def hidden(self) -> tuple[str, ...]:
        """Return every text that no output, failure or log may show."""
        passwords = (unquote(urlsplit(each).password or "") for each in self.connections.values())
        found = (*self.secrets.values(), *self.connections.values(), *passwords)
        return tuple(dict.fromkeys(each for each in found if len(each) >= LEAST_HIDDEN))


NO_ACCESS = NodeAccess()
"""Any public host; no database, no model of its own, no secret."""
