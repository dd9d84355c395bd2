"""The outputs of an action: names, types, options, and the older ways to write them."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.configs import Output
from executor_service.scripts.context import Spotter
from executor_service.scripts.findings import Findings, Spot
from executor_service.scripts.keys import CONTROL_FIELDS, EXTRACTION_PROMPT, OUTPUT
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section, as_text, as_variable, wrong
from executor_service.scripts.tree import Entry, ListNode, MapNode, Node, ScalarNode
from executor_service.scripts.wording import nearest, quoted
from heartrule.domain.output_type import OutputType


def read_outputs(section: Section, spotter: Spotter) -> tuple[Output, ...]:
    """Return the outputs of a config; those that do not fit are reported and left out."""
    findings = section.findings
    nodes = section.items("output")
    made = [_output(node, spotter, findings) for node in nodes]
    if section.older:
        made += _older_outputs(section, spotter)
    found: dict[str, Output] = {}
    for output, spot in made:
        if output.get in found:
            findings.error(
                spot, f"the output `{output.get}` stands here twice", Rule.DUPLICATE_NAME
            )
        elif output.get:
            found[output.get] = output
    return tuple(found.values())


def read_required(section: Section, outputs: tuple[Output, ...]) -> tuple[str, ...]:
    """Return the outputs the model is told it must have: all unless the author says less."""
    names = tuple(output.get for output in outputs)
    node = section.node("required")
    if isinstance(node, ListNode):
        return tuple(dict.fromkeys(_required(item, names, section.findings) for item in node.items))
    return names if section.boolean("required", default=True) else ()


def _required(node: Node, names: tuple[str, ...], findings: Findings) -> str:
    name = as_text(node, "required", findings)
    if name and name not in names:
        meant = nearest(name, names)
        hint = f"did you mean `{meant}`?" if meant else f"its outputs: {', '.join(names) or 'none'}"
        findings.error(
            node,
            f"`required` names {quoted(name)}, which is no output; {hint}",
            Rule.UNKNOWN_OUTPUT,
        )
    return name


def _output(node: Node, spotter: Spotter, findings: Findings) -> tuple[Output, Spot]:
    if not isinstance(node, MapNode):
        shown = node.text if isinstance(node, ScalarNode) else "变量名"
        wrong(node, "an output", f"- get: {shown}", findings)
        return Output(get=""), node
    section = Section(node, OUTPUT, findings)
    name = _name(section)
    kind = _type(section, name, spotter)
    return Output(
        get=name,
        define=section.text("define"),
        type=kind,
        options=_options(section, kind),
        sensitive=section.boolean("sensitive", default=False),
    ), node


def _name(section: Section) -> str:
    name = section.variable("get")
    return free_name(name, section.spot_of("get"), section.findings) if name else ""


def free_name(name: str, spot: Spot, findings: Findings) -> str:
    """Return `name`; "" and a finding where the model's reply has a field of that name."""
    if name.casefold() not in CONTROL_FIELDS:
        return name
    findings.error(
        spot,
        f"`{name}` is a field of the model's own reply; give the variable another name",
        Rule.RESERVED_NAME,
    )
    return ""


def _type(section: Section, name: str, spotter: Spotter) -> OutputType:
    declared = spotter.context.board.explicit_type(name, spotter.topic)
    own = section.word("type", OutputType)
    if own is None and section.has("type"):
        spotter.context.yields.add_unclear(name)
    if own is not None and declared is not None and own is not declared:
        section.findings.error(
            section.spot_of("type"),
            f"`{name}` is declared as {declared.value}, but is {own.value} here; leave one out",
            Rule.TYPE_CONFLICT,
        )
    kind = own or declared or OutputType.TEXT
    if name:
        spotter.yields(name, kind, section.spot_of("get"))
    return kind


def _options(section: Section, kind: OutputType) -> tuple[str, ...]:
    if kind is not OutputType.CHOICE:
        if section.has("options"):
            named = section.has("type")  # else a declaration might have made it a choice
            section.findings.error(
                section.spot_of("options"),
                "`options` belong to a choice; write `type: choice` too",
                Rule.MISPLACED_KEY if named else Rule.TYPE_CONFLICT,
            )
        return ()
    return read_options(section)


def read_options(section: Section) -> tuple[str, ...]:
    """Return the options under `options`, of which there must be one, each once."""
    found: dict[str, None] = {}
    for node in section.full_list("options"):
        option = _option(node, section.findings)
        if option in found:
            section.findings.error(
                node, f"the option {quoted(option)} stands here twice", Rule.DUPLICATE_NAME
            )
        elif option:
            found[option] = None
    return tuple(found)


def _option(node: Node, findings: Findings) -> str:
    if isinstance(node, ScalarNode) and isinstance(node.value, int | float):
        return node.text  # a scale such as [0, 1, 2, 3] or [true, false]: its words count
    option = as_text(node, "options", findings)
    if not option and isinstance(node, ScalarNode) and node.value == "":
        findings.error(node, "an option is empty; leave it out or name it", Rule.WRONG_VALUE)
    return option


def _older_outputs(section: Section, spotter: Spotter) -> list[tuple[Output, Spot]]:
    older, findings = dict(section.older), section.findings
    define = older.pop(EXTRACTION_PROMPT, None)
    found: list[tuple[Output, Spot]] = []
    for key, entry in older.items():
        findings.warning(
            entry.key, f"`{key}` is an older name; write `output: [{{get: …}}]`", Rule.OLDER_NAME
        )
        nodes = entry.value.items if isinstance(entry.value, ListNode) else [entry.value]
        found += [_older_output(node, key, spotter, findings) for node in nodes]
    if define is not None:
        text = _definition(define, bool(older), findings)
        found = [(replace(output, define=output.define or text), spot) for output, spot in found]
    return found


def _older_output(
    node: Node, key: str, spotter: Spotter, findings: Findings
) -> tuple[Output, Spot]:
    if isinstance(node, MapNode):
        return _output(node, spotter, findings)
    text = as_text(node, key, findings)
    name = as_variable(node, text, findings) if text else ""
    name = free_name(name, node, findings) if name else ""
    kind = spotter.context.board.explicit_type(name, spotter.topic) or OutputType.TEXT
    if name:
        spotter.yields(name, kind, node)
    return Output(get=name, type=kind), node


def _definition(entry: Entry, has_target: bool, findings: Findings) -> str:  # noqa: FBT001
    if has_target:
        findings.warning(
            entry.key,
            f"`{EXTRACTION_PROMPT}` is an older name; write `define` in `output`",
            Rule.OLDER_NAME,
        )
    else:
        findings.error(
            entry.key,
            f"`{EXTRACTION_PROMPT}` belongs to an older `target_variable`, which is not here; "
            "write `output: [{get: …, define: …}]`",
            Rule.MISPLACED_KEY,
        )
    return as_text(entry.value, EXTRACTION_PROMPT, findings)
