"""Makes the timeline of a turn from its durable events and its model calls.

Nothing is recorded for it: an event has the time of its transaction, and a call its own start and
length. So a step lasts from the commit before it to its own, and an analysis from the commit of the
round it judges to its end (ADR 29).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from executor_service.decision_timeline import decision_spans
from heartrule.domain.action_result import ActionResult
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    MessageCommitted,
    PlanEdited,
    SessionEvent,
    StateChanged,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.model_call import ModelCall, Purpose
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.timeline import (
    TimelineKind,
    TimelineLane,
    TimelineLink,
    TimelineSpan,
    TurnTimeline,
)

_MOMENT = timedelta(0)
# Stands in for the time of a call that has none, so that it sorts first.
_EPOCH = datetime.fromtimestamp(0).astimezone()


def timeline_of(
    turn_id: str,
    events: Sequence[SessionEvent],
    later: Sequence[SessionEvent],
    calls: Sequence[ModelCall],
) -> TurnTimeline:
    """Return the spans of a turn, and those of its analyses, advice and plan edits.

    Args:
        turn_id: The turn.
        events: Its durable events, in order, from its inputs' InputAccepted on.
        later: Events after it, among which are the ends of the analyses that judged it.
        calls: Its model calls, and those of the analyses.
    """
    main = list(_main(turn_id, events))
    beside = [*_analyses(events, later), *_advice(turn_id, events, later), *_edits(turn_id, later)]
    steps = [span for span in main if span.kind is TimelineKind.STEP]
    judging = [span for span in beside if span.kind is TimelineKind.ANALYSIS]
    spans = [*main, *beside, *(_call(each, steps or main, judging) for each in calls)]
    whole = main[0]
    return TurnTimeline(
        turn_id=turn_id,
        start_time=whole.start_time,
        end_time=None if whole.duration is None else whole.start_time + whole.duration,
        spans=tuple(sorted(spans, key=lambda span: (span.start_time, _RANK[span.kind]))),
    )


_RANK = {kind: place for place, kind in enumerate(TimelineKind)}


def _main(turn_id: str, events: Sequence[SessionEvent]) -> Iterator[TimelineSpan]:
    """Yield the turn, its attempts, their steps, and the messages committed."""
    first, last = _time(events[0]), events[-1]
    ended = isinstance(last.body, TurnEnded)
    yield TimelineSpan(
        span_id="turn",
        kind=TimelineKind.TURN,
        name=turn_id,
        start_time=first,
        duration=_time(last) - first if ended else None,
    )
    for attempt in _attempts(events):
        yield from _attempt(attempt)


def _attempts(events: Sequence[SessionEvent]) -> Iterator[Sequence[SessionEvent]]:
    for start in [event for event in events if isinstance(event.body, TurnStarted)]:
        yield [event for event in events if event.attempt == start.attempt]


@dataclass(frozen=True, slots=True)
class _Commit:
    """The events of one step's transaction, and its number in the attempt."""

    number: int
    start: datetime
    events: Sequence[SessionEvent]

    @property
    def name(self) -> str:
        """Return the span's name: the attempt and the step's number in it."""
        return f"attempt-{self.events[-1].attempt}/step-{self.number}"

    def results(self) -> list[ActionResult]:
        """Return the rounds that the step judged."""
        bodies = [event.body for event in self.events]
        return [body.action_result for body in bodies if isinstance(body, ActionResultRecorded)]


def _attempt(events: Sequence[SessionEvent]) -> Iterator[TimelineSpan]:
    start, last = _time(events[0]), events[-1]
    span_id = f"attempt-{last.attempt}"
    facts, duration = {}, None
    if isinstance(last.body, TurnEnded):
        problem, duration = last.body.problem, _time(last) - start
        facts = {"outcome": last.body.outcome.value}
        facts |= {"reason": problem.reason} if problem else {}
    yield TimelineSpan(
        span_id=span_id,
        parent_span_id="turn",
        kind=TimelineKind.ATTEMPT,
        name=f"attempt {last.attempt}",
        start_time=start,
        duration=duration,
        facts=facts,
    )
    for commit in _commits(events):
        yield from _step(commit, span_id)


def _commits(events: Sequence[SessionEvent]) -> Iterator[_Commit]:
    start, number, held = _time(events[0]), 1, list[SessionEvent]()
    for event in events[1:]:
        held.append(event)
        if isinstance(event.body, StateChanged | TurnEnded):
            yield _Commit(number, start, tuple(held))
            start, number, held = _time(event), number + 1, []


def _step(commit: _Commit, attempt: str) -> Iterator[TimelineSpan]:
    results = commit.results()
    facts: dict[str, str] = {}
    for result in results:
        facts = {
            "action_instance_id": result.action_instance_id,
            "action_type": result.action_type,
            "round": str(result.round),
        }
    end = _time(commit.events[-1])
    yield TimelineSpan(
        span_id=commit.name,
        parent_span_id=attempt,
        kind=TimelineKind.STEP,
        name=results[-1].action_id if results else f"step {commit.number}",
        start_time=commit.start,
        duration=end - commit.start,
        facts=facts,
    )
    yield from decision_spans(commit.events, commit.name)
    for event in commit.events:
        if isinstance(event.body, MessageCommitted):
            message = event.body.message
            yield TimelineSpan(
                span_id=f"message/{message.message_id}",
                parent_span_id=commit.name,
                kind=TimelineKind.MESSAGE,
                name=message.action_id or message.role.value,
                start_time=_time(event),
                duration=_MOMENT,
                links=(TimelineLink(relation="tells", message_id=message.message_id),),
            )


