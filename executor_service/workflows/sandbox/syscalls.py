"""The system calls that confined code may make: a list, so that a new one is refused.

None of them opens a connection, starts or signals a process, changes who may read a file, or
raises a limit. Numbers are those of Linux's `unistd.h`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

X86_64 = "x86_64"
AARCH64 = "aarch64"

# Name, number on x86_64, number on aarch64; a dash where there is none.
_PLAIN = """
read 0 63|write 1 64|close 3 57|stat 4 -|fstat 5 80|lstat 6 -|lseek 8 62|mmap 9 222
mprotect 10 226|munmap 11 215|brk 12 214|rt_sigaction 13 134|rt_sigprocmask 14 135
rt_sigreturn 15 139|pread64 17 67|pwrite64 18 68|readv 19 65|writev 20 66|access 21 -
sched_yield 24 124|mremap 25 216|madvise 28 233|dup 32 23|nanosleep 35 101|getpid 39 172
exit 60 93|uname 63 160|fsync 74 82|fdatasync 75 83|ftruncate 77 46|getcwd 79 17
readlink 89 -|gettimeofday 96 169|getrlimit 97 163|getrusage 98 165|sysinfo 99 179
times 100 153|getuid 102 174|getgid 104 176|geteuid 107 175|getegid 108 177|getppid 110 173
sigaltstack 131 132|arch_prctl 158 -|gettid 186 178|time 201 -|futex 202 98
sched_getaffinity 204 123|getdents64 217 61|set_tid_address 218 96|restart_syscall 219 128
clock_gettime 228 113|clock_getres 229 114|clock_nanosleep 230 115|exit_group 231 94
newfstatat 262 79|readlinkat 267 78|faccessat 269 48|set_robust_list 273 99|getcpu 309 168
getrandom 318 278|membarrier 324 283|statx 332 291|rseq 334 293|faccessat2 439 439
"""
_FCNTL = (72, 25)
_OPENAT = (257, 56)
_PRLIMIT = (302, 261)

_ACCESS_MODE = 0o3
_TRUNCATE = 0o1000
_UNNAMED = 0o20000000
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)
"""Duplicate a descriptor, read and set its flags; nothing that leads to a signal."""


@dataclass(frozen=True, slots=True)
class ArgumentCheck:
    """One half of an argument: `argument & mask == value`."""

    argument: int
    is_high: bool
    """The upper 32 bits of the argument's 64."""
    mask: int
    value: int


Allowed = tuple[tuple[ArgumentCheck, ...], ...]
"""Alternatives, in each of which all checks hold; none at all: whatever the arguments are."""


def _low(argument: int, mask: int, value: int) -> ArgumentCheck:
    return ArgumentCheck(argument, is_high=False, mask=mask, value=value)


_ALL = 0xFFFFFFFF
# Where Landlock does not know truncation yet, a file opened for reading could be emptied. A file
# without a name would take room on the disk that nobody sees.
_OPENED = (
    (_low(2, _TRUNCATE | _UNNAMED, 0),),
    (_low(2, _ACCESS_MODE | _UNNAMED, 1),),
    (_low(2, _ACCESS_MODE | _UNNAMED, 2),),
)
_CHECKED: tuple[tuple[tuple[int, int], Allowed], ...] = (
    (_FCNTL, tuple((_low(1, _ALL, command),) for command in _FCNTL_COMMANDS)),
    (_OPENAT, _OPENED),
    # A limit may be read, and not set: the third argument, a pointer, is null.
    (_PRLIMIT, ((_low(2, _ALL, 0), ArgumentCheck(2, is_high=True, mask=_ALL, value=0)),)),
)


def allowed_calls(machine: str) -> Mapping[int, Allowed]:
    """Return the numbers that a machine's kind allows, with what their arguments must be.

    Raises:
        KeyError: The machine is of another kind than `X86_64` and `AARCH64`.
    """
    column = {X86_64: 0, AARCH64: 1}[machine]
    plain = [entry.split()[1:] for entry in _PLAIN.strip().replace("\n", "|").split("|")]
    calls: dict[int, Allowed] = {
        int(numbers[column]): () for numbers in plain if numbers[column] != "-"
    }
    return calls | {numbers[column]: checks for numbers, checks in _CHECKED}
