"""Variables nobody reads are told, so that a misspelt setting does not pass in silence."""

from __future__ import annotations

import pytest

from heartrule_cli.services.strange_variables import strange_text, strange_variables


@pytest.mark.parametrize(
    "name", ["HEARTRULE_PORT", "HEARTRULE_MONITOR_PORT", "HEARTRULE_REHEARSAL_PACE_MS", "HOME"]
)
def test_a_variable_somebody_reads_is_none(name: str) -> None:
    """Those of either service, of the rehearsal model and of others are no strangers."""
    assert strange_variables({name: "1"}) == {}


def test_a_misspelt_variable_is_told_with_the_nearest_name() -> None:
    """The sentence says what was probably meant."""
    (strange,) = strange_variables({"HEARTRULE_LEASE_TTLS": "1"}).items()
    told = "HEARTRULE_LEASE_TTLS is unknown; did you mean HEARTRULE_LEASE_TTL?"
    assert str(strange_text(strange)) == told
