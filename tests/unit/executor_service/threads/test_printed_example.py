"""The example of 003-7.1 and 7.2, played: after each step the document is the printed one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import yaml

from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_document import print_document
from executor_service.threads.thread_path import MAIN
from executor_service.threads.units import InteractionUnit, Starter
from heartrule.domain.thread_changes import MessageWritten, NewThread, SettingsWritten, ThreadWrite
from tests.support.source_tree import ROOT
from tests.support.thread_parts import (
    METADATA,
    OtherSays,
    main_agent,
    requester,
    responsor,
    sub_agent,
    task_at,
    two_steps,
)
from tests.support.thread_rows import ThreadRows


@cache
def printed() -> dict[str, Any]:
    """Return the documents by the steps after which they stand there."""
    page = ROOT / "tests" / "testdata" / "threads" / "section_7_1.yaml"
    documents: dict[str, Any] = yaml.safe_load(page.read_text(encoding="utf-8"))
    return documents


def units() -> Mapping[str, InteractionUnit]:
    """Return the units of section 7.2."""
    both = responsor("三章的大纲", "third_phase")
    return {
        "initial_phase": Starter(responsor=both, next_phase="second_phase"),
        "second_phase": both,
        "third_phase": requester("全文", "completed"),
    }


class NotedRows(ThreadRows):
    """Rows that note their document after the prepare step, the opening, each unit and the end."""

    def __init__(self) -> None:
        super().__init__("preparing")
        self.documents: dict[str, Any] = {}

    async def write(self, changes: tuple[ThreadWrite, ...]) -> None:
        await super().write(changes)
        if name := self._step(changes):
            self.documents[name] = print_document(self.restored())

    def _step(self, changes: tuple[ThreadWrite, ...]) -> str:
        for change in changes:
            if isinstance(change, NewThread):
                return "after the opening"
            if isinstance(change, MessageWritten) and change.replaces:
                return "at the end"
            if isinstance(change, SettingsWritten) and change.thread_id:
                is_moved = change.settings.suggested_phase is None
                return f"in {change.settings.phase}" if is_moved else ""
        return ""


async def test_after_each_step_the_document_is_the_printed_one() -> None:
    """003-7.1: prepare, open, each unit of 7.2, end; rows give the nested document each time."""
    rows = NotedRows()
    prepare, execute = two_steps(sub_agent(units))
    agent = await main_agent(
        lambda: {"preparing": prepare, "work": execute, "finished": OtherSays()}
    ).create(METADATA, {})
    thread = rows.restored()
    first = await agent.execute_task(task_at(MAIN, rows.host(thread), "写一篇文章"), thread)
    rows.documents["after the prepare step"] = print_document(rows.restored())
    await agent.execute_task(again(first.next_tasks[0], rows, thread), thread)
    assert list(rows.documents) == list(printed())
    for step, document in printed().items():
        assert rows.documents[step] == document, step


def again(task: Task, rows: ThreadRows, thread: Thread) -> Task:
    """Return a task as a host gives it back."""
    return replace(task, host_utils=rows.host(thread))
