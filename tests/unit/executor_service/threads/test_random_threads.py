"""Any sequence of changes: the aggregate, its rows and a naive document say the same."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from executor_service.threads.thread_document import print_document
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.errors import HeartRuleError
from heartrule.domain.thread_changes import ThreadEnd
from heartrule.domain.threads import ThreadMessage, ThreadRole, ThreadSettings, ThreadState
from tests.support.naive_threads import NaiveThreads
from tests.support.thread_parts import a_sub_thread
from tests.support.thread_rows import ThreadRows

WHICH = st.integers(min_value=0, max_value=1_000)
SHORT = (
    "tests/unit/executor_service/threads/test_random_threads.py"
    "::test_a_few_sequences_of_changes_leave_document_and_rows_equal"
)


class ThreadsAgainstADocument(RuleBasedStateMachine):
    """Every rule picks a thread and a message that may be there or not."""

    def __init__(self) -> None:
        super().__init__()
        self.rows, self.naive = ThreadRows("start"), NaiveThreads("start")
        self.thread = self.rows.restored()
        self.made = 0

    # --- what happens ----------------------------------------------------------------------------

    @rule(which=WHICH, is_users=st.booleans(), is_placeholder=st.booleans())
    def write(self, which: int, *, is_users: bool, is_placeholder: bool) -> None:
        """A message is written at the end of a thread."""
        path, at = self.a_path(which)
        role = ThreadRole.USER if is_users else ThreadRole.BOT
        self.made += 1
        name = f"m{self.made}"
        message = ThreadMessage(
            message_id=name,
            role=role,
            text=name,
            phase=self.thread.resolve(at).settings.phase,
            is_placeholder=is_placeholder,
        )
        if self.tried(lambda: self.thread.append(at, message), allowed=self.naive.is_open(path)):
            drawn = {"id": name, "role": role.value, "text": name}
            self.naive.append(path, drawn, is_placeholder=is_placeholder)

    @rule(which=WHICH, where=WHICH)
    def nest(self, which: int, where: int) -> None:
        """A thread is opened in a message."""
        path, at = self.a_path(which)
        number, message_id = self.a_message(path, where)
        self.made += 1
        allowed = (
            number >= 0
            and self.naive.is_open(path)
            and at.depth < 8
            and "_thread" not in self.naive.message(path, number).get("meta", {})
        )
        opened = a_sub_thread(f"t{self.made}")
        if self.tried(lambda: self.thread.nest(at, message_id, opened), allowed=allowed):
            self.naive.nest(path, number, opened.thread_id)

    @rule(which=WHICH, where=WHICH)
    def put_in(self, which: int, where: int) -> None:
        """A result takes the place of a placeholder."""
        path, at = self.a_path(which)
        number, message_id = self.a_message(path, where)
        self.made += 1
        name = f"m{self.made}"
        result = ThreadMessage(message_id=name, role=ThreadRole.BOT, text=name)
        allowed = message_id in self.naive.placeholders and self.naive.is_open(path)
        if self.tried(lambda: self.thread.replace(at, message_id, result), allowed=allowed):
            self.naive.replace(path, number, name)

    @rule(which=WHICH, where=WHICH)
    def take_out(self, which: int, where: int) -> None:
        """A message is removed, unless a thread runs in it."""
        path, at = self.a_path(which)
        number, message_id = self.a_message(path, where)
        allowed = (
            number >= 0
            and self.naive.is_open(path)
            and not self.naive.runs_in(self.naive.message(path, number))
        )
        if self.tried(lambda: self.thread.remove(at, message_id), allowed=allowed):
            self.naive.remove(path, number)

    @rule(which=WHICH, where=WHICH)
    def go_back(self, which: int, where: int) -> None:
        """A thread goes back to a message of the user, unless a thread runs in what came later."""
        path, at = self.a_path(which)
        number, message_id = self.a_message(path, where)
        node = self.naive.at(path)
        assert node is not None
        allowed = (
            number >= 0
            and self.naive.is_open(path)
            and self.naive.message(path, number)["role"] == "user"
            and not any(map(self.naive.runs_in, node["messages"][number + 1 :]))
        )
        if self.tried(lambda: self.thread.cut(at, message_id), allowed=allowed):
            self.naive.cut(path, number)

    @rule(which=WHICH, phase=st.sampled_from("abc"), suggested=st.sampled_from(["", "x", "y"]))
    def move(self, which: int, phase: str, suggested: str) -> None:
        """A thread is in another phase, or has a suggestion."""
        path, at = self.a_path(which)
        changed = ThreadSettings(phase=phase, suggested_phase=suggested or None)
        if self.tried(
            lambda: self.thread.set_settings(at, changed), allowed=self.naive.is_open(path)
        ):
            node = self.naive.at(path)
            assert node is not None
            node["settings"] = {"briefStatus": {"phase": phase}}
            if suggested:
                node["settings"]["_phaseUpdateSuggestion"] = {"phase": suggested}

    @rule(which=WHICH, state=st.sampled_from(["completed", "failed", "cancelled"]))
    def end(self, which: int, state: str) -> None:
        """A thread ends, or is cancelled; what runs in it is cancelled."""
        path, at = self.a_path(which)
        end = ThreadEnd(thread_id="", state=ThreadState(state))
        allowed = path != "" and self.naive.is_open(path)
        if self.tried(lambda: self.thread.finish(at, end), allowed=allowed):
            self.naive.finish(path, state)

    @rule(which=WHICH, where=WHICH)
    def look_beside(self, which: int, where: int) -> None:
        """A path to a message that is not there, or that has no thread, leads nowhere."""
        path, at = self.a_path(which)
        number, _ = self.a_message(path, where)
        inner = at.below(number if number >= 0 else 10_000)
        found = self.naive.at(str(inner))
        if self.tried(lambda: self.thread.resolve(inner), allowed=found is not None):
            assert found is not None
            assert self.thread.resolve(inner).thread_id == found["id"]

    @rule()
    def save_and_crash(self) -> None:
        """What changed is written, the process dies, another one reads the rows."""
        asyncio.run(self.rows.host(self.thread).thread_repository.save_thread(self.thread))
        self.thread = self.rows.restored()

    # --- what is true ----------------------------------------------------------------------------

    @invariant()
    def the_document_is_the_naive_one(self) -> None:
        """Whatever happened, the printed document is the one that was changed plainly."""
        assert print_document(self.thread, with_ids=True) == self.naive.document

    @invariant()
    def each_path_leads_to_its_thread(self) -> None:
        """A path of the document leads to the thread of that id, and the thread knows its path."""
        states = {each.thread_id: each.state.value for each in self.thread.sub_threads()}
        assert states == self.naive.states
        for path, node in self.naive.threads()[1:]:
            parsed = ThreadPath.parse(path)
            assert self.thread.resolve(parsed, node["id"]).thread_id == node["id"]
            assert self.thread.path_of(node["id"]) == parsed

    # --- within ----------------------------------------------------------------------------------

    def a_path(self, which: int) -> tuple[str, ThreadPath]:
        paths = [path for path, _ in self.naive.threads()]
        path = paths[which % len(paths)]
        return path, ThreadPath.parse(path) if path else MAIN

    def a_message(self, path: str, where: int) -> tuple[int, str]:
        """Return a message of a thread, or -1 and an id that is nowhere."""
        node = self.naive.at(path)
        assert node is not None
        number = where % (len(node["messages"]) + 1) - 1
        return number, node["messages"][number]["id"] if number >= 0 else "nowhere"

    def tried(self, change: object, *, allowed: bool) -> bool:
        """Make a change; it is refused without a trace where it is not allowed."""
        before = self.thread.unsaved
        try:
            change()  # type: ignore[operator]
        except HeartRuleError:
            assert not allowed
            assert self.thread.unsaved == before
            return False
        assert allowed
        return True


def play(examples: int, steps: int) -> None:
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large)
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=checks,
    )
    run_state_machine_as_test(ThreadsAgainstADocument, settings=chosen)


def test_a_few_sequences_of_changes_leave_document_and_rows_equal() -> None:
    """T1, T2, T4, T8, T11, T13: every path is valid or refused, and rows give the document."""
    play(examples=60, steps=30)


@pytest.mark.slow
@pytest.mark.timeout(1_800)
@pytest.mark.long(short=SHORT)
def test_ten_thousand_sequences_of_changes_leave_document_and_rows_equal() -> None:
    """T1, T2, T4, T8, T11, T13: the same over ten thousand sequences."""
    play(examples=10_000, steps=30)
