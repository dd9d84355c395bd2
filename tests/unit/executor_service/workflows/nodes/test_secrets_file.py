from __future__ import annotations

from pathlib import Path

import pytest

from executor_service.workflows.nodes.secrets_file import load_secrets
from heartrule.chassis.config_files import InvalidConfigFile

WRITTEN = """\
secrets:
  WEATHER_API_KEY: 7f3c-swordfish
connections:
  sales_db: postgresql://reader:swordfish@db.internal/sales
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "secrets.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_values_are_read_and_shown_by_nothing(tmp_path: Path) -> None:
    """They are there for whoever asks for one, and in no text of the object."""
    found = load_secrets(written(tmp_path, WRITTEN))
    assert found.secrets["WEATHER_API_KEY"].get_secret_value() == "7f3c-swordfish"
    assert found.connections["sales_db"].get_secret_value().startswith("postgresql://")
    assert "swordfish" not in repr(found) + str(found)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("secrets: {A: swordf}", "secrets.yaml:1:14: secrets.A"),
        ("connections: {a: mysql://swordfish/x}", "secrets.yaml:1:18: connections.a"),
        ("passwords: {A: swordfish}", "secrets.yaml:1:12: passwords"),
        ("secrets: [swordfish]", "secrets.yaml:1:10: secrets"),
    ],
)
def test_a_fault_shows_its_place_and_no_value(tmp_path: Path, text: str, place: str) -> None:
    """File, line, column and path; a secret that is wrong is still a secret."""
    with pytest.raises(InvalidConfigFile) as found:
        load_secrets(written(tmp_path, text))
    assert [violation.field for violation in found.value.violations] == [place]
    assert "swordf" not in str(found.value)
