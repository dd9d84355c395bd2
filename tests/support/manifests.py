"""Kubernetes manifests as `kubectl kustomize` renders them, and the pods in them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import yaml

from tests.support.require import require_tool
from tests.support.source_tree import ROOT

DEPLOY = ROOT / "deploy"
KUSTOMIZE = DEPLOY / "kustomize"
EXAMPLE = KUSTOMIZE / "overlays" / "example"
COMPONENTS = tuple(sorted(path.name for path in (KUSTOMIZE / "components").iterdir()))
PROVIDERS = KUSTOMIZE / "components" / "providers" / "providers.example.yaml"
POLICY = KUSTOMIZE / "components" / "workflows" / "policy.example.yaml"
VARIANTS = ("base", "example", *COMPONENTS)
"""What can be rendered: the base, the example overlay, the overlay with one component each."""

STAND_IN = "a-secret-of-no-fewer-than-32-characters"
"""What a pod reads from a Secret, or of itself."""
STANDS_IN = {"HEARTRULE_DATABASE_URL": "postgresql://user@host/name"}
"""The same where its form matters."""

Manifest: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """All objects of one installation."""

    variant: str
    objects: tuple[Manifest, ...]

    def of(self, kind: str) -> Iterator[Manifest]:
        """Yield the objects of a kind."""
        return (made for made in self.objects if made["kind"] == kind)

    def named(self, kind: str, name: str) -> Manifest:
        """Return the one object of this kind and name."""
        (found,) = (made for made in self.of(kind) if made["metadata"]["name"] == name)
        return found

    def pods(self) -> tuple[Pod, ...]:
        """Return the pods its Deployments and StatefulSets make, one of each."""
        made = (*self.of("Deployment"), *self.of("StatefulSet"))
        return tuple(Pod(self, each) for each in made)

    def jobs(self) -> tuple[Pod, ...]:
        """Return the pods its CronJobs make, one of each."""
        made = ((job["metadata"], job["spec"]["jobTemplate"]) for job in self.of("CronJob"))
        return tuple(Pod(self, {**job, "metadata": metadata}) for metadata, job in made)

    def pods_labelled(self, selector: Mapping[str, Any]) -> tuple[Pod, ...]:
        """Return the pods a label selector picks, jobs' too; an empty one picks all."""
        pods = (*self.pods(), *self.jobs())
        return tuple(pod for pod in pods if selects(selector, pod.labels))


@dataclass(frozen=True, slots=True)
class Pod:
    """A Deployment's pod, a StatefulSet's or a CronJob's, read the way Kubernetes would."""

    rendered: Rendered
    deployment: Manifest

    @property
    def name(self) -> str:
        """Name of what makes it."""
        return str(self.deployment["metadata"]["name"])

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the pod."""
        return dict(self.deployment["spec"]["template"]["metadata"]["labels"])

    @property
    def spec(self) -> Manifest:
        """The pod's own specification."""
        found: Manifest = self.deployment["spec"]["template"]["spec"]
        return found

    @property
    def container(self) -> Manifest:
        """Its one container."""
        (found,) = self.spec["containers"]
        return dict(found)

    @property
    def module(self) -> str:
        """The Python module its process runs."""
        (found,) = self.container["args"]
        return str(found)

    def port(self, name: str) -> int:
        """Return the number of a named port."""
        (found,) = (port for port in self.container["ports"] if port["name"] == name)
        return int(found["containerPort"])

    def environment(self) -> dict[str, str]:
        """Return what the process finds in its environment; secrets are stand-ins."""
        found: dict[str, str] = {}
        for source in self.container["envFrom"]:
            if "configMapRef" in source:
                found |= self.rendered.named("ConfigMap", source["configMapRef"]["name"])["data"]
        for variable in self.container.get("env", []):
            name = variable["name"]
            found[name] = variable.get("value", STANDS_IN.get(name, STAND_IN))
        return found


def selects(selector: Mapping[str, Any], labels: Mapping[str, str]) -> bool:
    """Say whether a label selector (matchLabels, and `In` alone) picks these labels."""
    wanted: Mapping[str, str] = selector.get("matchLabels", {})
    among = [(rule["key"], rule["values"]) for rule in selector.get("matchExpressions", [])]
    return wanted.items() <= labels.items() and all(labels.get(k) in v for k, v in among)


@cache
def render(variant: str) -> Rendered:
    """Return a variant as kubectl renders it; the test skips where there is no kubectl."""
    folders = {"base": KUSTOMIZE / "base", "example": EXAMPLE}
    if variant in folders:
        return Rendered(variant=variant, objects=kustomize(folders[variant]))
    with TemporaryDirectory() as made:
        write_overlay(Path(made), variant, **operators_own(variant, Path(made)))
        return Rendered(variant=variant, objects=kustomize(Path(made)))


def write_overlay(folder: Path, *components: str, **changes: object) -> None:
    """Copy the example overlay into a folder, as an operator would, and change it.

    Args:
        folder: Where to; anywhere.
        components: Those to add, in their order.
        changes: Fields of the kustomization; a list is added to the example's own.
    """
    overlay = yaml.safe_load((EXAMPLE / "kustomization.yaml").read_text())
    above = Path(os.path.relpath(KUSTOMIZE, folder.resolve()))
    overlay["resources"] = [str(above / "base")]
    overlay["components"] = [str(above / "components" / each) for each in components]
    for field, value in changes.items():
        overlay[field] = overlay.get(field, []) + value if isinstance(value, list) else value
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(overlay))


def operators_own(component: str, folder: Path) -> dict[str, list[object]]:
    """Return what an overlay with this component adds by itself, its files written."""
    wanted = {
        "providers": ("providers", PROVIDERS, "providers.yaml"),
        "workflows": ("decision-policy", POLICY, "policy.yaml"),
    }
    if component not in wanted:
        return {}
    name, example, file = wanted[component]
    copy(example, folder / file)
    return {"configMapGenerator": [{"name": name, "files": [file]}]}


def kustomize(folder: Path) -> tuple[Manifest, ...]:
    """Render a folder; a warning counts as a failure, for it is about a field that goes away."""
    command = [require_tool("kubectl"), "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return tuple(yaml.safe_load_all(done.stdout))
