"""A name is a time zone, or it is none."""

from __future__ import annotations

import pytest

from heartrule.domain.time_zones import zone_of


@pytest.mark.parametrize("name", ["", "Beijing", "Asia", "GMT+8", "../etc", "a\x00b"])
def test_what_names_no_time_zone_is_none(name: str) -> None:
    """A folder of zones among them."""
    assert zone_of(name) is None


def test_a_time_zone_is_found_by_its_name() -> None:
    """As the IANA has it."""
    assert str(zone_of("Asia/Shanghai")) == "Asia/Shanghai"
