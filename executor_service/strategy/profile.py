"""Which variables describe the client: data of the installation, which a scheme may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from heartrule.chassis.config_files import read_config
from heartrule.domain.json_value import JsonValue
from heartrule.model.template_filling import render_value

FILE = "strategy_profile.yaml"
#: Messages of the conversation a recommendation is made from, unless a file sets a number.
HISTORY = 16
#: Characters of one value in the profile: a long diary entry must not fill the prompt.
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyProfile:
    """What to look for."""

    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the profile and the variables that may hold each, the likeliest first."""
    history: int = HISTORY

    def of(self, variables: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the values these variables have; a field without a value is left out."""
        found: dict[str, JsonValue] = {}
        for name, holders in self.fields.items():
            for holder in holders:
                value = _short(variables.get(holder))
                if value not in {None, ""}:
                    found[name] = value
                    break
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyProfiles:
    """The profile of every scheme."""

    default: StrategyProfile = StrategyProfile()
    custom: Mapping[str, StrategyProfile] = field(default_factory=dict)

    def get(self, scheme: str) -> StrategyProfile:
        """Return the scheme's profile; one without a file has the default."""
        return self.custom.get(scheme, self.default)


class _ProfileFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    # The bounds are those of document 001.
    history: Annotated[int, Field(ge=10, le=20)] | None = None
    fields: dict[
        Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")],
        Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)],
    ] = {}


_SHAPE: TypeAdapter[_ProfileFile] = TypeAdapter(_ProfileFile)


def load_profiles(folder: Path) -> StrategyProfiles:
    """Read `strategy_profile.yaml` of the default layer and of every scheme that has one.

    A scheme's fields stand beside the default ones and replace those of their names.

    Args:
        folder: The `config` folder of the system files.

    Raises:
        InvalidConfigFile: A file breaks its rules.
    """
    default = _over(StrategyProfile(), folder / "default" / FILE)
    own = sorted((folder / "custom").glob(f"*/{FILE}"))
    return StrategyProfiles(
        default=default, custom={path.parent.name: _over(default, path) for path in own}
    )


def _over(base: StrategyProfile, path: Path) -> StrategyProfile:
    file = read_config(path, _SHAPE, absent=_ProfileFile())
    return StrategyProfile(
        fields={**base.fields, **file.fields}, history=file.history or base.history
    )


def _short(value: JsonValue) -> str | int | float | bool | None:
    """Return a plain value as it is, anything else as text; texts are cut."""
    if value is None or isinstance(value, bool | int | float):
        return value
    return render_value(value).strip()[:LONGEST_VALUE]
