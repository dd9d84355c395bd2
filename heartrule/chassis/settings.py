"""Typed settings read from environment variables; one error lists everything that is wrong.

A service declares a class of fields; each field is one variable, `HEARTRULE_` and its name in
capitals unless the field sets another. A field that is itself such a class is read from the same
environment, so one call reads all settings of a process:

    class MonitorSettings(Settings):
        '''Settings of the monitor service.'''

        port: int = 50052
        '''Port of the service.'''
        api_key: Annotated[SecretStr | None, Variable("OPENAI_API_KEY")] = None
        '''Key of the model provider.'''

    settings = read(MonitorSettings, os.environ)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, ClassVar, TypeAlias, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

PREFIX = "HEARTRULE_"

Raw: TypeAlias = "dict[str, str | Raw]"


class Settings(BaseModel):
    """Base of all settings: frozen, and silent about values in its errors."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
        validate_default=True,
    )
    prefix: ClassVar[str] = PREFIX


SettingsT = TypeVar("SettingsT", bound=Settings)


@dataclass(frozen=True, slots=True)
class Variable:
    """Marks a field read from a variable of another name, such as `OPENAI_API_KEY`."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableInfo:
    """One environment variable a process understands, for documentation and deploy checks."""

    name: str
    field: str
    """Dotted path of the field inside its settings class."""
    default: str
    """As a person would write it; empty when unset or required."""
    required: bool
    description: str


class SettingsError(Exception):
    """Some variables are wrong; the text names every one, never the value of a secret."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        """`problems` are whole sentences, one per variable."""
        noun = "setting is" if len(problems) == 1 else "settings are"
        super().__init__("\n  ".join((f"{len(problems)} {noun} wrong:", *problems)))
        self.problems = problems


def _split(value: object) -> object:
    """Split `a, b,c` into its words; anything but a string is left alone."""
    if not isinstance(value, str):
        return value
    return tuple(word.strip() for word in value.split(",") if word.strip())


# Words separated by commas.
CommaList = Annotated[tuple[str, ...], BeforeValidator(_split)]
# A positive number of seconds.
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
# A TCP port; 0 takes a free one.
Port = Annotated[int, Field(ge=0, le=65535)]


def read(cls: type[SettingsT], environ: Mapping[str, str]) -> SettingsT:
    """Return the settings the environment holds; an empty variable counts as unset.

    Raises:
        SettingsError: One or more variables are wrong or lacking.
    """
    try:
        return cls.model_validate(_collect(cls, environ))
    except ValidationError as error:
        names = {info.field: info.name for info in variables(cls)}
        lines = (_sentence(names, item["loc"], item["msg"]) for item in error.errors())
        raise SettingsError(tuple(lines)) from None


def variables(cls: type[Settings], path: str = "") -> Iterator[VariableInfo]:
    """Yield every variable that `read` looks at for this class, in order of declaration."""
    for name, info in cls.model_fields.items():
        inner = _inner(info)
        if inner is not None:
            yield from variables(inner, f"{path}{name}.")
            continue
        required = info.is_required()
        default = "" if required else info.get_default(call_default_factory=False)
        yield VariableInfo(
            name=_variable(cls, name, info),
            field=path + name,
            default=_written(default),
            required=required,
            description=" ".join((info.description or "").split()),
        )


def _written(default: object) -> str:
    """Return a default as a person would write it."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return "" if default is None else str(default)


def unknown_variables(environ: Mapping[str, str], *classes: type[Settings]) -> Mapping[str, str]:
    """Return each HEARTRULE_ variable that no class declares, with the name most like it, or ""."""
    known = {info.name for cls in classes for info in variables(cls)}
    strangers = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return {name: next(iter(get_close_matches(name, sorted(known), n=1)), "") for name in strangers}


def _inner(info: FieldInfo) -> type[Settings] | None:
    kind = info.annotation
    return kind if isinstance(kind, type) and issubclass(kind, Settings) else None


def _variable(cls: type[Settings], name: str, info: FieldInfo) -> str:
    marks = [mark.name for mark in info.metadata if isinstance(mark, Variable)]
    return marks[0] if marks else cls.prefix + name.upper()


def _collect(cls: type[Settings], environ: Mapping[str, str]) -> Raw:
    found: Raw = {}
    for name, info in cls.model_fields.items():
        inner = _inner(info)
        if inner is not None:
            found[name] = _collect(inner, environ)
        elif value := environ.get(_variable(cls, name, info), "").strip():
            found[name] = value
    return found


def _sentence(names: Mapping[str, str], loc: tuple[int | str, ...], message: str) -> str:
    message = message.removeprefix("Value error, ")
    for length in range(len(loc), 0, -1):
        path = ".".join(str(part) for part in loc[:length])
        if path in names:
            return f"{names[path]}: {message}"
    return message
