"""`roles`: who speaks in a script, and with whom."""

from __future__ import annotations

from executor_service.scripts.keys import ROLE
from executor_service.scripts.model import RoleDefinition
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, wrong
from executor_service.scripts.tree import MapNode, Node
from executor_service.scripts.wording import nearest, quoted

SPEAKERS = ("counsellor", "client")
"""The roles that fill {who} and {user}; any other is for the author's own texts."""
_ALIKE = 0.85


def read_roles(session: Section) -> tuple[RoleDefinition, ...]:
    """Return the roles of a session, each named once."""
    found: dict[str, RoleDefinition] = {}
    for node in session.items("roles"):
        role = _role(node, session)
        if role is None or not role.role:
            continue
        if role.role in found:
            session.findings.error(
                node, f"the role {quoted(role.role)} stands here twice", Rule.DUPLICATE_NAME
            )
        found.setdefault(role.role, role)
    return tuple(found.values())


def _role(node: Node, session: Section) -> RoleDefinition | None:
    if not isinstance(node, MapNode):
        wrong(node, "a role", "- {role: counsellor, name: …}", session.findings)
        return None
    section = Section(node, ROLE, session.findings)
    role = section.text("role", required=True)
    meant = nearest(role, SPEAKERS, likeness=_ALIKE)
    if role not in SPEAKERS and meant:
        session.findings.warning(
            section.spot_of("role"),
            f"the role {quoted(role)} names nobody; did you mean `{meant}`?",
            Rule.UNKNOWN_ROLE,
        )
    return RoleDefinition(
        role=role,
        name=section.text("name", required=True),
        tone=section.text("tone"),
        define=section.text("define"),
    )
