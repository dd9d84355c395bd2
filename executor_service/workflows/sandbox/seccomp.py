"""A seccomp filter of the calling thread: what is not allowed is answered EPERM."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator

from executor_service.workflows.sandbox.syscalls import (
    AARCH64,
    X86_64,
    Allowed,
    ArgumentCheck,
    allowed_calls,
)

# Classic BPF (linux/bpf_common.h), over the kernel's struct seccomp_data.
LOAD = 0x20
AND = 0x54
IF_EQUAL = 0x15
RETURN = 0x06
NUMBER_AT, ARCHITECTURE_AT, ARGUMENTS_AT = 0, 4, 16

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | 1
"""The call fails with EPERM."""
KILL = 0x80000000

ARCHITECTURES = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}
"""Its number for the kernel's audit: a process may mix system calls of several."""

_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_MODE_FILTER = 2


class Instruction(ctypes.Structure):
    """The kernel's `struct sock_filter`."""

    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("operand", ctypes.c_uint32),
    )
    code: int
    if_true: int
    if_false: int
    operand: int


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(Instruction)))


def filter_program(machine: str) -> tuple[Instruction, ...]:
    """Return the filter for a kind of machine, as `platform.machine()` names it.

    Raises:
        KeyError: No list of system calls is known for it.
    """
    return tuple(_instructions(machine))


def install(program: tuple[Instruction, ...]) -> None:
    """Put this thread and all that it starts under the filter, for good.

    Raises:
        OSError: The kernel has no filters.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    filters = (Instruction * len(program))(*program)
    wanted = _Program(len(program), filters)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise _error()
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(wanted), 0, 0):
        raise _error()


def _error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


def _instructions(machine: str) -> Iterator[Instruction]:
    calls = allowed_calls(machine)
    yield Instruction(LOAD, 0, 0, ARCHITECTURE_AT)
    yield Instruction(IF_EQUAL, 1, 0, ARCHITECTURES[machine])
    yield Instruction(RETURN, 0, 0, KILL)
    yield Instruction(LOAD, 0, 0, NUMBER_AT)
    for number, checks in calls.items():
        block = tuple(_of_call(checks))
        yield Instruction(IF_EQUAL, 0, len(block), number)
        yield from block
    yield Instruction(RETURN, 0, 0, REFUSE)


def _of_call(alternatives: Allowed) -> Iterator[Instruction]:
    """Yield what decides about a call whose number fits; nothing runs on behind it."""
    if not alternatives:
        yield Instruction(RETURN, 0, 0, ALLOW)
        return
    for checks in alternatives:
        yield from _of_checks(checks)
    yield Instruction(RETURN, 0, 0, REFUSE)


def _of_checks(checks: tuple[ArgumentCheck, ...]) -> Iterator[Instruction]:
    """Yield what allows the call where all checks hold, and else runs on."""
    for place, check in enumerate(checks):
        left = len(checks) - place - 1
        offset = ARGUMENTS_AT + 8 * check.argument + (4 if check.is_high else 0)
        yield Instruction(LOAD, 0, 0, offset)
        yield Instruction(AND, 0, 0, check.mask)
        yield Instruction(IF_EQUAL, 0, 3 * left + 1, check.value)
    yield Instruction(RETURN, 0, 0, ALLOW)
