"""``chart/files/``: what the Helm chart has in common with the kustomize layout, as data that its templates read.

Definitions, controllers and rights come from the declarations and are copied word for word; addresses, names of Secrets and
accounts are put in by the templates, which know the values. Everything else in ``chart/`` is written by hand, and a test
holds what it renders against what kustomize renders.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.generate import rbac
from app.generate.add_on_component import add_on_name
from app.generate.crds import file_name
from app.generate.manifests import controller_files
from app.generate.text import yaml_text
from app.hooks.controller import DecoratorController

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.apis.custom_resource import CustomResource
    from app.hooks.controller import Controller
    from app.hooks.objects import Object

COMMAND = "palena generate chart"

KEEP = {"helm.sh/resource-policy": "keep"}
"""Helm never deletes such an object: with a definition would go every custom resource of its kind."""


def chart(controllers: Sequence[Controller[Any]], kinds: Sequence[CustomResource]) -> dict[str, str]:
    """Every generated file of the chart by its path."""
    add_ons = [
        controller for controller in controllers if isinstance(controller, DecoratorController) and controller.optional_api
    ]
    everywhere = [controller for controller in controllers if controller not in add_ons]
    objects = {f"crds/{file_name(kind.resource)}": [_kept(kind.crd())] for kind in kinds}
    objects["metacontroller-rights.yaml"] = rbac.core_roles()
    objects["reader.yaml"] = rbac.reader_roles([kind.resource for kind in kinds])
    objects |= _folder("full", everywhere)
    objects |= _folder("attach-only", [controller.owning_nothing() for controller in everywhere])
    for controller in add_ons:
        (objects[f"add-ons/{add_on_name(controller)}.yaml"],) = controller_files([controller]).values()
    objects["add-ons.yaml"] = [{add_on_name(controller): _needs(controller) for controller in add_ons}]
    return {f"chart/files/{path}": yaml_text(*items, command=COMMAND) for path, items in objects.items()}


def _needs(controller: DecoratorController[Any]) -> Object:
    """The APIs that must be served, as Helm names them: a controller with one that is missing stays down as a whole."""
    resources = [rule.resource for rule in controller.attachments]
    return {"group": controller.optional_api, "apis": [f"{resource.api_version}/{resource.kind}" for resource in resources]}


def _folder(name: str, controllers: Sequence[Controller[Any]]) -> dict[str, list[Object]]:
    return {f"{name}/{path}": items for path, items in controller_files(controllers).items()}


def _kept(definition: Object) -> Object:
    metadata = definition["metadata"]
    return {**definition, "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), **KEEP}}}
