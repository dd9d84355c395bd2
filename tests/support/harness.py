"""Builds the harness of rehearsals for tests: any store, ids that are unique."""

from __future__ import annotations

from executor_service.ports import Monitor
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.model.ports import ChatModel
from heartrule_cli.rehearsal.doubles import WrittenMonitor
from heartrule_cli.rehearsal.harness import Harness
from heartrule_cli.rehearsal.written_conversation import WrittenConversation
from session_store.open import open_in_memory
from session_store.ports import Store
from tests.support.shipped_files import shipped_installation


def harness_of(
    model: ChatModel,
    *,
    store: Store | None = None,
    key: SessionKey | None = None,
    monitor: Monitor | None = None,
) -> Harness:
    """Return a harness for one session; nothing is published yet."""
    return Harness(
        installation=shipped_installation(),
        model=model,
        store=store if store is not None else open_in_memory(),
        monitor=monitor or WrittenMonitor(),
        beginning=WrittenConversation(file="test", turns=()),
        key=key or SessionKey(DEFAULT_TENANT, new_id("ses")),
        new_id=new_id,
    )
