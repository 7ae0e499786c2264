"""``metacontroller/components/<add-on>/``: a controller for an API that a cluster may lack, its rights, and word of it.

The service must know which add-ons are installed, to say what a spec asks for in vain. Each component adds its API group to one
variable; a patch would put its own in place of another's, so it is a replacement that goes behind what is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.generate import rbac
from app.generate.names import NAME, PLAIN
from app.generate.service import OPTIONAL_APIS
from app.generate.text import yaml_text
from app.hooks.manifests import API_VERSION, manifest

if TYPE_CHECKING:
    from app.hooks.controller import Controller
    from app.hooks.objects import Object

COMMAND = "palena generate manifests"
_BEHIND_ALL = 100
"""Kustomize appends at an index that no list has."""


def add_on_component(controller: Controller[Any]) -> dict[str, str]:
    """Its files by path."""
    folder = f"metacontroller/components/{add_on_name(controller)}"
    file = f"{controller.name}.yaml"
    component: Object = {
        "apiVersion": "kustomize.config.k8s.io/v1alpha1",
        "kind": "Component",
        "resources": [file],
        "replacements": [_name_the_api(controller)],
    }
    return {
        f"{folder}/kustomization.yaml": yaml_text(component, command=COMMAND),
        f"{folder}/{file}": yaml_text(rbac.controller_role(controller), manifest(controller, PLAIN), command=COMMAND),
    }


def add_on_name(controller: Controller[Any]) -> str:
    """What users call the add-on: the controller's name without the kind that it adds to."""
    return controller.name.removeprefix(f"{controller.watched.plural}-")


def _name_the_api(controller: Controller[Any]) -> Object:
    group, _, version = API_VERSION.partition("/")
    return {
        "source": {
            "group": group,
            "version": version,
            "kind": "DecoratorController",
            "name": controller.name,
            "fieldPath": "spec.attachments.0.apiVersion",
            "options": {"delimiter": "/", "index": 0},
        },
        "targets": [
            {
                "select": {"kind": "Deployment", "name": NAME},
                "fieldPaths": [f"spec.template.spec.containers.[name=hooks].env.[name={OPTIONAL_APIS}].value"],
                "options": {"delimiter": ",", "index": _BEHIND_ALL},
            }
        ],
    }
