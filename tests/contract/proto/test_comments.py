"""The contract explains itself: every element has a comment, every file stays small."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import Message

PROTOS = Path(__file__).parents[3] / "protos"
FILES = sorted((PROTOS / "heartrule/v1").glob("*.proto"))
BEHAVIOURS = ("Required. ", "Optional. ", "Output only. ")


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    out = tmp_path_factory.mktemp("image") / "all.binpb"
    options = [f"-I{PROTOS}", "--include_source_info", f"--descriptor_set_out={out}"]
    command = [sys.executable, "-m", "grpc_tools.protoc", *options, *map(str, FILES)]
    subprocess.run(command, check=True)
    return list(FileDescriptorSet.FromString(out.read_bytes()).file)


def elements(file: FileDescriptorProto) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and comment of every element of the file."""
    for location in file.source_code_info.location:
        node = element(file, tuple(location.path))
        if node is not None:
            kind = type(node).__name__.removesuffix("DescriptorProto")
            yield kind, node.name, location.leading_comments.strip()


def element(file: FileDescriptorProto, path: tuple[int, ...]) -> DescriptorProto | None:
    """Return what a source path leads to, unless that is a mere part of an element."""
    node: object = file
    if len(path) % 2 or not path:
        return None
    for number, index in zip(path[::2], path[1::2], strict=True):
        assert isinstance(node, Message)
        node = getattr(node, node.DESCRIPTOR.fields_by_number[number].name)[index]
    # Whatever it is, it has a name like a message's descriptor.
    return cast("DescriptorProto", node) if isinstance(node, Message) else None


def test_every_element_has_a_comment(described: list[FileDescriptorProto]) -> None:
    """No service, rpc, message, field, oneof, enum or value is without one."""
    found = [element for file in described for element in elements(file)]
    kinds = {"", "Service", "Method", "Field", "Oneof", "Enum", "EnumValue"}  # "" is a message
    assert kinds == {kind for kind, _, _ in found}
    assert [(kind, name) for kind, name, comment in found if not comment] == []


def test_every_field_says_how_to_treat_it(described: list[FileDescriptorProto]) -> None:
    """A field's comment begins with Required, Optional or Output only."""
    fields = [
        (file.name, name, comment)
        for file in described
        for kind, name, comment in elements(file)
        if kind in {"Field", "Oneof"}
    ]
    assert [field for field in fields if not field[2].startswith(BEHAVIOURS)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_stays_readable(path: Path) -> None:
    """No file of the contract has more than 260 lines."""
    assert len(path.read_text("utf-8").splitlines()) <= 260
