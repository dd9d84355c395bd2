"""Runs a seccomp filter as the kernel does, for machines of a kind that is not at hand."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from executor_service.workflows.sandbox.seccomp import AND, IF_EQUAL, LOAD, RETURN, Instruction


def verdict(program: Sequence[Instruction], architecture: int, number: int, *arguments: int) -> int:
    """Return what the filter answers to a system call."""
    six = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *six)
    place = accumulator = 0
    while True:
        step = program[place]
        place += 1
        if step.code == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, step.operand)
        elif step.code == AND:
            accumulator &= step.operand
        elif step.code == IF_EQUAL:
            place += step.if_true if accumulator == step.operand else step.if_false
        else:
            assert step.code == RETURN
            return step.operand
