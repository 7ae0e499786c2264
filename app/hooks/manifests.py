"""A controller's declaration as the object that makes Metacontroller call it.

One function for installation, simulation and tests, so that what is tested is what is installed. Metacontroller reads the
object only when its ``spec`` changes; a new ``revision`` in the hook URLs is what makes it sync every parent again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.hooks.controller import ChildRule, CompositeController, Controller, DecoratorController

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource

API_VERSION = "metacontroller.k8s.io/v1alpha1"


@dataclass(frozen=True, kw_only=True)
class SecretKey:
    """One key of a Secret that Metacontroller reads when the controller starts."""

    namespace: str
    name: str
    key: str


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where the hooks are served, and how the two sides know each other."""

    url: str
    """``http://host:port`` or ``https://…``, without a path."""
    revision: str = ""
    """Ends up as ``?rev=``; without it the hook URLs carry no query."""
    token: SecretKey | None = None
    """The bearer token; a trailing newline in the Secret is harmless."""
    ca: SecretKey | None = None
    """The authority of the service's certificate, in PEM; without it the system's roots apply."""


def hook_url(controller: str, hook: str, address: Address) -> str:
    """``<url>/hooks/<controller>/<hook>?rev=<revision>``."""
    url = f"{address.url}/hooks/{controller}/{hook}"
    return f"{url}?rev={address.revision}" if address.revision else url


def manifest(controller: Controller[Any], address: Address) -> Object:
    """The CompositeController or DecoratorController object: version 2 hooks, strict answers."""
    if isinstance(controller, CompositeController):
        return _composite(controller, address)
    return _decorator(controller, address)


def _composite(controller: CompositeController[Any], address: Address) -> Object:
    return {
        "apiVersion": API_VERSION,
        "kind": "CompositeController",
        "metadata": {"name": controller.name},
        "spec": {
            "generateSelector": True,
            "resyncPeriodSeconds": controller.resync_period_seconds,
            "parentResource": {**_resource(controller.watched), "ignoreStatusChanges": controller.ignore_status_changes},
            "childResources": [_child(rule) for rule in controller.owned],
            "hooks": _hooks(controller, address),
        },
    }


def _decorator(controller: DecoratorController[Any], address: Address) -> Object:
    selector = {"labelSelector": {"matchLabels": dict(controller.match_labels)}} if controller.match_labels else {}
    return {
        "apiVersion": API_VERSION,
        "kind": "DecoratorController",
        "metadata": {"name": controller.name},
        "spec": {
            "resyncPeriodSeconds": controller.resync_period_seconds,
            "resources": [{**_resource(controller.watched), **selector}],
            "attachments": [_child(rule) for rule in controller.owned],
            "hooks": _hooks(controller, address),
        },
    }


def _resource(resource: Resource) -> Object:
    return {"apiVersion": resource.api_version, "resource": resource.plural}


def _child(rule: ChildRule) -> Object:
    return {**_resource(rule.resource), "updateStrategy": {"method": rule.update.value}}


def _hooks(controller: Controller[Any], address: Address) -> Object:
    hooks = {"sync": controller.sync, "finalize": controller.finalize, "customize": controller.customize}
    return {hook: _hook(controller, hook, address) for hook, function in hooks.items() if function is not None}


def _hook(controller: Controller[Any], hook: str, address: Address) -> Object:
    webhook: Object = {
        "url": hook_url(controller.name, hook, address),
        "timeout": f"{controller.timeout_seconds}s",
        "responseUnMarshallMode": "strict",
    }
    if address.token is not None:
        webhook["authorization"] = {"type": "Bearer", "secretRef": _secret_key(address.token)}
    if address.ca is not None:
        webhook["caBundle"] = {"secretRef": _secret_key(address.ca)}
    return {"version": "v2", "webhook": webhook}


def _secret_key(reference: SecretKey) -> Object:
    return {"namespace": reference.namespace, "name": reference.name, "key": reference.key}
