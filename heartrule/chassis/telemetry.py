"""Traces: the only module that imports OpenTelemetry; other code uses `with span(…)`.

A span's context travels as a W3C traceparent string: in gRPC metadata, in a message, in a row of
the store. Without an exporter configured nothing is recorded, yet ids are made and passed on, so
that the logs of client, executor and monitor still name the same turn.

No text of a client, model or script may become an attribute; an error is a class name.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from opentelemetry import context as otel_context
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, TraceFlags

from heartrule.chassis.log_context import bound, is_id, remember

CONVERSATION = "gen_ai.conversation.id"
TRACEPARENT = "traceparent"
# Metadata key of AnalyzeAction: the span context of the judged turn.
JUDGED_TRACEPARENT = "judged-traceparent"

Attribute: TypeAlias = "str | bool | int | float | Sequence[str]"
Kind: TypeAlias = Literal["internal", "server", "client", "producer", "consumer"]

_KINDS: Mapping[str, SpanKind] = {kind.name.lower(): kind for kind in SpanKind}
# The current span's traceparent, recorded or not, so that logs and calls carry it either way.
_PLACE: ContextVar[str] = ContextVar("heartrule_place", default="")
_TRACER: ContextVar[trace.Tracer | None] = ContextVar("heartrule_tracer", default=None)
_LIMIT: ContextVar[SpanLimit | None] = ContextVar("heartrule_span_limit", default=None)

_FORM = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_NO_TRACE, _NO_SPAN = "0" * 32, "0" * 16
# The one flag of version 00 with a meaning; unknown flags must not be passed on.
_SAMPLED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanLink:
    """Points from a span to one elsewhere, such as from a turn to the analysis it used."""

    traceparent: str
    relation: str
    """Why, in one word: `advice`, `judged_turn`, `merged_input`."""


class SpanLimit:
    """Counts the spans of one piece of work, which must not grow with the length of a script."""

    def __init__(self, most: int) -> None:
        """Allow `most` spans."""
        self.left_out = 0
        """Spans that were not recorded."""
        self._left = most

    def take(self) -> bool:
        """Use one up; False where none is left, which is counted."""
        if self._left > 0:
            self._left -= 1
            return True
        self.left_out += 1
        return False


class Span:
    """A span in progress; safe to use when nothing is recorded."""

    __slots__ = ("_inner", "traceparent")

    def __init__(self, traceparent: str, inner: trace.Span | None = None) -> None:
        """Wrap a place in a trace; `inner` is OpenTelemetry's span where one is recorded."""
        self.traceparent = traceparent
        """This span's context, to be stored or sent."""
        self._inner = inner

    @property
    def recording(self) -> bool:
        """Whether the attributes that are set are exported."""
        return self._inner is not None and self._inner.is_recording()

    def set(self, **attributes: Attribute) -> None:
        """Set attributes of the project's own: `set(turn_id=…)` is `heartrule.turn_id`."""
        if self.recording:
            self.set_all({f"heartrule.{key}": value for key, value in attributes.items()})

    def set_all(self, attributes: Mapping[str, Attribute]) -> None:
        """Set attributes by their full names, such as `gen_ai.request.model`."""
        if self._inner is not None:
            self._inner.set_attributes(attributes)

    def fail(self, reason: str) -> None:
        """Mark the span as failed; `reason` is a stable word, never an error's text."""
        if self._inner is not None:
            self._inner.set_attribute("error.type", reason)
            self._inner.set_status(trace.StatusCode.ERROR, reason)


class _Unrecorded(Span):
    """A span that is not recorded: it only makes its traceparent current in its block."""

    __slots__ = ("_before",)

    def __enter__(self) -> Span:
        self._before = _PLACE.get()
        _PLACE.set(self.traceparent)
        return self

    def __exit__(self, *_error: object) -> None:
        # Not reset(token): the block may end in another context than it began in.
        _PLACE.set(self._before)


def span(
    name: str,
    *,
    session_id: str = "",
    attributes: Mapping[str, Attribute] | None = None,
    links: Sequence[SpanLink] = (),
    parent: str | None = None,
    kind: Kind = "internal",
) -> AbstractContextManager[Span]:
    """Open a span for the length of a block, current in it and in the tasks it starts.

    Args:
        name: What is done, low in variety: `turn`, `model_call`.
        session_id: Becomes `gen_ai.conversation.id`; by default the session bound to the task.
        attributes: By their full names.
        links: To spans elsewhere; unreadable ones are left out.
        parent: None takes the current span; a traceparent continues that trace; an empty or
            unreadable string begins a new trace.
        kind: The side of a call this span is.

    An exception marks the span as failed with its class and passes on. Where `limited` work has
    used up its spans, none is opened: what the block sets is dropped, its context is the parent's.
    """
    limit = _LIMIT.get()
    if limit is not None and parent is None and not limit.take():
        return _Unrecorded(_PLACE.get())
    tracer = _TRACER.get()
    if tracer is None:
        return _Unrecorded(child(_PLACE.get() if parent is None else normal(parent)))
    conversation = session_id or bound().get("session_id", "")
    facts = {**({CONVERSATION: conversation} if is_id(conversation) else {}), **(attributes or {})}
    context = None if parent is None else _remote(parent)
    return _recorded(tracer.start_span(name, context, _KINDS[kind], facts, _links(links)))


