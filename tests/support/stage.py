"""The stage of rehearsals for tests: any store, ids that are never given twice."""

from __future__ import annotations

from executor_service.ports import Monitor
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.model.ports import ChatModel
from heartrule_cli.rehearsal.conversation import Conversation
from heartrule_cli.rehearsal.monitors import WrittenMonitor
from heartrule_cli.rehearsal.stage import Stage
from session_store.ports import Store
from tests.support.scenes import installed


def stage_of(
    model: ChatModel,
    *,
    store: Store | None = None,
    key: SessionKey | None = None,
    monitor: Monitor | None = None,
) -> Stage:
    """Return a stage for one session; nothing is published yet."""
    made = Stage(
        installation=installed(),
        model=model,
        monitor=monitor or WrittenMonitor(),
        beginning=Conversation(file="test", turns=()),
        key=key or SessionKey(DEFAULT_TENANT, new_id("ses")),
        new_id=new_id,
    )
    if store is not None:
        made.store = store
    return made
