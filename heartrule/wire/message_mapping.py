"""The two generic functions: a domain value to its message, a message to its domain value.

Fields go by name; an absent or unspecified one is None, or the domain's default.
"""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import Message

from heartrule.domain.errors import InvalidRequest
from heartrule.wire.inbound import Reading, reader
from heartrule.wire.outbound import filler

D = TypeVar("D")
M = TypeVar("M", bound=Message)


def to_message(value: object, message_class: type[M]) -> M:
    """Return a new message with the content of `value`.

    Raises:
        TypeError: the class of `value` does not fit the message.
    """
    message = message_class()
    filler(type(value), message_class)(value, message)
    return message


def fill_message(value: object, target: Message) -> None:
    """Fill the empty message `target` from `value`, without a copy into a response."""
    filler(type(value), type(target))(value, target)


def from_message(
    message: Message, domain_class: type[D], *, at: str = "", lenient: bool = False
) -> D:
    """Return the domain's value of `message`.

    Args:
        message: what came from the other side.
        domain_class: the class of the value.
        at: path of the message in its request, named in violations.
        lenient: take enum values this side does not know as absent, as a client does with what
            a newer server sends.

    Raises:
        InvalidRequest: a required field is absent, an enum value unknown or a time out of range;
            all of them are named.
    """
    reading = Reading(lenient=lenient)
    value = read_message(message, domain_class, f"{at}." if at else "", reading)
    refuse(reading)
    return value


def read_message(message: Message, domain_class: type[D], at: str, reading: Reading) -> D:
    """Return the value, noting in `reading` what is wrong; then the value is not to be used.

    For callers with rules of their own, so that one answer names all that is wrong.
    """
    value: D = reader(domain_class, type(message))(message, at, reading)
    return value


def refuse(reading: Reading) -> None:
    """Raise InvalidRequest where the reading found anything wrong."""
    if reading.violations:
        first = reading.violations[0]
        more = len(reading.violations) - 1
        rest = f" (and {more} more)" if more else ""
        raise InvalidRequest(
            f"{first.field}: {first.description}{rest}", violations=reading.violations
        )
