"""The lines of a policy that would open what a workflow asks for. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from itertools import chain
from urllib.parse import urlsplit

from executor_service.decisions.policy import DecisionPolicy
from executor_service.workflows.graph import each_node
from executor_service.workflows.nodes.address_guard import may_connect
from executor_service.workflows.references import (
    LOOP_NAMES,
    ReferenceKind,
    input_names,
    references_in,
)
from heartrule.domain.workflows import Node, NodeType, Workflow
from heartrule.words.words import Said, say

_THIS_MACHINE = "localhost"
_WITH_SECRETS = frozenset({NodeType.HTTP, NodeType.DATABASE})


def lacking_lines(workflow: Workflow, policy: DecisionPolicy) -> tuple[str, ...]:
    """Return what has to stand below `default:`; empty where the policy names all of it.

    Each line has what the policy has in its place, too. An address that a name leads to is not
    looked up here.
    """
    nodes = [node for node, _ in each_node(workflow.nodes)]
    hosts = [host for node in nodes if (host := _host(node))]
    secrets, connections = set(_secrets(workflow, nodes)), set(_connections(nodes))
    lines = (
        _line("node_types", policy.node_types, {node.type.value for node in nodes}),
        _line("api_domains", policy.api_domains, _outside(hosts, policy.api_domains)),
        _line("api_networks", policy.api_networks, _closed(hosts, policy)),
        _line("connections", policy.connections, connections),
        _line("secrets", policy.secrets, secrets),
    )
    found = tuple(line for line in lines if line)
    needs_values = bool(connections or secrets) and policy.secrets_file is None
    return (*found, "secrets_file: secrets.yaml") if needs_values else found


def policy_hint(workflow: Workflow, policy: DecisionPolicy) -> tuple[Said, ...]:
    """Return what a policy has that opens what the workflow asks for; empty where nothing lacks."""
    lines = lacking_lines(workflow, policy)
    if not lines:
        return ()
    return (say("cli.workflow.policy"), "default:", *(f"  {line}" for line in lines))


def _line(key: str, allowed: Iterable[object] | None, wanted: Iterable[str]) -> str:
    """Return the line with what is allowed and what is wanted; empty where nothing is lacking."""
    if allowed is None:
        return ""
    names = {str(each) for each in allowed}
    whole = names.union(wanted)
    return "" if whole == names else f"{key}: {json.dumps(sorted(whole), ensure_ascii=False)}"


def _host(node: Node) -> str:
    if node.type is not NodeType.HTTP:
        return ""
    try:
        return urlsplit(str(node.config.get("url"))).hostname or ""
    except ValueError:
        return ""


def _outside(hosts: Iterable[str], domains: tuple[str, ...] | None) -> Iterator[str]:
    for host in hosts:
        if not any(host == each or host.endswith(f".{each}") for each in domains or ()):
            yield host


def _closed(hosts: Iterable[str], policy: DecisionPolicy) -> Iterator[str]:
    """Yield the addresses that are none of the public internet, as networks of one address."""
    for host in hosts:
        try:
            address = ip_address("127.0.0.1" if host == _THIS_MACHINE else host)
        except ValueError:
            continue
        if not may_connect(address, policy.api_networks):
            yield f"{address}/{address.max_prefixlen}"


def _connections(nodes: Iterable[Node]) -> Iterator[str]:
    for node in nodes:
        name = node.config.get("connection")
        if node.type is NodeType.DATABASE and isinstance(name, str):
            yield name


def _secrets(workflow: Workflow, nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the names that nothing but a secret could give."""
    inputs = input_names(workflow) | LOOP_NAMES
    for node in nodes:
        if node.type not in _WITH_SECRETS:
            continue
        known = inputs.union(node.input_mapping)
        for each in chain(references_in(node.config), references_in(node.input_mapping)):
            if each.kind is ReferenceKind.NAME and each.name not in known:
                yield each.name
