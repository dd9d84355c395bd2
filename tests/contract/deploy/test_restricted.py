"""The pod security standard "restricted", and what we ask beyond it."""

from __future__ import annotations

from tests.support.manifests import Manifest, Rendered

STANDARD = "pod-security.kubernetes.io/enforce"
VOLUMES = {"configMap", "downwardAPI", "emptyDir", "persistentVolumeClaim", "projected", "secret"}
"""Kinds of volumes that the standard and we allow; none of them is the node's own disk."""


def pods(rendered: Rendered) -> list[Manifest]:
    """Return the pods' specifications; there are some."""
    found = [pod.spec for pod in (*rendered.pods(), *rendered.jobs())]
    assert len(found) >= 2
    return found


def containers(rendered: Rendered) -> list[Manifest]:
    """Return every container, those that run before or beside the first too."""
    kinds = ("initContainers", "containers", "ephemeralContainers")
    return [made for pod in pods(rendered) for kind in kinds for made in pod.get(kind, [])]


def test_the_namespace_enforces_the_standard(rendered: Rendered) -> None:
    """Kubernetes refuses a pod that a later change makes less strict."""
    (namespace,) = rendered.of("Namespace")
    assert namespace["metadata"]["labels"][STANDARD] == "restricted"


def test_nobody_is_root(rendered: Rendered) -> None:
    """The user is a number other than 0, and no container says otherwise."""
    for pod in pods(rendered):
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] > 0
    for container in containers(rendered):
        assert {"runAsUser", "runAsNonRoot"} & container["securityContext"].keys() == set()


def test_system_calls_are_filtered(rendered: Rendered) -> None:
    """The runtime's own filter, for every container."""
    assert {p["securityContext"]["seccompProfile"]["type"] for p in pods(rendered)} == {
        "RuntimeDefault"
    }
    assert [c for c in containers(rendered) if "seccompProfile" in c["securityContext"]] == []


def test_nobody_gains_rights(rendered: Rendered) -> None:
    """No set-user-id program gives more than the process began with."""
    for container in containers(rendered):
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert not container["securityContext"].get("privileged")


def test_every_capability_is_dropped(rendered: Rendered) -> None:
    """All are dropped and none is added."""
    for container in containers(rendered):
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}


def test_nothing_of_the_node_is_shared(rendered: Rendered) -> None:
    """Neither its network, processes and memory, nor its ports and disk."""
    for pod in pods(rendered):
        assert {"hostNetwork", "hostPID", "hostIPC"} & pod.keys() == set()
        kinds = {kind for volume in pod["volumes"] for kind in volume.keys() - {"name"}}
        assert kinds <= VOLUMES
    ports = [port for container in containers(rendered) for port in container.get("ports", [])]
    assert [port for port in ports if "hostPort" in port] == []


def test_the_image_cannot_be_written_to(rendered: Rendered) -> None:
    """The root is read-only; /tmp is an emptyDir with a size."""
    for pod in pods(rendered):
        scratch = {v["name"] for v in pod["volumes"] if "sizeLimit" in v.get("emptyDir", {})}
        for container in pod["containers"]:
            mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert mounts["/tmp"] in scratch


def test_no_pod_can_speak_to_kubernetes(rendered: Rendered) -> None:
    """Neither the pod nor its account hands out a token, and no account has a role."""
    assert {pod["automountServiceAccountToken"] for pod in pods(rendered)} == {False}
    assert {s["automountServiceAccountToken"] for s in rendered.of("ServiceAccount")} == {False}
    assert [made["kind"] for made in rendered.objects if "Role" in made["kind"]] == []


def test_every_container_has_its_share(rendered: Rendered) -> None:
    """The scheduler knows what it asks for, and the node what it may not exceed."""
    for container in containers(rendered):
        resources = container["resources"]
        assert {"cpu", "memory"} == resources["requests"].keys() == resources["limits"].keys()
