"""What a round may read besides its context: pictures of the script, decisions of its session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.judging import AwaitedJudge
from heartrule.domain.conversation import Media
from heartrule.domain.errors import NotFound

#: Returns what a message holds of the picture at a path below `assets/`; else NotFound.
PictureSource: TypeAlias = Callable[[str], Awaitable[Media]]
#: Returns what the agent of the action knows of its session.
AgentReading: TypeAlias = Callable[[], Awaitable[AgentGround]]
#: Returns what comes of a decision; QuotaSpent where too much is being judged.
AgentJudging: TypeAlias = AwaitedJudge


async def no_pictures(*place: str) -> Media:
    """Raise NotFound: there is no script to look in; the path of a picture comes last."""
    raise NotFound("asset", place[-1])


async def reads_nothing() -> AgentGround:
    """Return the ground of a session without decisions and workflows."""
    return AgentGround()
