"""Kubernetes would accept what kustomize renders, the oldest version we can ask and the newest."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from kubernetes_validate import ValidationError, validate
from kubernetes_validate.utils import all_versions

from tests.support.manifests import (
    COMPONENTS,
    KUSTOMIZE,
    VARIANTS,
    Rendered,
    kustomize,
    render,
    write_overlay,
)

VERSIONS = (all_versions()[0], all_versions()[-1])


def test_two_versions_are_asked() -> None:
    """The oldest and the newest are not the same."""
    assert len(set(VERSIONS)) == 2


@pytest.mark.parametrize("version", VERSIONS)
def test_every_object_is_valid(version: str) -> None:
    """No field is unknown, missing or of another type; most objects are alike in all variants."""
    objects = [made for variant in VARIANTS for made in render(variant).objects]
    for written in sorted({json.dumps(made, sort_keys=True) for made in objects}):
        assert version.startswith(validate(json.loads(written), version, strict=True)), written


@pytest.mark.parametrize("version", VERSIONS)
def test_a_misspelt_field_is_noticed(version: str) -> None:
    """The check bites: Kubernetes itself would drop such a field in silence."""
    pod = copy.deepcopy(render("base").named("Deployment", "executor"))
    pod["spec"]["template"]["spec"]["terminationGracePeriod"] = 60
    with pytest.raises(ValidationError, match="terminationGracePeriod"):
        validate(pod, version, strict=True)


def test_no_two_objects_have_one_name(rendered: Rendered) -> None:
    """The second would overwrite the first."""
    names = [(made["kind"], made["metadata"]["name"]) for made in rendered.objects]
    assert sorted(set(names)) == sorted(names)


def test_everything_lies_in_the_one_namespace(rendered: Rendered) -> None:
    """The namespace that demands restricted pods is the one they are in."""
    (namespace,) = rendered.of("Namespace")
    others = [made for made in rendered.objects if made is not namespace]
    assert {made["metadata"]["namespace"] for made in others} == {namespace["metadata"]["name"]}


def test_an_overlay_may_choose_the_namespace(tmp_path: Path) -> None:
    """One line of an overlay moves everything, the Namespace object too."""
    write_overlay(tmp_path, namespace="clinic")
    (namespace, *others) = kustomize(tmp_path)
    assert (namespace["kind"], namespace["metadata"]["name"]) == ("Namespace", "clinic")
    assert {made["metadata"]["namespace"] for made in others} == {"clinic"}


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_says_what_it_is_for(component: str) -> None:
    """Each has a README of its own, which names the line that adds it."""
    readme = (KUSTOMIZE / "components" / component / "README.md").read_text()
    assert f"- ../../components/{component}" in readme
