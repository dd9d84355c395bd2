"""A prompt template: front matter and named sections, read from the text of one file.

A section that has `{%shape%}` leaves to the engine which fields one call asks for; one that has it
not, as templates were before ADR 61, names its reply's fields itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from heartrule.chassis.plain_yaml import PlainYaml, read_plain_yaml
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.model.reply.prose import Skeleton
from heartrule.model.template_texts import reply_shape, template_pieces

DEFAULT_LAYER = "default"
# The sections a template may have; `system` and `turn` are always there.
SECTIONS = ("system", "opening", "turn", "reask", "closing", "running", "delegated", "undelivered")

_HEADER = re.compile(r"^<!-- section: (\S+) -->[ \t]*$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(.*?\n)---\n", re.DOTALL)
_KEYS = frozenset({"template", "version", "asks", "on_exit", "fields", "lists"})
_SHAPE = "{%shape%}"


class InvalidTemplate(InvalidRequest):
    """A template file breaks the rules of templates; each violation names `file:line`."""

    @property
    def source(self) -> str:
        """The file."""
        return self.metadata.get("file", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One template as it was read; nothing in it is filled yet."""

    name: str
    """Such as `ai_ask`."""
    version: int
    """Version of the template's own format rules."""
    asks: tuple[str, ...]
    """Optional groups of the reply it asks for, such as `metrics` and `assessment`; `quotes`: each
    variable stands beside the client's words that say it."""
    fields: Mapping[str, str]
    """Description of each reply field by its dotted name, in order."""
    sections: Mapping[str, str]
    """Text of each section."""
    on_exit: tuple[str, ...] = ()
    """Fields that only the reply that ends the action has."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """Texts of which a call shows some, by `list.name`, such as the decisions that are allowed."""
    content_hash: str
    """SHA-256 of the file's text."""
    layer: str = DEFAULT_LAYER
    """Where it was found: `default` or `custom/<scheme>`, and `/<language>` for one not Chinese."""
    instead_of: str = ""
    """A broken file, in whose place it stands."""
    field_list: str = field(init=False, repr=False, compare=False)
    """The described reply fields, one line each, in order."""
    own_words: Skeleton = field(init=False, repr=False, compare=False)
    """Knows what of a reply was copied from it."""

    def __post_init__(self) -> None:
        """List the fields, and know the words."""
        listed = "\n".join(f"- {name}: {text}" for name, text in self.fields.items())
        texts = (*self.fields.values(), *self.sections.values(), *self.lists.values())
        object.__setattr__(self, "field_list", listed)
        object.__setattr__(self, "own_words", Skeleton(self.fields, template_pieces(texts)))

    @property
    def is_default(self) -> bool:
        """Whether no scheme's own file answered."""
        return self.layer.partition("/")[0] == DEFAULT_LAYER

    @property
    def older_sections(self) -> tuple[str, ...]:
        """Sections that name their fields themselves, as templates did before ADR 61."""
        asking = [name for name in ("opening", "turn") if self.section(name)]
        return tuple(name for name in asking if not self.is_shaped(name))

    @property
    def prompt_type(self) -> str:
        """Name for the call ledger, such as `ai_ask_v1`."""
        return f"{self.name}_v{self.version}"

    def section(self, name: str) -> str:
        """Return a section's text; empty when the template has none of that name."""
        return self.sections.get(name, "")

    def listed(self, name: str, items: Iterable[str]) -> str:
        """Return some items of a list with their texts, one line each; unknown ones stand alone."""
        texts = ((item, self.lists.get(f"{name}.{item}", "")) for item in items)
        return "\n".join(f"- {item}: {text}" if text else f"- {item}" for item, text in texts)

    def is_shaped(self, section: str) -> bool:
        """Return whether a section leaves to the engine which fields a call asks for."""
        return _SHAPE in self.section(section)

    def shape(self, asked: Collection[str]) -> str:
        """Return the reply of those top-level fields as JSON, with dots in place of values."""
        always = (name for name in self.fields if name.partition(".")[0] in asked)
        quotes = "quotes" in self.asks
        return reply_shape((n for n in always if n not in self.on_exit), quotes=quotes)

    def always_asked(self) -> tuple[str, ...]:
        """Return the top-level fields without those that only an exit has."""
        return tuple(name for name in self.reply_fields() if name not in self.on_exit)

    def reply_fields(self) -> tuple[str, ...]:
        """Return the top-level names of the described fields, each once, in order."""
        return tuple(dict.fromkeys(name.partition(".")[0] for name in self.fields))


