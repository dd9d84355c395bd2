"""The JSON Schemas accept what the loader accepts, and are shipped as they are made now."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis.strategies import SearchStrategy
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from executor_service.scripts.agents.agent_files import check_agents
from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.techniques import check_techniques
from executor_service.scripts.loading.tree import to_json
from executor_service.scripts.loading.yaml_reader import read_yaml
from executor_service.scripts.model.findings import Findings, Located
from executor_service.scripts.model.kinds import is_id
from executor_service.scripts.schema.documents import BEYOND, SchemaOf, file_name, schema_text
from tests.support.script_shapes import AGENTS, GLOBALS, SCRIPTS, TECHNIQUES, Data, mutated

ROOT = Path(__file__).parents[4]
SYSTEM = ROOT / "_system"
SMALL: Data = {
    "session": {
        "session_id": "s",
        "phases": [
            {
                "phase_id": "p",
                "topics": [
                    {"topic_id": "t", "actions": [{"action_type": "ai_say", "action_id": "a"}]}
                ],
            }
        ],
    }
}
SCRIPT = json.dumps(SMALL).replace('"action_id": "a"', '"action_id": "a", "content": "x"')


def shipped(folder: Path) -> list[Path]:
    """Return the scripts and techniques of a folder; the conversations beside them are none."""
    files = folder.rglob("*.yaml")
    return sorted(path for path in files if not path.stem.endswith(".conversation"))


@cache
def validator(kind: SchemaOf) -> Draft202012Validator:
    """Return what holds a file against its schema; the others lie beside it."""
    beside = {file_name(each): json.loads(schema_text(each)) for each in SchemaOf}
    resources = ((name, Resource.from_contents(made)) for name, made in beside.items())
    registry = Registry[Any]().with_resources(resources)
    return Draft202012Validator(beside[file_name(kind)], registry=registry)


def refusals(kind: SchemaOf, data: object) -> list[str]:
    """Return what the schema finds wrong."""
    return [f"{e.json_path}: {e.message[:200]}" for e in validator(kind).iter_errors(data)]


def loaded(kind: SchemaOf, data: bytes) -> Iterable[Located]:
    """Return what the loader finds in a file of a kind."""
    if kind is SchemaOf.TECHNIQUE:
        return check_techniques({"skills/x.yaml": data}, trusting())
    if kind is SchemaOf.AGENT:
        name = str(json.loads(data).get("agent_id")).strip()
        folder = name if is_id(name) else "x"
        return check_agents({f"agents/{folder}/agent.yaml": data}, trusting())
    files = {"s.yaml": data}
    if kind is SchemaOf.GLOBAL:
        files = {"s.yaml": SCRIPT.encode(), "global.yaml": data}
    return load_script(files, main="s.yaml", environment=trusting()).findings


def agree(kind: SchemaOf, data: Data) -> None:
    """Assert that the schema accepts what the loader accepts, and refuses what it refuses."""
    found = loaded(kind, json.dumps(data, ensure_ascii=False).encode())
    errors = [str(each) for each in found if each.is_error and each.rule not in BEYOND]
    refused = refusals(kind, data)
    assert bool(errors) == bool(refused), (errors, refused)


@pytest.mark.parametrize("kind", SchemaOf)
def test_the_shipped_schema_is_the_one_made_now(kind: SchemaOf) -> None:
    """`heartrule schema --of … > _system/schemas/….schema.json` writes one anew."""
    file = SYSTEM / "schemas" / file_name(kind)
    assert file.read_text("utf-8") == schema_text(kind)
    Draft202012Validator.check_schema(json.loads(schema_text(kind)))


def references(part: object) -> Iterator[str]:
    """Yield where the parts of a schema refer to."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for each in part:
            yield from references(each)


@pytest.mark.parametrize("kind", SchemaOf)
def test_every_reference_leads_to_a_definition(kind: SchemaOf) -> None:
    """A validator notices one that does not only where a file has that key."""
    made = {file_name(each): json.loads(schema_text(each)) for each in SchemaOf}
    for reference in references(made[file_name(kind)]):
        file, name = reference.split("#/$defs/")
        assert name in made[file or file_name(kind)]["$defs"]


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        (SchemaOf.SCRIPT, SCRIPTS),
        (SchemaOf.TECHNIQUE, TECHNIQUES),
        (SchemaOf.GLOBAL, GLOBALS),
        (SchemaOf.AGENT, AGENTS),
    ],
)
def test_the_schema_accepts_exactly_what_the_loader_accepts(
    kind: SchemaOf, files: SearchStrategy[Data]
) -> None:
    """Up to `BEYOND`: right files, and files with a few things changed."""

    @settings(max_examples=80)
    @given(mutated(files))
    @example({})
    def holds(data: Data) -> None:
        agree(kind, data)

    holds()


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "scenarios").glob("*.yaml")), ids=lambda path: path.stem
)
def test_the_script_of_every_scene_is_valid(path: Path) -> None:
    """What is played loads, so the schema accepts it too."""
    scene = read_yaml(path.read_bytes(), Findings(path.name))
    assert scene is not None
    written = to_json(scene.root)
    assert isinstance(written, dict)
    document = read_yaml(str(written["script"]).encode(), Findings(path.name))
    assert document is not None
    assert refusals(SchemaOf.SCRIPT, to_json(document.root)) == []


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in ("scripts", "examples", "skills", "agents")
        for path in shipped(SYSTEM / folder)
    ],
    ids=lambda path: str(path.relative_to(SYSTEM)),
)
def test_what_ships_is_valid(path: Path) -> None:
    """Every example and every technique."""
    document = read_yaml(path.read_bytes(), Findings(path.name))
    assert document is not None
    written = to_json(document.root)
    assert isinstance(written, dict)
    kind = SchemaOf.TECHNIQUE if "technique_id" in written else SchemaOf.SCRIPT
    kind = SchemaOf.AGENT if "agent_id" in written else kind
    assert refusals(kind, written) == []
