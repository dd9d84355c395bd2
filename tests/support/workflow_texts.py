"""A workflow as its author writes it, and bundles of scripts with workflows."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.scripts import ask_script

DIARY = """\
name: sleep of a month
description: Reads the diary and sums it up.
nodes:
  - node_id: diary
    type: DATABASE
    name: nights
    config: {query: SELECT night FROM diary, connection: diary}
  - node_id: summary
    type: LLM
    name: summary
    config:
      prompt: "Sum up: ${nights}"
    input_mapping:
      nights: ${diary.output.data}
edges:
  - {source: diary, target: summary}
"""
"""Reads one connection, `diary`."""

HELLO = """\
name: hello
description: Greets.
nodes:
  - {node_id: greet, type: LLM, name: greet, config: {prompt: Say hello.}}
edges: []
"""
"""One node that any policy allows."""


def with_workflows(**texts: str) -> Mapping[str, bytes]:
    """Return a bundle of a script and of workflows by their ids."""
    files = {f"workflows/{name}.yaml": text.encode() for name, text in texts.items()}
    return {"s.yaml": ask_script().encode(), **files}
