"""Random threads of sub-agents for a play on a store."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from heartrule.domain.keys import SessionKey
from heartrule.domain.thread_changes import (
    MessagesRemoved,
    MessageWritten,
    NewThread,
    ThreadEnd,
    ThreadWrite,
)
from heartrule.domain.threads import ThreadRole, ThreadState
from session_store.records import Page, StepCommit
from session_store.records.runs import RunLease, TakenRun
from session_store.records.threads import ThreadCheckpoint, ThreadFilter, ThreadRunEnd
from tests.support.store_builders import LONG, call, said
from tests.support.store_runs import BADLY, WELL
from tests.support.store_threads import (
    PLAIN,
    TIMED_OUT,
    agent_run,
    nested,
    phase,
    placeholder,
    spoken,
    thread,
)

Do: TypeAlias = Callable[..., Awaitable[object]]


@dataclass
class RandomThreads:
    """The threads of one play, and who works on them."""

    do: Do
    dice: Random
    keys: Sequence[SessionKey]
    begun: int = 0
    known: list[tuple[SessionKey, str]] = field(default_factory=list)
    """Outermost threads that began, as far as the play knows, by their numbers."""
    leases: list[tuple[RunLease, str]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    """Placeholders that were said."""
    lengths: dict[str, int] = field(default_factory=dict)
    """Messages of a thread, as far as the play knows."""

    def in_step(self, key: SessionKey, step: StepCommit) -> StepCommit:
        """Return the step with a thread that it opens, or what takes a place; mostly neither."""
        drawn = self.dice.random()
        if drawn < 0.2:
            return self._with_thread(key, step)
        if drawn < 0.25 and self.places:
            name = self.dice.choice(self.places[-3:])
            own = said("own", message_id=self._id("own"), replaces_message_id=name)
            return replace(step, messages=(*step.messages, own))
        return step

    def _with_thread(self, key: SessionKey, step: StepCommit) -> StepCommit:
        number = self._next()
        announced = placeholder(message_id=self._id("place"))
        is_one = self.dice.random() < 0.9
        anchor = announced if is_one else said("plain", message_id=self._id("plain"))
        new = thread(f"thr_{number}", anchor.message_id, run_id=f"agent_{number}")
        run = agent_run(
            f"agent_{number}",
            f"thr_{number}",
            timeout=LONG,
            priority=self.dice.randrange(11),
            is_announced=self.dice.random() < 0.8,
        )
        self.known.append((key, str(number)))
        self.places += [anchor.message_id] * is_one
        end = step.end
        if end is not None:
            end = replace(end, message_ids=(*end.message_ids, anchor.message_id))
        return replace(
            step,
            messages=(*step.messages, anchor),
            threads=(NewThread(thread=new, plain_text=PLAIN),),
            runs=(*step.runs, run),
            end=end,
        )

    async def move(self) -> None:
        """Do something with a thread, known or not."""
        moves = (
            *(self._take,) * 3,
            *(self._write,) * 7,
            *(self._finish, self._read, self._sweep),
        )
        await self.dice.choice(moves)()

    def _one(self) -> tuple[SessionKey, str]:
        if not self.known or self.dice.random() < 0.1:
            return self.dice.choice(self.keys), str(self.dice.randrange(9))
        return self.dice.choice(self.known[-4:])

    async def _take(self) -> None:
        _, number = self._one()
        found = await self.do("take_run", f"agent_{number}", owner=self.dice.choice("ab"))
        if isinstance(found, TakenRun):
            self.leases.append((found.lease, found.thread_id))

    def _lease(self) -> tuple[RunLease, str] | None:
        return self.dice.choice(self.leases[-3:]) if self.leases else None

    async def _write(self) -> None:
        """Write a checkpoint, by whoever has the run or had it."""
        held = self._lease()
        if held is None:
            return await self._take()
        lease, outermost = held
        writes = tuple(self._drawn(outermost) for _ in range(self.dice.choice([1, 1, 1, 2, 3])))
        written = ThreadCheckpoint(
            writes=writes,
            label=self.dice.choice(["", "", "works"]),
            calls=(call(self._id("thread_call")),) * self.dice.randrange(2),
            calls_of=outermost,
        )
        await self.do("checkpoint", lease, written)
        return None

    def _drawn(self, outermost: str) -> ThreadWrite:
        name = self.dice.choice([outermost] * 3 + [f"{outermost}_in"])
        drawn = self.dice.random()
        if drawn < 0.5:
            return self._message(name)
        if drawn < 0.75:
            return phase(self.dice.choice("xyz"), self.dice.choice([None, "z"]), name)
        place = f"{name}_m{self.dice.randrange(max(1, self.lengths.get(name, 1)))}"
        if drawn < 0.87:
            return nested(f"{name}_in", name, place, 2 + name.count("_in"))
        if drawn < 0.93:
            return MessagesRemoved(thread_id=name, message_ids=(place,))
        state = self.dice.choice([ThreadState.COMPLETED, ThreadState.FAILED])
        return ThreadEnd(thread_id=name, state=state, result_text="inner")

    def _message(self, name: str) -> MessageWritten:
        number = self.lengths.get(name, 0)
        if number and self.dice.random() < 0.2:
            earlier = self.dice.randrange(number)
            result = spoken(earlier, message_id=self._id(f"{name}_r"), role=ThreadRole.BOT)
            return MessageWritten(thread_id=name, message=result, replaces=f"{name}_m{earlier}")
        self.lengths[name] = number + 1
        message = spoken(
            number,
            message_id=f"{name}_m{number}",
            is_placeholder=self.dice.random() < 0.4,
            meta=self.dice.choice([{}, {"注": [1]}]),
        )
        return MessageWritten(thread_id=name, message=message)

    async def _finish(self) -> None:
        held, drawn = self._lease(), self.dice.random()
        if held is None or drawn < 0.2:
            key, number = self._one()
            await self.do("cancel_run", key, f"agent_{number}")
        elif drawn < 0.35:
            await self.do("finish_run", held[0], self.dice.choice([WELL, BADLY]))
        else:
            await self.do("finish_thread", held[0], self._end(held[1]))

    def _end(self, thread_id: str) -> ThreadRunEnd:
        is_well = self.dice.random() < 0.7
        end = ThreadEnd(
            thread_id=thread_id,
            state=ThreadState.COMPLETED if is_well else ThreadState.FAILED,
            result_text=f"found {thread_id}" * is_well,
            values={"found": 1} if is_well else {},
            failure_code="" if is_well else "UNITS_SPENT",
        )
        calls = (call(self._id("thread_call")),) * self.dice.randrange(2)
        return ThreadRunEnd(end=end, failure=None if is_well else TIMED_OUT, calls=calls)

    async def _read(self) -> None:
        key, number = self._one()
        name = f"thr_{number}"
        for method in ("get_thread", "read_thread_tree"):
            await self.do(method, key, name)
        await self.do("read_run_threads", key, f"agent_{number}")
        await self.do("list_thread_messages", key, name, Page(size=3))
        await self.do("paths_of", key, [name, f"{name}_in"])
        await self.do("thread_at", key, (self.dice.randrange(12),))
        wanted = ThreadFilter(state=self.dice.choice([None, *ThreadState]))
        await self.do("list_threads", key, Page(size=3), wanted)

    async def _sweep(self) -> None:
        key = self.dice.choice(self.keys)
        await self.do("threads_waiting", key)
        await self.do("admit_runs", key, LONG)

    def _next(self) -> int:
        self.begun += 1
        return self.begun

    def _id(self, kind: str) -> str:
        return f"{kind}-{self._next()}"
