"""Landlock: what files a process may open, and that it opens no connection; without privilege."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

# Numbers of the system calls, the same on every architecture, and flags of linux/landlock.h.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38

EXECUTE = 1 << 0
WRITE_FILE = 1 << 1
READ_FILE = 1 << 2
READ_DIR = 1 << 3
MAKE_REG = 1 << 8
TRUNCATE = 1 << 14
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
_NETWORK = 0b11
"""Bind and connect TCP sockets."""
_SCOPES = 0b11
"""Abstract sockets, and signals to processes outside."""
# How many rights over files each version of the interface knows.
_RIGHTS_SINCE = ((1, 13), (2, 14), (3, 15), (5, 16))


class LandlockMissing(Exception):
    """This kernel has no Landlock, or it is switched off."""


class _Ruleset(ctypes.Structure):
    _fields_: ClassVar = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    ]


class _PathBeneath(ctypes.Structure):
    _pack_: ClassVar = 1
    _fields_: ClassVar = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


@dataclass(frozen=True, slots=True)
class PathRule:
    """Rights over a file, or over a folder with all below it."""

    path: str
    rights: int


def landlock_version() -> int:
    """Return the version of the kernel's interface; 0 where it has none."""
    return max(0, _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


def restrict(rules: Iterable[PathRule]) -> None:
    """Allow this thread, and all that it starts, what the rules name and nothing else, for good.

    A path that does not exist is left out. What is open already stays open.

    Raises:
        LandlockMissing: Nothing is restricted.
        OSError: A path could not be opened.
    """
    version = landlock_version()
    if not version:
        raise LandlockMissing
    known = (1 << max(bits for since, bits in _RIGHTS_SINCE if version >= since)) - 1
    wanted = _Ruleset(known, _NETWORK if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _done(
        _call(_CREATE_RULESET, ctypes.byref(wanted), ctypes.c_size_t(size), ctypes.c_uint32(0))
    )
    try:
        for rule in rules:
            _add(ruleset, rule, known)
        libc = ctypes.CDLL(None, use_errno=True)
        _done(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _done(_call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)))
    finally:
        os.close(ruleset)


def _add(ruleset: int, rule: PathRule, known: int) -> None:
    try:
        opened = os.open(rule.path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(opened).st_mode)
        rights = rule.rights & known & (known if is_folder else _OF_FILES)
        beneath = _PathBeneath(rights, opened)
        _done(
            _call(
                _ADD_RULE,
                ctypes.c_int(ruleset),
                ctypes.c_int(_PATH_BENEATH),
                ctypes.byref(beneath),
                ctypes.c_uint32(0),
            )
        )
    finally:
        os.close(opened)


def _call(number: int, *arguments: object) -> int:
    answer: int = ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments)
    return answer


def _done(answer: int) -> int:
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return answer
