"""Which inputs a turn takes, and what its snapshot holds."""

from __future__ import annotations

from datetime import timedelta

from heartrule.domain.conversation import Audience, IfBusy, Part, Role, UserInput, text_part
from heartrule.domain.events import Outcome, TurnStarted
from session_store.ports import Store
from session_store.records import NoTurn, TurnKind, TurnLater
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import (
    AT_ONCE,
    INSTANCE,
    LONG,
    accept,
    at_round,
    begun,
    created,
    ended,
    instance,
    last_step,
    opened,
    said,
    step,
)
from tests.support.told import texts


async def test_without_input_nothing_begins(store: Store) -> None:
    """An opened session where nothing waits is idle."""
    key = await opened(store)
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE


async def test_waiting_inputs_become_one_turn(store: Store) -> None:
    """Fragments that wait are one turn, in the order in which they came."""
    key = await opened(store)
    for number in range(3):
        await accept(store, key, f"m{number}", f"part {number}")
    snapshot = await begun(store, key)
    assert texts(snapshot.inputs) == ["part 0", "part 1", "part 2"]
    assert {each.turn_id for each in snapshot.inputs} == {snapshot.turn_id}
    (started,) = snapshot.events
    assert started.body == TurnStarted(client_message_ids=("m0", "m1", "m2"))
    assert (started.turn_id, started.attempt) == (snapshot.turn_id, 1)
    assert started.audience is Audience.CLIENT