def parse_template(text: str, *, source: str, layer: str = DEFAULT_LAYER) -> Template:
    """Read one template file.

    Args:
        text: The whole file.
        source: Its name, for errors.
        layer: Recorded in the template.

    Raises:
        InvalidTemplate: Front matter or a section is missing, unknown or doubled.
        InvalidSettingsFile: The front matter is not readable as YAML.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    front = _FRONT_MATTER.match(plain)
    if front is None:
        raise invalid_template(
            source, 1, "the file must begin with front matter between two lines of ---"
        )
    data = read_plain_yaml(front.group(1), source=source, first_line=2)
    head = _Head(data, source=source)
    sections = _sections(plain, body_start=front.end(), source=source)
    return Template(
        name=head.text("template"),
        version=head.number("version"),
        asks=head.names("asks"),
        on_exit=head.names("on_exit"),
        fields=MappingProxyType(head.texts("fields")),
        lists=MappingProxyType(head.texts("lists")),
        sections=MappingProxyType(sections),
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        layer=layer,
    )


def _sections(text: str, *, body_start: int, source: str) -> dict[str, str]:
    headers = list(_HEADER.finditer(text, body_start))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    found: dict[str, str] = {}
    for header, end in zip(headers, ends, strict=True):
        name, line = header.group(1), text.count("\n", 0, header.start()) + 1
        if name not in SECTIONS:
            raise invalid_template(
                source, line, f"unknown section {name!r}; known: {', '.join(SECTIONS)}"
            )
        if name in found:
            raise invalid_template(source, line, f"the section {name!r} stands here twice")
        found[name] = text[header.end() : end].strip("\n")
    for name in ("system", "turn"):
        if not found.get(name):
            raise invalid_template(source, 1, f"the section {name!r} is missing or empty")
    return found


def invalid_template(source: str, line: int, problem: str) -> InvalidTemplate:
    """Return the error about one line of a template file."""
    return InvalidTemplate(
        f"{source}:{line}: {problem}",
        reason="INVALID_TEMPLATE",
        violations=(FieldViolation(field=f"{source}:{line}", description=problem),),
        metadata={"file": source},
    )


class _Head:
    """Typed access to the front matter."""

    def __init__(self, data: PlainYaml, *, source: str) -> None:
        if not isinstance(data, dict):
            raise invalid_template(source, 2, "the front matter must be a mapping")
        if unknown := sorted(set(data) - _KEYS):
            raise invalid_template(
                source, 2, f"unknown front matter {unknown}; known: {sorted(_KEYS)}"
            )
        self._data = data
        self._source = source

    def text(self, key: str) -> str:
        value = self._data.get(key, "")
        if not isinstance(value, str) or not value:
            raise invalid_template(self._source, 2, f"{key} must be text")
        return value

    def number(self, key: str) -> int:
        value = self.text(key)
        if not value.isdecimal():
            raise invalid_template(self._source, 2, f"{key} must be a whole number, not {value!r}")
        return int(value)

    def names(self, key: str) -> tuple[str, ...]:
        value = self._data.get(key) or []
        if not isinstance(value, list):
            raise invalid_template(self._source, 2, f"{key} must be a list of names")
        return tuple(str(item) for item in value)

    def texts(self, key: str) -> dict[str, str]:
        value = self._data.get(key) or {}
        if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
            raise invalid_template(self._source, 2, f"{key} must map names to descriptions")
        return {name: str(text) for name, text in value.items()}
