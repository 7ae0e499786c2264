"""The kustomize layout: every file is found, and the two shapes differ in children only."""

from __future__ import annotations

import posixpath
from typing import Any

import yaml

from app import __version__
from app.generate.manifests import manifests
from app.hooks.controller import ChildRule, CompositeController, DecoratorController, Update
from app.hooks.objects import Object, Resource
from app.hooks.response import CustomizeResponse, DecoratorResponse, SyncResponse


def sync(request: Any, context: Any) -> SyncResponse:
    return SyncResponse(status={}, children=[], retained=[])


def customize(request: Any) -> CustomizeResponse:
    return CustomizeResponse(related=[])


def decorate(request: Any, context: Any) -> DecoratorResponse:
    return DecoratorResponse(attachments=[], retained=[])


CONTROLLER: CompositeController[None] = CompositeController(
    name="labs",
    parent=Resource("lab.example.com/v1", "Lab", "labs"),
    children=(
        ChildRule(Resource("apps/v1", "Deployment", "deployments"), Update.IN_PLACE),
        ChildRule(Resource("batch/v1", "Job", "jobs"), Update.ON_DELETE),
    ),
    related=(Resource("v1", "Secret", "secrets"),),
    sync=sync,
    customize=customize,
)
CRD = "crds/lab.example.com_labs.yaml"
ADD_ON: DecoratorController[None] = DecoratorController(
    name="labs-badges",
    target=CONTROLLER.parent,
    attachments=(ChildRule(Resource("badge.example.com/v1", "Badge", "badges"), Update.IN_PLACE, ("colour",)),),
    optional_api="badge.example.com",
    sync=decorate,
)
FILES = manifests([CONTROLLER, ADD_ON], [CONTROLLER.parent])


def objects(path: str) -> list[Object]:
    return list(yaml.safe_load_all(FILES[path]))


def test_every_resource_of_a_kustomization_is_there_and_every_file_is_used() -> None:
    used = {"metacontroller/kustomization.yaml", "metacontroller/attach-only/kustomization.yaml"}
    used |= {f"metacontroller/components/{component}/kustomization.yaml" for component in ("tls", "badges")}
    for path in list(FILES):
        if path.endswith("/kustomization.yaml"):
            (kustomization,) = objects(path)
            for resource in kustomization.get("resources", []):
                target = posixpath.normpath(posixpath.join(posixpath.dirname(path), resource))
                used.add(target if target.endswith(".yaml") else f"{target}/kustomization.yaml")
    assert used == {*FILES, CRD}


def test_the_full_shape_declares_every_child_rule_with_its_update_method() -> None:
    _, controller = objects("metacontroller/full/labs.yaml")
    assert controller["spec"]["childResources"] == [
        {"apiVersion": "apps/v1", "resource": "deployments", "updateStrategy": {"method": "InPlace"}},
        {"apiVersion": "batch/v1", "resource": "jobs", "updateStrategy": {"method": "OnDelete"}},
    ]


def test_the_attach_only_shape_differs_in_children_and_rights_alone() -> None:
    full_role, full = objects("metacontroller/full/labs.yaml")
    role, controller = objects("metacontroller/attach-only/labs.yaml")
    assert controller["spec"].pop("childResources") == []
    full["spec"].pop("childResources")
    assert controller == full
    assert role["metadata"] == full_role["metadata"]
    assert not {"apps", "batch"} & {group for rule in role["rules"] for group in rule["apiGroups"]}


def test_hooks_are_strict_version_2_with_the_token_and_the_version_in_the_url() -> None:
    _, controller = objects("metacontroller/full/labs.yaml")
    assert controller["spec"]["generateSelector"] is True
    assert controller["spec"]["parentResource"]["ignoreStatusChanges"] is True
    assert set(controller["spec"]["hooks"]) == {"sync", "customize"}
    for name, hook in controller["spec"]["hooks"].items():
        assert hook == {
            "version": "v2",
            "webhook": {
                "url": f"http://palena.palena-system.svc/hooks/labs/{name}?rev={__version__}",
                "timeout": "30s",
                "responseUnMarshallMode": "strict",
                "authorization": {
                    "type": "Bearer",
                    "secretRef": {"namespace": "palena-system", "name": "palena-hook-token", "key": "token"},
                },
            },
        }


def test_the_tls_component_turns_every_hook_to_https_and_says_whom_to_trust() -> None:
    (component,) = objects("metacontroller/components/tls/kustomization.yaml")
    (patch,) = [entry for entry in component["patches"] if entry["target"]["kind"] == "CompositeController"]
    changes = {change["path"]: change["value"] for change in yaml.safe_load(patch["patch"])}
    authority = {"secretRef": {"namespace": "palena-system", "name": "palena-tls", "key": "ca.crt"}}
    for hook in ("sync", "customize"):
        url = f"https://palena.palena-system.svc/hooks/labs/{hook}?rev={__version__}"
        assert changes[f"/spec/hooks/{hook}/webhook/url"] == url
        assert changes[f"/spec/hooks/{hook}/webhook/caBundle"] == authority


def test_in_both_shapes_the_service_reads_secrets_by_name_and_our_own_kinds() -> None:
    role, binding = objects("metacontroller/base/reader.yaml")
    assert role["rules"] == [
        {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]},
        {"apiGroups": ["lab.example.com"], "resources": ["labs"], "verbs": ["get", "list"]},
    ]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": "palena", "namespace": "palena-system"}]
    assert "reader.yaml" in objects("metacontroller/base/kustomization.yaml")[0]["resources"]


def test_an_add_on_is_a_component_with_its_controller_and_its_rights() -> None:
    role, controller = objects("metacontroller/components/badges/labs-badges.yaml")
    assert (controller["kind"], controller["metadata"]["name"]) == ("DecoratorController", "labs-badges")
    rules = {(rule["apiGroups"][0], name): rule["verbs"] for rule in role["rules"] for name in rule["resources"]}
    assert rules["badge.example.com", "badges/colour"] == ["create", "update"]
    assert not any("labs-badges" in text for path, text in FILES.items() if "/full/" in path or "/attach-only/" in path)


def test_an_add_on_tells_the_service_its_api_from_its_own_object() -> None:
    """By a replacement that adds to what other components have added; a patch would put its own in place of theirs."""
    (component,) = objects("metacontroller/components/badges/kustomization.yaml")
    (replacement,) = component["replacements"]
    _, controller = objects("metacontroller/components/badges/labs-badges.yaml")
    assert replacement["source"]["name"] == controller["metadata"]["name"]
    assert controller["spec"]["attachments"][0]["apiVersion"].partition("/")[0] == ADD_ON.optional_api
    (target,) = replacement["targets"]
    (deployment,) = objects("metacontroller/base/deployment.yaml")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    variable = next(entry for entry in container["env"] if entry["name"] == "PALENA_OPTIONAL_APIS")
    assert variable["value"] == ""
    assert target["fieldPaths"] == [
        f"spec.template.spec.containers.[name={container['name']}].env.[name={variable['name']}].value"
    ]


def test_no_secret_is_among_the_manifests() -> None:
    kinds = {item["kind"] for path in FILES for item in objects(path)}
    assert "Secret" not in kinds