async def test_inputs_during_a_turn_become_the_next(store: Store) -> None:
    """What is sent while a turn runs waits, is counted at its end, and is the next turn."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    first = await begun(store, key)
    await accept(store, key, "m2", "two")
    await accept(store, key, "m3", "three")
    assert (await ended(store, first)).inputs_waiting
    second = await begun(store, key)
    assert (texts(second.inputs), second.turn_no) == (["two", "three"], 2)
    assert not (await ended(store, second)).inputs_waiting


async def test_a_queued_input_is_a_turn_of_its_own(store: Store) -> None:
    """QUEUE inputs make one turn each and part the MERGE inputs around them."""
    key = await opened(store)
    modes = "MMQQMM"
    for number, mode in enumerate(modes):
        busy = IfBusy.QUEUE if mode == "Q" else IfBusy.MERGE
        await accept(store, key, f"m{number}", str(number), if_busy=busy)
    turns = []
    for _ in range(4):
        snapshot = await begun(store, key)
        turns.append("".join(texts(snapshot.inputs)))
        await ended(store, snapshot)
    assert turns == ["01", "2", "3", "45"]


async def test_an_open_merge_window_holds_the_turn_back(store: Store) -> None:
    """While the merge window is open, waiting inputs begin no turn, and the rest of it is told."""
    key = await opened(store, merge_window=LONG)
    await accept(store, key)
    later = await store.begin_turn(key, owner="me", ttl=LONG)
    assert isinstance(later, TurnLater)
    assert LONG - timedelta(minutes=5) < later.delay <= LONG
    assert (await store.get_session(key)).pending_client_message_ids == ("m1",)


async def test_the_merge_window_counts_from_the_oldest_input(
    clocked: Store, clock: ManualClock
) -> None:
    """Further fragments prolong nothing: the window closes counted from the first."""
    key = await opened(clocked, merge_window=timedelta(seconds=1))
    await accept(clocked, key, "m1")
    clock.move(timedelta(milliseconds=600))
    await accept(clocked, key, "m2")
    later = await clocked.begin_turn(key, owner="me", ttl=LONG)
    assert isinstance(later, TurnLater)
    assert abs(later.delay - timedelta(milliseconds=400)) < timedelta(milliseconds=1)
    clock.move(timedelta(milliseconds=400) + A_MOMENT)
    assert len((await begun(clocked, key)).inputs) == 2


async def test_a_queued_input_waits_for_no_window(store: Store) -> None:
    """An input that is a turn of its own begins at once."""
    key = await opened(store, merge_window=LONG)
    await accept(store, key, if_busy=IfBusy.QUEUE)
    assert len((await begun(store, key)).inputs) == 1


async def test_a_merge_window_does_not_delay_the_opening(store: Store) -> None:
    """The opening turn begins at once; the inputs that called for it wait for their window."""
    key = await created(store, merge_window=LONG)
    await accept(store, key)
    first = await begun(store, key)
    assert first.kind is TurnKind.OPENING
    await ended(store, first)
    assert isinstance(await store.begin_turn(key, owner="me", ttl=LONG), TurnLater)


async def test_an_ended_session_begins_no_turn(store: Store) -> None:
    """Inputs left waiting when the script ends stay in the history and have no turn."""
    key = await opened(store)
    await accept(store, key, "m1")
    snapshot = await begun(store, key)
    await accept(store, key, "m2")
    bye = last_step(snapshot, outcome=Outcome.SESSION_COMPLETED)
    assert not (await store.commit_step(snapshot.lease, bye)).inputs_waiting
    assert await store.begin_turn(key, owner="me", ttl=LONG) is NoTurn.IDLE
    left = await accept(store, key, "m2")
    assert (left.duplicate, left.turn_id, left.turn_state) == (True, "", None)


async def test_a_snapshot_holds_the_sessions_facts(store: Store) -> None:
    """A snapshot names the script, the user and the place where the session stands."""
    key = await opened(store, user_id="u", locale="zh-CN", time_zone="Asia/Shanghai")
    await accept(store, key)
    snapshot = await begun(store, key)
    assert (snapshot.script_id, snapshot.script_version) == ("script", "v1")
    assert snapshot.plan_revision == (await store.get_session(key)).plan_revision
    assert (snapshot.user_id, snapshot.locale) == ("u", "zh-CN")
    assert snapshot.time_zone == "Asia/Shanghai"
    assert (snapshot.position, snapshot.last_ai_message) == (at_round(1), "question 1")
    assert (snapshot.kind, snapshot.steps, snapshot.advice) == (TurnKind.INPUT, 0, None)
    assert (snapshot.lease.key, snapshot.lease.owner) == (key, "me")


async def test_a_step_may_change_the_sessions_language(store: Store) -> None:
    """The language asked for stands until a step names another; later steps leave it."""
    key = await opened(store, locale="zh-CN", language="zh-CN")
    await accept(store, key)
    snapshot = await begun(store, key)
    assert snapshot.language == "zh-CN"
    await store.commit_step(snapshot.lease, step(snapshot, said("a"), language="en"))
    await store.commit_step(snapshot.lease, last_step(snapshot, said("b")))
    await accept(store, key, client_message_id="m2")
    assert (await begun(store, key)).language == "en"
    record = await store.get_session(key)
    assert (record.locale, record.language) == ("zh-CN", "en")


async def test_a_snapshot_holds_the_plan_of_its_topic(store: Store) -> None:
    """Only the current topic's instances are given, by their place in the queue."""
    key = await opened(store)
    await accept(store, key)
    first = await begun(store, key)
    done = instance(memory={"strategy": "温和", "n": [1]})
    rows = (instance("i3", 2), done, instance("i2", 1), instance("other", 0, topic_id="t2"))
    await store.commit_step(first.lease, last_step(first, instances=rows))
    await accept(store, key, "m2")
    plan = (await begun(store, key)).plan
    assert [each.action_instance_id for each in plan] == [INSTANCE, "i2", "i3"]
    assert plan[0] == done


