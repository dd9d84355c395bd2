"""Ids are unique, and tell what they are ids of."""

from __future__ import annotations

import re

from heartrule.domain.ids import new_id


def test_ids_are_unique_and_tell_their_kind() -> None:
    """Ten thousand of one moment differ; each is a prefix and 28 hex digits."""
    made = [new_id("msg") for _ in range(10_000)]
    assert len(set(made)) == len(made)
    assert all(re.fullmatch(r"msg_[0-9a-f]{28}", each) for each in made)
