"""The file of secrets that a policy names: what `${NAME}` stands for, and where databases are.

secrets:
  WEATHER_API_KEY: 7f3c…
connections:
  sales_db: postgresql://reader:…@db.internal/sales
  archive: sqlite:////var/lib/archive.db
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, TypeAdapter

from heartrule.chassis.config_files import FilePart, read_config

SQLITE_ADDRESS = "sqlite:///"
"""Before the path of a file; an absolute one begins with a slash of its own."""
_SCHEMES = (SQLITE_ADDRESS, "postgresql://", "postgres://")
LEAST_SECRET = 8
"""Characters; what is shorter could not be struck out of a text without harm to it."""


def _of_a_database(address: SecretStr) -> SecretStr:
    if not address.get_secret_value().startswith(_SCHEMES):
        raise ValueError(f"must begin with one of {', '.join(_SCHEMES)}")
    return address


_Secret = Annotated[SecretStr, Field(min_length=LEAST_SECRET)]
_Address = Annotated[SecretStr, AfterValidator(_of_a_database)]


class SecretsFile(FilePart):
    """Values by their names; no text of this object shows one."""

    secrets: Mapping[str, _Secret] = Field(default_factory=dict)
    connections: Mapping[str, _Address] = Field(default_factory=dict)


_SHAPE = TypeAdapter(SecretsFile)


def load_secrets(path: Path) -> SecretsFile:
    """Read the file.

    Raises:
        InvalidConfigFile: It cannot be read, or breaks its rules; no fault shows a value.
        InvalidSettingsFile: It is not readable as YAML.
    """
    return read_config(path, _SHAPE)
