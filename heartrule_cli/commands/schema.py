"""`heartrule schema`: what an editor or a program needs to check what is written for HeartRule."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping

from executor_service.decisions.payloads.published import SchemaOfDecisions, published_text
from executor_service.scripts.schema.documents import SchemaOf, schema_text


def schema(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print the JSON Schema of one kind of file, or of what agents decide."""
    del environ
    is_decided = args.of in set(SchemaOfDecisions)
    made = (
        published_text(SchemaOfDecisions(args.of)) if is_decided else schema_text(SchemaOf(args.of))
    )
    print(made, end="")
    return 0
