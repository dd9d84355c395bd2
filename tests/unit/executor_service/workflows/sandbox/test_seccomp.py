from __future__ import annotations

import pytest

from executor_service.workflows.sandbox.seccomp import (
    ALLOW,
    ARCHITECTURES,
    KILL,
    REFUSE,
    filter_program,
)
from executor_service.workflows.sandbox.syscalls import AARCH64, X86_64
from tests.support.bpf import verdict

MACHINES = (X86_64, AARCH64)
FORBIDDEN = {
    "socket": (41, 198),
    "connect": (42, 203),
    "clone": (56, 220),
    "clone3": (435, 435),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "kill": (62, 129),
    "tgkill": (234, 131),
    "pidfd_send_signal": (424, 424),
    "mount": (165, 40),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "memfd_create": (319, 279),
    "openat2": (437, 437),
    "open_by_handle_at": (304, 265),
    "fchmodat": (268, 53),
    "fchownat": (260, 54),
    "truncate": (76, 45),
    "unlinkat": (263, 35),
    "symlinkat": (266, 36),
    "setxattr": (188, 5),
    "utimensat": (280, 88),
    "setrlimit": (160, 164),
    "prctl": (157, 167),
    "seccomp": (317, 277),
    "ioctl": (16, 29),
}
OF_ONE = {"open": 2, "fork": 57, "vfork": 58, "creat": 85, "chmod": 90}
"""Calls that x86_64 alone has."""
READ, OPENAT, FCNTL, PRLIMIT = (0, 63), (257, 56), (72, 25), (302, 261)
TRUNCATE, WRITE, UNNAMED = 0o1000, 0o1, 0o20000000


def answer(machine: str, numbers: tuple[int, int], *arguments: int) -> int:
    number = numbers[MACHINES.index(machine)]
    return verdict(filter_program(machine), ARCHITECTURES[machine], number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_leads_outside_is_refused(machine: str) -> None:
    """No call that reaches another process, the network or the machine's set-up is allowed."""
    allowed = [name for name, of in FORBIDDEN.items() if answer(machine, of) != REFUSE]
    assert allowed == []


def test_the_old_calls_of_one_machine_are_refused() -> None:
    """What newer calls replaced is not another way to the same thing."""
    assert {answer(X86_64, (number, 0)) for number in OF_ONE.values()} == {REFUSE}


@pytest.mark.parametrize("machine", MACHINES)
def test_reading_and_opening_are_allowed(machine: str) -> None:
    """An interpreter can load its modules, and code can write a file."""
    assert answer(machine, READ) == ALLOW
    for flags in (0, WRITE, WRITE | TRUNCATE):
        assert answer(machine, OPENAT, 0, 0, flags) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_a_file_opened_for_reading_is_not_emptied(machine: str) -> None:
    """Landlock knows truncation only since its third version."""
    assert answer(machine, OPENAT, 0, 0, TRUNCATE) == REFUSE


@pytest.mark.parametrize("machine", MACHINES)
def test_no_file_is_without_a_name(machine: str) -> None:
    """What takes room on the disk is seen in the folder."""
    assert answer(machine, OPENAT, 0, 0, UNNAMED | WRITE) == REFUSE


@pytest.mark.parametrize("machine", MACHINES)
def test_a_descriptor_sends_no_signal(machine: str) -> None:
    """F_SETOWN would let the kernel signal another process; F_GETFD only reads."""
    assert [answer(machine, FCNTL, 0, command) for command in (1, 8, 10)] == [ALLOW, REFUSE, REFUSE]


@pytest.mark.parametrize("machine", MACHINES)
def test_a_limit_is_read_and_not_set(machine: str) -> None:
    """Wherever the new limit lies in memory, the high half of its address counts too."""
    new = (0, 1, 1 << 32)
    answers = [answer(machine, PRLIMIT, 0, 9, pointer) for pointer in new]
    assert answers == [ALLOW, REFUSE, REFUSE]


def test_calls_of_another_architecture_end_the_process() -> None:
    """The same numbers mean other calls there."""
    assert verdict(filter_program(X86_64), 0x40000003, 0) == KILL


def test_an_unknown_machine_has_no_filter() -> None:
    """Its system calls are not known, so nothing can be allowed."""
    with pytest.raises(KeyError):
        filter_program("riscv64")
