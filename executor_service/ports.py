"""The executor's ports besides the store and the model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol, TypeVar

from executor_service.scripts.model.script import Script
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AnalysisAnswer, AnalysisReport
from heartrule.domain.orchestration import OrchestrationAnswer, OrchestrationReport
from heartrule.domain.replacement import ActionReplacement

T = TypeVar("T")


class WorkPool(Protocol):
    """Does work beside the event loop."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Return what the work returns, or raise what it raises; arguments must pickle.

        Raises:
            HeartRuleError: Too much of it waits, or it took too long.
        """


class RunStarter(Protocol):
    """Has what is stored of runs go on; what it misses, a sweep finds in the rows."""

    async def admit(self, key: SessionKey) -> None:
        """Have queued runs of a session begin, as far as its share of the workers goes."""

    async def resume(self, run_ids: Collection[str]) -> None:
        """Have runs go on that a decision changed."""

    async def cancel(self, run_id: str) -> None:
        """Stop the work on a run that was ended in the store."""


class ScriptLibrary(Protocol):
    """Loaded scripts by version."""

    async def get(
        self,
        tenant: str,
        script_id: str,
        version: str,
        replacements: tuple[ActionReplacement, ...] = (),
    ) -> Script:
        """Return a published version, loaded, with these configs in it; NotFound otherwise."""


class ScriptPictures(Protocol):
    """The pictures of scripts by version."""

    async def assets(self, tenant: str, script_id: str, version: str) -> Mapping[str, str]:
        """Return the hash of each picture of a published version by its path; else NotFound."""


class Monitor(Protocol):
    """The monitor service: analyses of rounds and plans for a topic's queue."""

    async def analyze(self, report: AnalysisReport, *, judged_turn: str) -> AnalysisAnswer:
        """Judge one round; `judged_turn` is the traceparent of its turn, for a span link.

        Raises:
            HeartRuleError: The monitor is down, slow, or refuses.
        """

    async def plan(self, report: OrchestrationReport, *, judged_turn: str) -> OrchestrationAnswer:
        """Propose a change of the topic's queue, or none.

        Raises:
            HeartRuleError: The monitor is down, slow, or refuses.
        """
