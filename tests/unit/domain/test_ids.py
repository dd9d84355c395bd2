"""Ids are unique, sort by time, and a process that was forked makes others than its parent."""

from __future__ import annotations

import os
import re

from heartrule.domain.ids import new_id


def test_ids_are_unique_and_tell_their_kind() -> None:
    """Ten thousand of one moment differ; each is a prefix and 28 hex digits."""
    made = [new_id("msg") for _ in range(10_000)]
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"msg_[0-9a-f]{28}", each) for each in made)


def test_a_forked_process_repeats_no_id() -> None:
    """What its parent had drawn from the system's chance is forgotten."""
    new_id("x")
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writing, "\n".join(new_id("x")[-16:] for _ in range(200)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        of_child = set(told.read().split("\n"))
    os.waitpid(pid, 0)
    assert of_child.isdisjoint({new_id("x")[-16:] for _ in range(200)})
    assert len(of_child) == 200