async def test_a_turn_takes_the_shortest_time_out(store: Store) -> None:
    """Of the inputs' time-outs the shortest counts; inputs that name none do not."""
    key = await opened(store)
    for name, seconds in (("m1", 30), ("m2", 20)):
        await accept(store, key, name, turn_timeout=timedelta(seconds=seconds))
    await accept(store, key, "m3")
    first = await begun(store, key)
    await ended(store, first)
    await accept(store, key, "m4")
    second = await begun(store, key)
    assert (first.turn_timeout, second.turn_timeout) == (timedelta(seconds=20), None)


async def test_a_turn_knows_its_inputs_traces(store: Store) -> None:
    """The trace contexts of the inputs are given in order, the first being the parent's."""
    key = await opened(store)
    await accept(store, key, "m1", traceparent="00-1")
    await accept(store, key, "m2")
    await accept(store, key, "m3", traceparent="00-3")
    assert (await begun(store, key)).traceparents == ("00-1", "00-3")


async def test_the_window_leaves_out_what_is_to_be_judged(store: Store) -> None:
    """The window is what was said before: neither this turn's inputs nor waiting ones."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    await ended(store, await begun(store, key), said("question 2"))
    await accept(store, key, "m2", "two")
    snapshot = await begun(store, key)
    await accept(store, key, "m3", "three")
    assert texts(snapshot.window) == ["question 1", "one", "question 2"]
    roles = [each.role for each in snapshot.window]
    assert roles == [Role.ASSISTANT, Role.CLIENT, Role.ASSISTANT]


async def test_the_window_has_each_message_as_text(store: Store) -> None:
    """A message of several parts is one line of the window; a part without text is its fallback."""
    key = await opened(store)
    parts = (text_part("yes"), text_part(""), Part(fallback_text="a photo"), Part())
    await store.accept_input(key, UserInput(client_message_id="m1", parts=parts))
    await ended(store, await begun(store, key), said("question 2"))
    await accept(store, key, "m2", "two")
    window = (await begun(store, key)).window
    assert texts(window) == ["question 1", "yes\n\na photo\n", "question 2"]


async def test_the_window_follows_the_conversation(store: Store) -> None:
    """An input sent during a turn stands behind that turn's messages, though stored before."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    first = await begun(store, key)
    await accept(store, key, "m2", "two")
    await ended(store, first, said("question 2"))
    await ended(store, await begun(store, key), said("question 3"))
    await accept(store, key, "m3", "three")
    window = texts((await begun(store, key)).window)
    assert window == ["question 1", "one", "question 2", "two", "question 3"]


async def test_judged_inputs_are_in_the_window_of_a_resumed_turn(store: Store) -> None:
    """A resumed turn whose inputs a committed step judged sees them as history."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    lost = await begun(store, key, ttl=AT_ONCE)
    await store.commit_step(lost.lease, step(lost, said("question 2"), inputs_consumed=True))
    again = await begun(store, key)
    assert again.inputs_consumed
    assert texts(again.window) == ["question 1", "one", "question 2"]


async def test_unjudged_inputs_of_a_resumed_turn_stay_out_of_the_window(store: Store) -> None:
    """A step that judged nothing leaves the inputs to be judged, its own message as history."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    lost = await begun(store, key, ttl=AT_ONCE)
    await store.commit_step(lost.lease, step(lost, said("help is at hand")))
    again = await begun(store, key)
    assert not again.inputs_consumed
    assert texts(again.window) == ["question 1", "help is at hand"]
    assert texts(again.inputs) == ["one"]


async def test_the_window_moves_on_in_blocks_of_turns(store: Store) -> None:
    """Up to turn 39 all is in the window; from turn 40 on, and up to 69, turns 30 and later."""
    key = await opened(store)
    firsts = {}
    for number in range(1, 42):
        await accept(store, key, f"m{number}", str(number))
        snapshot = await begun(store, key)
        firsts[snapshot.turn_no] = snapshot.window[0].text
        await ended(store, snapshot)
    assert {number: firsts[number] for number in (1, 39, 40, 41)} == {
        1: "question 1",
        39: "question 1",
        40: "30",
        41: "30",
    }
