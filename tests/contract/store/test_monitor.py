"""Monitor requests (RESOLUTIONS C13)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from heartrule.domain.action_result import ActionMetrics, DebugInfo, ProgressSuggestion
from heartrule.domain.conversation import Audience, Role
from heartrule.domain.events import AnalysisEnded
from heartrule.domain.keys import SessionKey
from heartrule.domain.monitoring import AnalysisOutcome, DialogueLine, RoundMetrics
from session_store.ports import Store
from session_store.records import MonitorTicket, Page
from tests.support.clock import A_MOMENT, ManualClock
from tests.support.store_builders import (
    AT_ONCE,
    INSTANCE,
    LONG,
    accept,
    advised,
    analysed,
    at_round,
    begun,
    call,
    claimed,
    ended,
    given,
    instance,
    judged,
    judged_turn,
    last_step,
    opened,
    said,
    ticket,
    variable,
)


async def test_a_judged_round_is_a_request(store: Store) -> None:
    """A step that asks for the monitor leaves a request; one that does not leaves none."""
    key = await opened(store)
    await judged_turn(store, key, 1, monitor_requested=False)
    assert await store.due_monitor_requests(10) == ()
    await judged_turn(store, key, 2)
    assert await store.due_monitor_requests(10) == (ticket(2),)
    assert await store.claim_monitor_request(ticket(1), owner="me", ttl=LONG) is None


async def test_a_request_holds_what_was_judged(store: Store) -> None:
    """A claimed request names script, place, turn and result of the judged round."""
    key = await opened(store)
    verbose = judged(1, debug_info=DebugInfo(call_ids=("call_1",)))
    snapshot = await judged_turn(store, key, result=verbose, traceparent="00-round")
    work = await claimed(store)
    assert (work.ticket, work.attempt, work.stale) == (ticket(1), 1, False)
    assert (work.script_id, work.script_version) == ("script", "v1")
    assert (work.phase_id, work.topic_id, work.max_rounds) == ("p1", "t1", 5)
    assert (work.turn_id, work.traceparent) == (snapshot.turn_id, "00-round")
    assert work.result == verbose


async def test_a_request_keeps_its_place_when_the_action_ended(store: Store) -> None:
    """The place is where the round was judged, not where the session went from there."""
    key = await opened(store)
    gone = at_round(0, phase_id="p2", topic_id="t2", action_instance_id="ai_9", max_rounds=1)
    await judged_turn(store, key, position=gone)
    work = await claimed(store)
    assert (work.phase_id, work.topic_id, work.max_rounds) == ("p1", "t1", 5)


async def test_a_request_holds_question_reply_and_answer(store: Store) -> None:
    """The dialogue is the question before the reply, each judged message, and the answer."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    await accept(store, key, "m2", "two")
    snapshot = await begun(store, key)
    await accept(store, key, "m3", "of the next turn")
    done = last_step(snapshot, said("question 2"), result=judged(1), monitor_requested=True)
    await store.commit_step(snapshot.lease, done)
    await ended(store, await begun(store, key), said("question 3"))
    assert (await claimed(store)).dialogue == (
        DialogueLine(role=Role.ASSISTANT, text="question 1"),
        DialogueLine(role=Role.CLIENT, text="one"),
        DialogueLine(role=Role.CLIENT, text="two"),
        DialogueLine(role=Role.ASSISTANT, text="question 2"),
    )


async def test_the_answer_is_that_of_the_judging_step(store: Store) -> None:
    """Neither resources shown before nor what the next action says belong to the answer."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    snapshot = await begun(store, key)
    goes_on = replace(
        last_step(snapshot, said("help is at hand", role=Role.SYSTEM), said("thank you")),
        end=None,
        result=judged(1),
        monitor_requested=True,
    )
    await store.commit_step(snapshot.lease, goes_on)
    await ended(store, snapshot, said("next topic"))
    lines = [line.text for line in (await claimed(store)).dialogue]
    assert lines == ["question 1", "one", "thank you"]


async def test_the_question_is_the_assistants_last_word(store: Store) -> None:
    """Neither resources shown after the question nor the client's own words are the question."""
    key = await opened(store)
    await accept(store, key, "m1", "one")
    first = await begun(store, key)
    await ended(store, first, said("question 2"), said("help is at hand", role=Role.SYSTEM))
    await judged_turn(store, key)
    assert (await claimed(store)).dialogue[0].text == "question 2"