def _analyses(
    events: Sequence[SessionEvent], later: Iterable[SessionEvent]
) -> Iterator[TimelineSpan]:
    """Yield each analysis that judged a round of the turn and has ended."""
    judged = [
        (commit, (commit.events[-1].turn_id, result.action_instance_id, result.round))
        for attempt in _attempts(events)
        for commit in _commits(attempt)
        for result in commit.results()
    ]
    for event in later:
        if isinstance(body := event.body, AnalysisEnded):
            about = (body.judged_turn_id, body.action_instance_id, body.about_round)
            for commit, of in judged:
                if of == about:
                    yield _analysis(event, body, commit)


def _analysis(event: SessionEvent, body: AnalysisEnded, judged: _Commit) -> TimelineSpan:
    start = _time(judged.events[-1])
    made = [TimelineLink(relation="made", advice_id=body.advice_id)] if body.advice_id else []
    reason = {"reason": body.reason} if body.reason else {}
    return TimelineSpan(
        span_id=f"analysis/{body.action_instance_id}/{body.about_round}",
        lane=TimelineLane.MONITOR,
        kind=TimelineKind.ANALYSIS,
        name=judged.results()[-1].action_id,
        start_time=start,
        duration=max(_time(event) - start, _MOMENT),
        facts={"result": body.result.value, "round": str(body.about_round)} | reason,
        links=(TimelineLink(relation="judges", span_id=judged.name), *made),
    )


def _advice(
    turn_id: str, events: Sequence[SessionEvent], later: Iterable[SessionEvent]
) -> Iterator[TimelineSpan]:
    """Yield advice the turn used, and what became of advice that was made about it."""
    made = {
        e.body.advice_id
        for e in later
        if isinstance(e.body, AnalysisEnded) and e.body.judged_turn_id == turn_id
    }
    for event in (*events, *later):
        body = event.body
        if not isinstance(body, AdviceChanged):
            continue
        if event.turn_id == turn_id or body.advice.advice_id in made:
            yield _advice_span(event, body, own=event.turn_id == turn_id)


def _advice_span(event: SessionEvent, body: AdviceChanged, *, own: bool) -> TimelineSpan:
    advice = body.advice
    links = [TimelineLink(relation="recorded_as", advice_id=advice.advice_id)]
    if event.turn_id and not own and advice.state is AdviceState.CONSUMED:
        links.append(TimelineLink(relation="used_in", turn_id=event.turn_id))
    if own and advice.state is AdviceState.CONSUMED:
        links.append(TimelineLink(relation="used", advice_id=advice.advice_id))
    return TimelineSpan(
        span_id=f"advice/{advice.advice_id}/{advice.state.value}",
        lane=TimelineLane.MAIN if own else TimelineLane.MONITOR,
        kind=TimelineKind.ADVICE,
        name=advice.action_id,
        start_time=_time(event),
        duration=_MOMENT,
        facts={"state": advice.state.value, "about_round": str(advice.about_round)},
        links=tuple(links),
    )


def _edits(turn_id: str, later: Iterable[SessionEvent]) -> Iterator[TimelineSpan]:
    """Yield what was proposed about the turn, and how it was decided."""
    for event in later:
        body = event.body
        if not isinstance(body, PlanEdited) or body.edit.judged_turn_id != turn_id:
            continue
        edit = body.edit
        links = [TimelineLink(relation="used_in", turn_id=event.turn_id)] if event.turn_id else []
        yield TimelineSpan(
            span_id=f"edit/{edit.edit_id}/{edit.state.value}",
            lane=TimelineLane.MONITOR,
            kind=TimelineKind.PLAN_EDIT,
            name=edit.plan.action.value if edit.plan else "undo",
            start_time=_time(event),
            duration=_MOMENT,
            facts={"state": edit.state.value} | ({"rule": edit.rule} if edit.rule else {}),
            links=tuple(links),
        )


def _call(
    made: ModelCall, steps: Sequence[TimelineSpan], judging: Sequence[TimelineSpan]
) -> TimelineSpan:
    """Return the span of a model call, inside the step or analysis that was under way."""
    call = made.call
    beside = call.purpose is Purpose.MONITOR
    start = call.create_time or _EPOCH
    within = judging if beside else steps
    parents = [span for span in within if span.start_time <= start] or list(within[:1])
    tokens = {"tokens": str(call.prompt_tokens + call.completion_tokens)}
    span = TimelineSpan(
        span_id=f"call/{call.call_id}",
        lane=TimelineLane.MONITOR if beside else TimelineLane.MAIN,
        kind=TimelineKind.MODEL_CALL,
        name=call.prompt_type,
        start_time=start,
        duration=timedelta(milliseconds=call.latency_ms),
        facts={"purpose": call.purpose.value, "model": call.model, **tokens}
        | {"first_token_ms": str(call.first_token_ms)}
        | ({"error": call.error} if call.error else {}),
        links=(TimelineLink(relation="recorded_as", call_id=call.call_id),),
    )
    return replace(span, parent_span_id=parents[-1].span_id) if parents else span


def _time(event: SessionEvent) -> datetime:
    assert event.create_time is not None, "what is durable has a time"
    return event.create_time
