"""Who speaks in a script, and with whom."""

from __future__ import annotations

from executor_service.actions.scene import Cast
from executor_service.engine.turn_state import cast_of
from executor_service.scripts.model.mapping import changed
from executor_service.scripts.model.settings import RoleDefinition


def test_without_roles_the_usual_names_stand() -> None:
    """A script need not name anybody."""
    assert cast_of(()) == Cast(who="咨询助手", user="来访者", tone="")


def test_roles_give_names_and_the_counsellors_tone() -> None:
    """Only the counsellor speaks, so only that tone is a default."""
    roles = (
        RoleDefinition(role="counsellor", name="小禾", tone="温和"),
        RoleDefinition(role="client", name="同学", tone="随意"),
        RoleDefinition(role="parent", name="家长"),
    )
    assert cast_of(roles) == Cast(who="小禾", user="同学", tone="温和")


def test_a_role_may_give_a_tone_alone() -> None:
    """An empty name is no name."""
    named = RoleDefinition(role="counsellor", name="甲", tone="简短")
    cast = cast_of((changed(named, name=""),))
    assert (cast.who, cast.tone) == ("咨询助手", "简短")
