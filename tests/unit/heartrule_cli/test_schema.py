from __future__ import annotations

import pytest

from executor_service.decisions.payloads.published import SchemaOfDecisions, published_text
from heartrule_cli.__main__ import main


@pytest.mark.parametrize("of", SchemaOfDecisions)
def test_a_schema_of_decisions_is_printed(
    of: SchemaOfDecisions, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it is shipped, beside those of the script language."""
    assert main(["schema", "--of", of.value]) == 0
    assert capsys.readouterr().out == published_text(of)