async def test_a_round_without_a_suggestion_went_on(store: Store) -> None:
    """In a trend, a round that suggested nothing counts as one to be continued."""
    key = await opened(store)
    await judged_turn(store, key, result=judged(1, progress_suggestion=None))
    await judged_turn(store, key, 2)
    (earlier,) = (await claimed(store, 2)).trend
    assert earlier.progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED


async def test_a_request_holds_the_trend(store: Store) -> None:
    """The trend is the three rounds before, oldest first, of this instance, with metrics."""
    key = await opened(store)
    suggestion = ProgressSuggestion.OFF_TOPIC
    for round_no in (1, 2, 3, 4):
        result = judged(round_no, progress_suggestion=suggestion)
        await judged_turn(store, key, round_no, result=result, monitor_requested=False)
    opening = judged(5, metrics=None)
    await judged_turn(store, key, 5, result=opening, monitor_requested=False)
    other = judged(5, action_instance_id="ai_2")
    await judged_turn(store, key, 6, result=other, monitor_requested=False)
    await judged_turn(store, key, 7, result=judged(6))
    await judged_turn(store, key, 8, result=judged(7))
    assert (await claimed(store, 6)).trend == tuple(
        RoundMetrics(
            round=round_no,
            metrics=ActionMetrics(user_engagement=f"high in {round_no}"),
            progress_suggestion=suggestion,
        )
        for round_no in (2, 3, 4)
    )


async def test_a_claimed_request_is_held(store: Store) -> None:
    """While one works on a request it is not due, and no one else can claim it."""
    await judged_turn(store, await opened(store))
    await claimed(store)
    assert await store.due_monitor_requests(10) == ()
    for owner in ("me", "you"):
        assert await store.claim_monitor_request(ticket(), owner=owner, ttl=LONG) is None


async def test_a_claim_ends_with_its_time(clocked: Store, clock: ManualClock) -> None:
    """A request whose claimant is silent past its time is due again."""
    await judged_turn(clocked, await opened(clocked))
    await claimed(clocked, ttl=timedelta(seconds=30))
    clock.move(timedelta(seconds=29))
    assert await clocked.due_monitor_requests(10) == ()
    clock.move(timedelta(seconds=1) + A_MOMENT)
    assert await clocked.due_monitor_requests(10) == (ticket(),)


async def test_a_request_is_tried_twice(store: Store) -> None:
    """A second attempt is given where the first died; a third is not."""
    await judged_turn(store, await opened(store))
    attempts = [(await claimed(store, ttl=AT_ONCE)).attempt for _ in range(2)]
    assert attempts == [1, 2]
    assert await store.claim_monitor_request(ticket(), owner="me", ttl=LONG) is None


async def test_a_request_whose_attempts_died_can_be_ended(store: Store) -> None:
    """A request tried twice in vain is given as exhausted, so that somebody ends it."""
    key = await opened(store)
    await judged_turn(store, key)
    assert [each.exhausted for each in await store.due_monitor_requests(10)] == [False]
    for _ in range(2):
        await claimed(store, ttl=AT_ONCE)
    (due,) = await store.due_monitor_requests(10)
    assert due.exhausted
    (event,) = await store.finish_analysis(analysed(due, outcome=AnalysisOutcome.FAILED))
    assert isinstance(event.body, AnalysisEnded)
    assert await store.due_monitor_requests(10) == ()


