"""What rpcs have in common: the session and page of a request, and a response that lists rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from google.protobuf.message import Message
from grpc import aio

from executor_service.ports import ScriptLibrary
from executor_service.sensitive_lookup import SensitiveLookup
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.sensitive import SensitiveVariables
from heartrule.wire.enums import members
from heartrule.wire.inbound import Reading
from heartrule.wire.message_mapping import fill_message
from heartrule.wire.request_parsing import page_size, require
from session_store.ports import Store
from session_store.records import Page

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

Context: TypeAlias = "aio.ServicerContext[Any, Any]"
E = TypeVar("E", bound=Enum)
R = TypeVar("R", bound=Message)
T = TypeVar("T")
# Digits; Python refuses to read an integer of thousands of them.
_LONGEST_INDEX = 10


class OfSession(Protocol):
    """A request about one session."""

    session_id: str


class OfPage(Protocol):
    """A request for one page of a list."""

    page_size: int
    page_token: str


class OfSessionPage(OfSession, OfPage, Protocol):
    """A request for one page of a list of a session."""


def session_of(request: OfSession) -> SessionKey:
    """Return the session a request names.

    Raises:
        InvalidRequest: It names none, or its id is too long.
    """
    require(session_id=request.session_id)
    return SessionKey(DEFAULT_TENANT, request.session_id)


def page_of(request: OfPage) -> Page:
    """Return the page a request asks for.

    Raises:
        InvalidRequest: Its size is below 0.
    """
    return Page(
        size=page_size(request.page_size),
        token=request.page_token,
        filter=getattr(request, "filter", ""),
        order_by=getattr(request, "order_by", ""),
    )


def refused(field: str, problem: str, *, reason: str = "INVALID_REQUEST") -> InvalidRequest:
    """Return why a request is refused for one of its fields."""
    violation = FieldViolation(field=field, description=problem)
    return InvalidRequest(f"{field}: {problem}", reason=reason, violations=(violation,))


def chosen(
    number: int, enum: type[E], descriptor: EnumDescriptor, *, at: str, reading: Reading
) -> E | None:
    """Return the member that a filter names; None for 0, and for an unknown one, which is noted."""
    member = members(enum, descriptor).get(number)
    if number and member is None:
        reading.wrong(at, f"unknown value {number}")
    return member


async def hidden_of(
    store: Store, scripts: ScriptLibrary, key: SessionKey, *, reveal: bool = False
) -> SensitiveVariables:
    """Return which variables of a session are masked: the sensitive ones, or none to `reveal`.

    Raises:
        NotFound: There is no such session.
    """
    if reveal:
        return SensitiveVariables()
    return await SensitiveLookup(store, scripts, key).found()


async def masks_in(store: Store, scripts: ScriptLibrary, key: SessionKey, *, reveal: bool) -> bool:
    """Return whether all texts and numbers are masked: where no name says which is a value."""
    return await hidden_of(store, scripts, key, reveal=reveal) != SensitiveVariables()


def start_of(page: Page) -> int:
    """Return the index at which a page of rows that are all in memory begins.

    A token that is no index begins at the start.
    """
    is_index = page.token.isdecimal() and len(page.token) <= _LONGEST_INDEX
    return int(page.token) if is_index else 0


def slice_of(rows: list[T], page: Page) -> tuple[list[T], str]:
    """Return a page of rows that are all in memory, and the next page's token, an index.

    A token that is no index begins at the start.
    """
    start = start_of(page)
    end = start + page.size
    return rows[start:end], str(end) if end < len(rows) else ""


def listed(
    response_class: type[R],
    found: tuple[Iterable[T], str],
    fill: Callable[[T, Any], None] = fill_message,
) -> R:
    """Return a response with rows in its one repeated field, and the next page's token."""
    rows, token = found
    response = response_class(next_page_token=token)
    (field,) = [each for each in response.DESCRIPTOR.fields if each.is_repeated]
    for row in rows:
        fill(row, getattr(response, field.name).add())
    return response
