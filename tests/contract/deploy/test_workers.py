"""Workers: a StatefulSet that takes runs, while executors take none; their sandboxes have room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from executor_service.decisions.policy import load_decision_policies
from executor_service.workflows.sandbox import child, process_sandbox
from executor_service.workflows.sandbox.job_folder import MOST_FOLDER_BYTES
from tests.support.manifests import (
    POLICY,
    Pod,
    Rendered,
    kustomize,
    operators_own,
    render,
    write_overlay,
)
from tests.support.source_tree import ROOT

GIBIBYTE = 1024**3


def pods_of(rendered: Rendered) -> dict[str, Pod]:
    """Return the pods by their names."""
    return {pod.name: pod for pod in rendered.pods()}


@pytest.fixture
def pods() -> dict[str, Pod]:
    """Return the pods of an installation with workers."""
    return pods_of(render("workflows"))


@pytest.fixture
def workers() -> dict[str, Any]:
    """Return the StatefulSet's specification."""
    return dict(render("workflows").named("StatefulSet", "worker")["spec"])


def volumes(pod: Pod) -> dict[str, Any]:
    """Return what is mounted in a pod, by its path."""
    kinds = {each["name"]: each for each in pod.spec["volumes"]}
    return {each["mountPath"]: kinds[each["name"]] for each in pod.container["volumeMounts"]}


def test_a_worker_comes_back_under_its_name(pods: dict[str, Pod]) -> None:
    """What it had when it died is kept under that name, and taken up again."""
    (name,) = (each for each in pods["worker"].container["env"] if each["name"] == "POD_NAME")
    assert name["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"


def test_workers_take_runs_and_executors_none(pods: dict[str, Pod]) -> None:
    """Both read the same policy: the gate's, and that of what nodes may do."""
    worker, executor = (pods[name].environment() for name in ("worker", "executor"))
    assert worker["HEARTRULE_ROLE"] == "worker"
    assert int(worker["HEARTRULE_RUN_CONCURRENCY"]) > 0
    assert executor["HEARTRULE_RUN_CONCURRENCY"] == "0"
    policies = {each["HEARTRULE_DECISION_POLICY"] for each in (worker, executor)}
    assert policies == {"/etc/heartrule-policy/policy.yaml"}


def test_no_worker_waits_for_another(workers: dict[str, Any], pods: dict[str, Pod]) -> None:
    """All start at once; a node is emptied one at a time, and the set selects its own pods."""
    assert workers["podManagementPolicy"] == "Parallel"
    assert workers["replicas"] >= 2
    rendered = pods["worker"].rendered
    budget = rendered.named("PodDisruptionBudget", "worker")["spec"]
    assert budget["maxUnavailable"] == 1
    for selector in (workers["selector"], budget["selector"]):
        assert [pod.name for pod in rendered.pods_labelled(selector)] == ["worker"]
    service = rendered.named("Service", workers["serviceName"])["spec"]
    assert (service["clusterIP"], service.get("ports")) == ("None", None)


def test_workers_alone_have_the_secrets_of_nodes(pods: dict[str, Pod]) -> None:
    """Neither their file nor, in a worker, any service's token."""
    having = [
        name
        for name, pod in pods.items()
        if any("workflow-secrets" in str(each) for each in volumes(pod).values())
    ]
    assert having == ["worker"]
    assert [name for name in pods["worker"].environment() if "TOKEN" in name] == []


def test_the_example_of_a_policy_is_one(pods: dict[str, Pod]) -> None:
    """It is read by the code that reads an operator's; its file of secrets lies in the mount."""
    policy = load_decision_policies(POLICY).of("any")
    mounted = volumes(pods["worker"])
    assert policy.secrets_file is not None
    assert "secret" in mounted[str(policy.secrets_file.parent)]
    read = Path(pods["worker"].environment()["HEARTRULE_DECISION_POLICY"])
    assert "configMap" in mounted[str(read.parent)]


def test_the_gate_can_run_what_workers_run(pods: dict[str, Pod]) -> None:
    """It tries the sandboxes on its own machine, so executors have the image with pandas too."""
    images = {name: pod.container["image"].partition(":")[0] for name, pod in pods.items()}
    assert images == {
        "executor": "heartrule-analysis",
        "worker": "heartrule-analysis",
        "monitor": "heartrule",
    }


def test_sandboxes_have_room(pods: dict[str, Pod]) -> None:
    """As many as run at once fit below the limit of memory, and what they write into /tmp."""
    limits = pods["worker"].container["resources"]["limits"]
    assert _bytes(limits["memory"]) >= process_sandbox.AT_ONCE * child.MEMORY + GIBIBYTE
    scratch = volumes(pods["worker"])["/tmp"]["emptyDir"]["sizeLimit"]
    assert _bytes(scratch) >= 2 * process_sandbox.AT_ONCE * MOST_FOLDER_BYTES


def test_providers_and_traces_reach_workers_too(tmp_path: Path) -> None:
    """Components that are added behind it change its pods as they change a Deployment's."""
    own = [operators_own(each, tmp_path) for each in ("workflows", "providers")]
    maps = [each for made in own for each in made["configMapGenerator"]]
    write_overlay(tmp_path, "workflows", "providers", "traces", configMapGenerator=maps)
    worker = pods_of(Rendered(variant="all", objects=kustomize(tmp_path)))["worker"]
    environment = worker.container["envFrom"]
    assert {"secretRef": {"name": "provider-keys"}} in environment
    assert any(
        each.get("configMapRef", {}).get("name", "").startswith("traces") for each in environment
    )
    assert "/etc/heartrule" in volumes(worker)
    assert "OPENAI_API_KEY" not in [each["name"] for each in worker.container["env"]]


def test_the_guide_makes_the_secret(pods: dict[str, Pod]) -> None:
    """With the file's name that the policy's path ends in."""
    guide = (ROOT / "docs" / "operations" / "workers.md").read_text()
    file = load_decision_policies(POLICY).of("any").secrets_file
    assert file is not None
    assert f"create secret generic workflow-secrets --from-file={file.name}" in guide


def _bytes(written: str) -> int:
    """Return a quantity of Kubernetes in bytes."""
    return int(written[:-2]) * {"Mi": 1024**2, "Gi": GIBIBYTE}[written[-2:]]