async def test_an_ended_analysis_is_told_to_operators(store: Store) -> None:
    """The end of an analysis is told outside any turn, also where there is no advice."""
    key = await opened(store)
    snapshot = await judged_turn(store, key)
    await claimed(store)
    record = analysed(ticket(), outcome=AnalysisOutcome.DROPPED, reason="STALE")
    (event,) = await store.finish_analysis(record)
    assert event.body == AnalysisEnded(
        action_instance_id=INSTANCE,
        about_round=1,
        judged_turn_id=snapshot.turn_id,
        result=AnalysisOutcome.DROPPED,
        reason="STALE",
    )
    assert (event.turn_id, event.attempt) == ("", 0)
    assert event.audience is Audience.OPERATOR
    assert (await store.read_events(key, event.sequence - 1)) == (event,)


async def test_an_analysis_with_advice_names_it(store: Store) -> None:
    """The end of an analysis bears the id of the advice it made, and comes after it."""
    key = await opened(store)
    await judged_turn(store, key)
    events = await advised(store)
    assert isinstance(events[-1].body, AnalysisEnded)
    assert events[-1].body.advice_id == "adv_1"
    assert await store.read_events(key, events[0].sequence - 1) == events


async def test_an_analysis_ends_once(store: Store) -> None:
    """A second outcome of the same request changes nothing."""
    key = await opened(store)
    await judged_turn(store, key)
    await advised(store)
    before = (await store.get_session(key)).last_sequence
    assert await store.finish_analysis(analysed(ticket(), calls=(call(),))) == ()
    assert (await store.get_session(key)).last_sequence == before
    assert await store.list_calls(key, Page()) == ([], "")
    assert await store.claim_monitor_request(ticket(), owner="me", ttl=LONG) is None


async def test_an_analysis_ends_while_a_turn_runs(store: Store) -> None:
    """Advice takes numbers beside a running turn and does not disturb it."""
    key = await opened(store)
    await judged_turn(store, key)
    await accept(store, key)
    snapshot = await begun(store, key)
    await advised(store)
    await ended(store, snapshot, said("undisturbed"))
    events = await store.read_events(key, 0)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))


async def test_a_request_is_stale_past_two_turns(store: Store) -> None:
    """Once the session is more than two turns further, the analysis is no longer wanted."""
    key = await opened(store)
    await judged_turn(store, key)
    for round_no in (2, 3, 4):
        await judged_turn(store, key, round_no)
    stale = [(await claimed(store, round_no)).stale for round_no in (1, 2, 4)]
    assert stale == [True, False, False]


async def test_an_unknown_request_is_none(store: Store) -> None:
    """A ticket that names no request is neither claimed nor finished."""
    await opened(store)
    for key in (SessionKey("t", "s1"), SessionKey("t", "nobody")):
        unknown = MonitorTicket(key=key, action_instance_id=INSTANCE, round=1)
        assert await store.claim_monitor_request(unknown, owner="me", ttl=LONG) is None
        assert await store.finish_analysis(analysed(unknown)) == ()


async def test_due_requests_are_bounded(store: Store) -> None:
    """At most as many requests are given as were asked for."""
    key = await opened(store)
    for round_no in (1, 2, 3):
        await judged_turn(store, key, round_no, instances=(instance(round=round_no),))
    assert len(await store.due_monitor_requests(2)) == 2
    assert set(await store.due_monitor_requests(9)) == {ticket(1), ticket(2), ticket(3)}


async def test_the_work_holds_what_rounds_gathered(store: Store) -> None:
    """The newest value of each with its quote; a declared value rests on nothing."""
    key = await opened(store)
    await judged_turn(store, key, 1, variables=(given("a", 1), given("b", 1), variable("c", 1)))
    await judged_turn(store, key, 2, variables=(given("b", 2, quote="two"),))
    gathered = (await claimed(store, 2)).gathered
    assert {each.name: (each.value, each.quote) for each in gathered} == {
        "a": (1, ""),
        "b": (2, "two"),
    }


async def test_the_work_holds_what_was_said_before_the_question(store: Store) -> None:
    """At most five messages, oldest first, the client's and the assistant's."""
    key = await opened(store)
    for number in range(1, 5):
        await judged_turn(store, key, number, instances=(instance(round=number),))
    before = [line.text for line in (await claimed(store, 4)).dialogue_before]
    assert before == ["answer 1", "question 2", "answer 2", "question 3", "answer 3"]
