"""Ports behind which nothing stands, for a part that is tested alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from executor_service.actions.outgoing.outgoing_texts import NO_TABLE
from executor_service.actions.round_ports import RoundRuns
from executor_service.decisions.agent_ground import AgentGround
from executor_service.decisions.judging import Judgement
from executor_service.decisions.run_results import RunResult
from executor_service.decisions.turn_reading import SessionRead
from executor_service.exits.hints import ExitHints
from executor_service.monitoring.signal_words import NO_SIGNAL_WORDS
from executor_service.safety.opt_out import OptOutPolicy
from executor_service.strategy.adviser import Strategies
from executor_service.threads.ports import ThreadModel
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadWork
from executor_service.variables.keywords import NO_KEYWORDS
from heartrule.domain.conversation import Media
from heartrule.domain.decisions import Decision, FindingCode, RuleFinding, Verdict
from heartrule.domain.errors import NotFound
from heartrule.domain.events import SessionEvent
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import Advice
from heartrule.model.prompt_words import NO_WORDS
from session_store.records import MonitorTicket
from tests.support.fake_safety import WrittenScreen


class NoRuns:
    """A `RunStarter` that starts none: rows wait until a process takes them."""

    async def admit(self, _key: SessionKey) -> None:
        """Do nothing."""

    async def resume(self, _run_ids: Collection[str]) -> None:
        """Do nothing."""

    async def cancel(self, _run_id: str) -> None:
        """Do nothing."""


class RefusedRuns:
    """A `SessionRuns` that refuses every decision, as nothing runs."""

    async def judged(
        self, _key: SessionKey, decision: Decision, _found: SessionRead, _lands_in: str
    ) -> Judgement:
        """Return a rejection."""
        message = f"nothing executes {decision.decision_type} here"
        finding = RuleFinding(
            code=FindingCode.INVALID_STATE, path="action_type", message=message, rule="executors"
        )
        verdict = Verdict(is_valid=False, payload=decision.payload, errors=(finding,))
        return Judgement(verdict=verdict)

    async def ended(self, _key: SessionKey) -> tuple[RunResult, ...]:
        """Return nothing."""
        return ()

    async def results(self, _key: SessionKey, _run_ids: Collection[str]) -> tuple[RunResult, ...]:
        """Return nothing."""
        return ()

    async def wait(self, _key: SessionKey, _run_id: str, _until: float | None) -> RunResult | None:
        """Return None at once."""
        return None

    async def committed(self, _key: SessionKey, _events: Iterable[SessionEvent]) -> None:
        """Do nothing."""


class NoAgents:
    """An `AgentMaker` that makes none."""

    async def make(
        self, _key: SessionKey, name: str, _model: ThreadModel, _work: SubThreadWork | None = None
    ) -> ThreadAgent:
        """Raise NotFound."""
        raise NotFound("agent", name)

    async def labels(self, _key: SessionKey, _name: str) -> Mapping[str, str]:
        """Return nothing."""
        return {}


async def no_session(_key: SessionKey, _turn_id: str) -> SessionRead:
    """Return a session without decisions and workflows."""
    return SessionRead()


async def no_pictures(*place: str) -> Media:
    """Raise NotFound; the path of a picture comes last."""
    raise NotFound("asset", place[-1])


async def no_ground() -> AgentGround:
    """Return the ground of a session without decisions and workflows."""
    return AgentGround()


async def no_advice(_ticket: MonitorTicket, _seconds: float) -> Advice | None:
    """Return None at once."""
    return None


def engine_alone() -> dict[str, Any]:
    """Return what an engine has of files, agents and pictures: nothing."""
    return {
        "threads": NoAgents(),
        "outgoing_texts": NO_TABLE,
        "pictures": no_pictures,
        "keyword_scope": NO_KEYWORDS.scope_of,
    }


def hooks_alone() -> dict[str, Any]:
    """Return keywords of `step_hooks` for hooks without files, monitor, decisions and runs."""
    return {
        "rules": WrittenScreen(),
        "strategies": Strategies(),
        "opt_outs": OptOutPolicy(),
        "exit_hints": ExitHints(),
        "signal_words": NO_SIGNAL_WORDS,
        "words": NO_WORDS,
        "await_advice": no_advice,
        "monitored": True,
        "read_session": no_session,
        "runs": RefusedRuns(),
    }


def round_alone(key: SessionKey) -> dict[str, Any]:
    """Return what a round may read besides its context: nothing."""
    return {
        "runs": RoundRuns(key=key, until=None, runs=RefusedRuns(), agents=NoAgents()),
        "picture": no_pictures,
        "agent_reading": no_ground,
    }