@contextmanager
def _recorded(inner: trace.Span) -> Iterator[Span]:
    """Make a span current for the length of a block, and end it there."""
    opened, before = Span(_format(inner.get_span_context()), inner), _PLACE.get()
    with trace.use_span(
        inner, end_on_exit=True, record_exception=False, set_status_on_exception=False
    ):
        _PLACE.set(opened.traceparent)
        try:
            yield opened
        except BaseException as error:
            opened.fail(type(error).__name__)
            raise
        finally:
            _PLACE.set(before)


@contextmanager
def limited(most: int) -> Iterator[SpanLimit]:
    """Record at most so many spans in this block and the tasks it starts.

    A span that names its own parent, such as an analysis after the turn, is other work and free.
    """
    before, limit = _LIMIT.get(), SpanLimit(most)
    _LIMIT.set(limit)
    try:
        yield limit
    finally:
        _LIMIT.set(before)


def identify(session_id: str, **ids: str) -> None:
    """Set the session of this task for its logs, this span and later ones."""
    remember(session_id=session_id, **ids)
    if is_id(session_id) and _TRACER.get() is not None:
        trace.get_current_span().set_attribute(CONVERSATION, session_id)


def traceparent() -> str:
    """Return the current span's context as a W3C traceparent; empty outside of any span."""
    return _PLACE.get()


def trace_id() -> str:
    """Return the current trace's id in hex; empty outside of any span."""
    return trace_id_of(_PLACE.get())


def is_traceparent(text: str) -> bool:
    """Return whether the text is a W3C traceparent with ids that are not zero."""
    return bool(normal(text))


def outgoing_metadata() -> tuple[tuple[str, str], ...]:
    """Return the gRPC metadata that lets the callee continue the current trace."""
    current = traceparent()
    return ((TRACEPARENT, current),) if current else ()


def traceparent_in(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """Return the caller's traceparent out of gRPC metadata; empty where it sent none."""
    sent = (value for key, value in metadata or () if key == TRACEPARENT)
    usable = (normal(value) for value in sent if isinstance(value, str))
    return next(filter(None, usable), "")


def use_tracer(tracer: trace.Tracer | None) -> None:
    """Record the spans of this task, and of tasks it starts, with this tracer; None for none."""
    _TRACER.set(tracer)


def _links(links: Sequence[SpanLink]) -> list[trace.Link]:
    places = [(_parse(link.traceparent), link.relation) for link in links]
    return [
        trace.Link(place, {"heartrule.link.relation": relation})
        for place, relation in places
        if place
    ]


def _remote(text: str) -> otel_context.Context:
    place = _parse(text)
    root = otel_context.Context()
    return root if place is None else trace.set_span_in_context(NonRecordingSpan(place), root)


@lru_cache(maxsize=256)  # parent and link are often one place, and an analysis' is its turn's
def _parse(text: str) -> SpanContext | None:
    known = normal(text)
    if not known:
        return None
    _, trace_id, span_id, flags = known.split("-")
    return SpanContext(
        trace_id=int(trace_id, 16),
        span_id=int(span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(int(flags, 16)),
    )


def _format(place: SpanContext) -> str:
    if not place.is_valid:
        return ""
    ids = f"{trace.format_trace_id(place.trace_id)}-{trace.format_span_id(place.span_id)}"
    return f"00-{ids}-{place.trace_flags & TraceFlags.SAMPLED:02x}"


def normal(text: str) -> str:
    """Return the traceparent in the form of version 00; empty where the text is none.

    Ids of zero are none. Of the flags only `sampled` is kept, what later versions append is not.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None or found[1] == _NO_TRACE or found[2] == _NO_SPAN:
        return ""
    return f"00-{found[1]}-{found[2]}-{int(found[3], 16) & _SAMPLED:02x}"


def child(parent: str) -> str:
    """Return a new place below a normal traceparent, or where that is empty in a new trace."""
    span_id = f"{random.getrandbits(64):016x}"
    if not parent:
        return f"00-{random.getrandbits(128):032x}-{span_id}-00"
    return f"{parent[:36]}{span_id}{parent[52:]}"


def trace_id_of(traceparent: str) -> str:
    """Return the trace's id in hex out of a normal traceparent; empty where that is."""
    return traceparent[3:35]
