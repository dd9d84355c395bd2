"""An agent waits in one process for a run that a worker of another process takes."""

from __future__ import annotations

from heartrule.domain.ids import new_id
from heartrule.domain.runs import RunState
from session_store.open import open_store
from tests.support.agent_runs import SYNC, run_talk
from tests.support.agent_talk import answers, respond
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel
from tests.support.postgres import fresh_database


def beside(address: str, model: FakeModel, slots: int) -> Neighbours:
    """Return the surroundings of one of several processes."""
    environ = {
        "HEARTRULE_DATABASE_URL": address,
        "HEARTRULE_RUN_CONCURRENCY": str(slots),
        "POD_NAME": new_id("pod"),
    }
    store = open_store(address, boot_id=new_id("exe"))
    return Neighbours(model=model, store=store, environ=environ, run_address=address)


async def test_the_end_of_a_run_elsewhere_ends_the_wait() -> None:
    """The worker's model answered the node, the talk's model knows the result (R12, R13)."""
    done = answers(respond("写好了：睡得晚。"))
    with fresh_database() as address:
        worker = beside(address, FakeModel(["睡得晚"]), slots=2)
        async with running_executor(worker) as takes:
            await takes.executor.runs.launch()
            talks = beside(address, FakeModel(), slots=0)
            async with run_talk(SYNC, done, neighbours=talks) as talk:
                await talk.says("m1", "帮我写个小结")
                assert talk.stream.told.texts()[-1] == "写好了：睡得晚。"
                (run,) = await talk.runs()
                landed = await talk.variable()
        assert run.state is RunState.COMPLETED
        assert landed is not None
        assert (landed.source, worker.model.replies) == (f"{run.run_id}/write", [])
