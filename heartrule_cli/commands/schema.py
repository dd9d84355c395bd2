"""`heartrule schema`: what an editor needs to check and complete scripts while they are written."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping

from executor_service.scripts.schema.documents import SchemaOf, schema_text


def schema(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the JSON Schema of one kind of file."""
    del environ
    print(schema_text(SchemaOf(args.of)), end="")
    return 0
