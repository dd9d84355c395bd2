"""The console's modules that need no browser, tested by Node's own runner."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from pathlib import Path

import pytest

from executor_service.scripts.schema.documents import SchemaOf, schema_text
from tests.support.require import require_tool

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LONGEST_LINE = 120
VENDOR = ROOT / "gateway_service" / "console" / "static" / "vendor"


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
async def test_the_modules_do_what_their_tests_say(name: str, tmp_path: Path) -> None:
    """Node ends with 0; its report is the message otherwise."""
    node = require_tool("node")
    schema = tmp_path / "schema.json"
    schema.write_text(schema_text(SchemaOf.SCRIPT), "utf-8")
    process = await asyncio.create_subprocess_exec(
        node,
        "--test",
        str(HERE / name),
        env={**os.environ, "SCRIPT_SCHEMA": str(schema)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    report, _ = await process.communicate()
    assert process.returncode == 0, report.decode()[-4000:]


def test_no_line_of_a_module_is_longer_than_120_characters() -> None:
    """Long templates are broken at their tags, where a line break shows nothing."""
    own = [each for each in VENDOR.parent.rglob("*.js") if VENDOR not in each.parents]
    lines = [(each.name, line) for each in own for line in each.read_text("utf-8").splitlines()]
    assert [(name, line) for name, line in lines if len(line) > LONGEST_LINE] == []


def test_vendored_modules_are_those_the_manifest_names() -> None:
    """Nobody edits them by hand, and each package has its licence beside it."""
    manifest = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
    found = {
        name: hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() for name in manifest["files"]
    }
    assert found == manifest["files"]
    licences = (VENDOR / "LICENSES.txt").read_text("utf-8")
    assert [name for name in manifest["packages"] if name not in licences] == []


def test_vendored_modules_come_from_the_pinned_packages() -> None:
    """What package.json pins is what the manifest says was built."""
    package = json.loads((ROOT / "scripts" / "console_vendor" / "package.json").read_text("utf-8"))
    manifest = json.loads((VENDOR / "manifest.json").read_text("utf-8"))
    built = {name: each["version"] for name, each in manifest["packages"].items()}
    assert package["dependencies"].items() <= built.items()
