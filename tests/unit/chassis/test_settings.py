"""Settings are read from variables, all at once, and keep secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import SecretStr, model_validator

from heartrule.chassis.settings import (
    CommaList,
    Port,
    Seconds,
    Settings,
    SettingsError,
    Variable,
    read,
    unknown_variables,
    variables,
)


class StoreSettings(Settings):
    database_url: SecretStr | None = None
    """Where conversations are kept."""


class ExampleSettings(Settings):
    port: Port = 50051
    """Port of the service."""
    lease_ttl: Seconds = 15.0
    folder: Path = Path(".heartrule")
    words: CommaList = ()
    api_key: Annotated[SecretStr | None, Variable("OPENAI_API_KEY")] = None
    model: str = ""
    store: StoreSettings

    @model_validator(mode="after")
    def _key_needs_model(self) -> ExampleSettings:
        if self.api_key and not self.model:
            raise ValueError("HEARTRULE_MODEL is required with OPENAI_API_KEY")
        return self


def test_an_empty_environment_gives_the_defaults() -> None:
    """Nothing set means every default holds."""
    assert read(ExampleSettings, {}) == ExampleSettings(store=StoreSettings())


def test_each_field_is_read_from_its_variable() -> None:
    """A field is HEARTRULE_ and its name in capitals, converted to its type."""
    settings = read(
        ExampleSettings,
        {"HEARTRULE_PORT": "0", "HEARTRULE_LEASE_TTL": "1.5", "HEARTRULE_WORDS": "a, b,,c"},
    )
    assert (settings.port, settings.lease_ttl, settings.words) == (0, 1.5, ("a", "b", "c"))


def test_an_empty_variable_counts_as_unset() -> None:
    """Compose files pass on unset variables as empty ones."""
    assert read(ExampleSettings, {"HEARTRULE_PORT": " "}).port == 50051


def test_a_nested_class_reads_the_same_environment() -> None:
    """One call reads the settings of every part of a process."""
    store = read(ExampleSettings, {"HEARTRULE_DATABASE_URL": "sqlite://"}).store
    assert store.database_url is not None
    assert store.database_url.get_secret_value() == "sqlite://"


def test_one_error_lists_all_that_is_wrong() -> None:
    """Two wrong variables are two lines of one error, each by its name."""
    with pytest.raises(SettingsError) as caught:
        read(ExampleSettings, {"HEARTRULE_PORT": "99999", "HEARTRULE_LEASE_TTL": "soon"})
    assert [problem.split(":")[0] for problem in caught.value.problems] == [
        "HEARTRULE_PORT",
        "HEARTRULE_LEASE_TTL",
    ]
    assert str(caught.value).startswith("2 settings are wrong:")


def test_a_rule_over_several_variables_is_told_in_its_own_words() -> None:
    """A validator's sentence reaches the reader without a prefix."""
    with pytest.raises(SettingsError) as caught:
        read(ExampleSettings, {"OPENAI_API_KEY": "sk-secret"})
    assert caught.value.problems == ("HEARTRULE_MODEL is required with OPENAI_API_KEY",)


@pytest.mark.parametrize(
    "environ", [{"OPENAI_API_KEY": "sk-secret"}, {"HEARTRULE_PORT": "sk-secret"}]
)
def test_no_value_is_repeated_in_an_error(environ: dict[str, str]) -> None:
    """A key pasted into any variable stays out of the error."""
    with pytest.raises(SettingsError) as caught:
        read(ExampleSettings, environ)
    assert "sk-secret" not in str(caught.value)


def test_a_secret_is_not_printed() -> None:
    """The settings may be logged; a secret in them shows as stars."""
    environ = {"OPENAI_API_KEY": "sk-secret", "HEARTRULE_MODEL": "m"}
    assert "sk-secret" not in repr(read(ExampleSettings, environ))


def test_variables_list_what_a_process_understands() -> None:
    """Documentation and deploy checks see name, default and description, nested ones too."""
    listed = {info.name: info for info in variables(ExampleSettings)}
    assert {"HEARTRULE_PORT", "OPENAI_API_KEY", "HEARTRULE_DATABASE_URL"} <= listed.keys()
    assert (listed["HEARTRULE_PORT"].default, listed["HEARTRULE_PORT"].description) == (
        "50051",
        "Port of the service.",
    )


def test_an_unknown_variable_is_noticed_with_a_guess() -> None:
    """A misspelt name is worth a warning that says which one was meant."""
    told = unknown_variables({"HEARTRULE_PROT": "1", "PATH": "/"}, ExampleSettings)
    assert told == {"HEARTRULE_PROT": "HEARTRULE_PORT"}
