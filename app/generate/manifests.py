"""``metacontroller/``: the kustomize layout of an installation.

::

    crds/                      the CRDs, a base of their own
    metacontroller/            kubectl apply -k: the full shape
      base/                    the service, what it may read, Metacontroller's rights, the CRDs; no controller
      full/                    the controllers with every child rule
      attach-only/             the controllers without children: no right over any workload
      components/<add-on>/     objects of an API that a cluster may lack, on top of the full shape
      components/tls/          HTTPS with the user's certificate, on top of all that

The token Secret is in none of them: kustomize makes no random values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.generate import rbac, service
from app.generate.add_on_component import add_on_component
from app.generate.crds import file_name
from app.generate.names import CERTIFICATE, NAME, PLAIN, TLS, TLS_PORT
from app.generate.text import inline_yaml, yaml_text
from app.hooks.controller import DecoratorController
from app.hooks.manifests import API_VERSION, manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.hooks.controller import Controller
    from app.hooks.objects import Object, Resource

COMMAND = "palena generate manifests"
CERTIFICATE_FOLDER = "/run/palena/tls"


def manifests(controllers: Sequence[Controller[Any]], kinds: Sequence[Resource]) -> dict[str, str]:
    """Every file by its path; ``kinds`` are those whose definitions lie in ``crds/``."""
    files = {f"metacontroller/{path}": text for path, text in _base(kinds).items()}
    everywhere = [controller for controller in controllers if not _optional(controller)]
    files |= _shape("full", controller_files(everywhere))
    files |= _shape("attach-only", controller_files([controller.owning_nothing() for controller in everywhere]))
    for controller in controllers:
        files |= add_on_component(controller) if _optional(controller) else {}
    files["metacontroller/components/tls/kustomization.yaml"] = yaml_text(_tls_component(controllers), command=COMMAND)
    files["metacontroller/kustomization.yaml"] = yaml_text(_kustomization(["full"]), command=COMMAND)
    names = sorted(map(file_name, kinds))
    files["crds/kustomization.yaml"] = yaml_text(_kustomization(names), command=COMMAND)
    return files


def _base(kinds: Sequence[Resource]) -> dict[str, str]:
    objects: dict[str, list[Object]] = {
        "namespace.yaml": [service.namespace()],
        "metacontroller-rights.yaml": rbac.core_roles(),
        "service-account.yaml": [service.service_account()],
        "reader.yaml": rbac.reader_roles(kinds),
        "deployment.yaml": [service.deployment()],
        "service.yaml": [service.service()],
        "disruption-budget.yaml": [service.disruption_budget()],
        "network-policy.yaml": [service.network_policy()],
    }
    files = {f"base/{name}": yaml_text(*items, command=COMMAND) for name, items in objects.items()}
    files["base/kustomization.yaml"] = yaml_text(_kustomization(["../../crds", *objects]), command=COMMAND)
    return files


def controller_files(controllers: Iterable[Controller[Any]]) -> dict[str, list[Object]]:
    """Each controller beside the rights that Metacontroller needs for it, by the name of the file they share."""
    return {
        f"{controller.name}.yaml": [rbac.controller_role(controller), manifest(controller, PLAIN)] for controller in controllers
    }


def _shape(name: str, objects: dict[str, list[Object]]) -> dict[str, str]:
    files = {path: yaml_text(*items, command=COMMAND) for path, items in objects.items()}
    files["kustomization.yaml"] = yaml_text(_kustomization(["../base", *files]), command=COMMAND)
    return {f"metacontroller/{name}/{path}": text for path, text in files.items()}


def _optional(controller: Controller[Any]) -> bool:
    return isinstance(controller, DecoratorController) and bool(controller.optional_api)


def _kustomization(resources: Sequence[str]) -> Object:
    return {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", "resources": [*resources]}


def _tls_component(controllers: Sequence[Controller[Any]]) -> Object:
    patches = [_serve_with_certificate(), _json_patch("v1", "Service", NAME, ("/spec/ports/0/port", TLS_PORT))]
    patches += [_call_over_tls(controller) for controller in controllers]
    return {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component", "patches": patches}


def _serve_with_certificate() -> Object:
    container: Object = {
        "name": "hooks",
        "env": [
            {"name": "PALENA_TLS_CERT_FILE", "value": f"{CERTIFICATE_FOLDER}/tls.crt"},
            {"name": "PALENA_TLS_KEY_FILE", "value": f"{CERTIFICATE_FOLDER}/tls.key"},
        ],
        "readinessProbe": {"httpGet": {"scheme": "HTTPS"}},
        "livenessProbe": {"httpGet": {"scheme": "HTTPS"}},
        "volumeMounts": [{"name": "certificate", "mountPath": CERTIFICATE_FOLDER, "readOnly": True}],
    }
    volume = {"name": "certificate", "secret": {"secretName": CERTIFICATE.name, "defaultMode": 0o440}}
    deployment = {
        **{field: service.deployment()[field] for field in ("apiVersion", "kind")},
        "metadata": {"name": NAME},
        "spec": {"template": {"spec": {"containers": [container], "volumes": [volume]}}},
    }
    return {"target": {"kind": "Deployment", "name": NAME}, "patch": inline_yaml(deployment)}


def _call_over_tls(controller: Controller[Any]) -> Object:
    item = manifest(controller, TLS)
    changes: list[tuple[str, Any]] = []
    for hook, declared in item["spec"]["hooks"].items():
        changes += [(f"/spec/hooks/{hook}/webhook/{field}", declared["webhook"][field]) for field in ("url", "caBundle")]
    return _json_patch(API_VERSION, item["kind"], controller.name, *changes)


def _json_patch(api_version: str, kind: str, name: str, *changes: tuple[str, Any]) -> Object:
    group, _, version = api_version.rpartition("/")
    target = {"group": group, "version": version, "kind": kind, "name": name}
    patch = [{"op": "add", "path": path, "value": value} for path, value in changes]
    return {"target": {key: value for key, value in target.items() if value}, "patch": inline_yaml(patch)}
