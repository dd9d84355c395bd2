"""Enums pair by the name behind the prefix."""

from __future__ import annotations

from enum import StrEnum

import pytest

from heartrule.domain.conversation import Feature, Role
from heartrule.domain.monitoring import AnalysisOutcome
from heartrule.v1 import advice_pb2, feature_pb2, message_pb2
from heartrule.wire.enums import known, members, numbers


def test_a_member_has_the_number_of_its_name() -> None:
    """ROLE_COUNSELLOR is Role.COUNSELLOR."""
    table = numbers(Role, message_pb2.Role.DESCRIPTOR)
    assert table[Role.COUNSELLOR] == message_pb2.ROLE_COUNSELLOR


def test_an_enum_inside_a_message_pairs_as_well() -> None:
    """Its values bear the prefix of the inner name alone."""
    table = members(AnalysisOutcome, advice_pb2.AnalysisEnded.Result.DESCRIPTOR)
    assert table[advice_pb2.AnalysisEnded.RESULT_NO_ADVICE] is AnalysisOutcome.NO_ADVICE


def test_unspecified_has_no_member() -> None:
    """Zero means that nothing was said."""
    assert 0 not in members(Role, message_pb2.Role.DESCRIPTOR)


def test_an_enum_that_lacks_a_member_is_refused() -> None:
    """A value added on one side only is found before it is ever sent."""

    class Half(StrEnum):
        CLIENT = "client"

    with pytest.raises(TypeError, match=r"Half and heartrule\.v1\.Role differ"):
        numbers(Half, message_pb2.Role.DESCRIPTOR)


def test_unknown_features_are_dropped() -> None:
    """A newer client may name what this server has never heard of."""
    wanted = known([0, 2, 99], Feature, feature_pb2.Feature.DESCRIPTOR)
    assert wanted == {Feature.PICTURE}
