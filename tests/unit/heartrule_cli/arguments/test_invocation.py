"""What people are told to type."""

from __future__ import annotations

import pytest

from heartrule_cli.arguments.invocation import Invocation


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("", "heartrule run --session ses_1"),
        ("127.0.0.1:50051", "heartrule chat --session ses_1"),
        ("127.0.0.1:6000", "heartrule chat --session ses_1 --address 127.0.0.1:6000"),
    ],
)
def test_the_command_to_go_on_fits_the_executor(address: str, command: str) -> None:
    """An executor that ends with this command has to be started again; another is named."""
    assert Invocation(program="heartrule", address=address).resume("ses_1") == command


def test_a_session_id_is_quoted_for_the_shell() -> None:
    """An id is a server's word; what is printed to be typed is safe to type."""
    line = Invocation(program="heartrule").show("x; rm -rf .")
    assert line == "heartrule show 'x; rm -rf .'"
