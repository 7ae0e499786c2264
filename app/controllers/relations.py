"""What an instance relates to, read from its raw spec: by names wherever there are names, whatever else is wrong with it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.controllers.migration_form import migration_name
from app.controllers.patching import PatchFailed
from app.hooks.names import name_problem
from app.hooks.response import RelatedRule
from app.resources import names
from app.resources.errors import Unbuildable
from app.resources.gateway import Gateway, selector_labels
from app.resources.kinds import CONFIG_MAP, JOB, POD, SECRET
from app.resources.migration_job import COMPONENT
from app.resources.references import OBJECT_NAME, references

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.hooks.objects import Object, Resource
    from app.hooks.request import CustomizeRequest

NAMED_KINDS = (*names.taken_names("x"), JOB)
"""Kinds of which something else may hold a name that an instance needs."""

_ATTACHED_REFERENCES = (
    ("masterKey", "secretRef"),
    ("tls", "trustedCASecretRef"),
    ("tls", "serverCertSecretRef"),
)


def license_secrets(name: str) -> tuple[str, str]:
    """Secrets that may hold the licence, the instance's own first."""
    return f"{name}-license", "litellm-license"


def is_attached(spec: Any) -> bool:
    """Whether the spec says outright that the proxy is not ours."""
    return _at(spec, "workload", "managed") is False


def attached_relations(request: CustomizeRequest) -> list[RelatedRule]:
    """The Secrets that an attached proxy needs."""
    spec = request.parent.get("spec")
    wanted = [*license_secrets(request.name), *(_at(spec, *path, "name") for path in _ATTACHED_REFERENCES)]
    return [_by_name(SECRET, request.namespace, wanted)]


def managed_relations(request: CustomizeRequest) -> list[RelatedRule]:
    """What the pods read, the pods, the guardrails, and whatever has a name that a child needs."""
    spec: Any = request.parent.get("spec")
    scim = _at(spec, "scim", "generatedTokenSecretName")
    wanted: dict[Resource, list[Any]] = {
        resource: list(taken)
        for resource, taken in names.taken_names(request.name, scim if isinstance(scim, str) else "").items()
    }
    wanted[SECRET] += license_secrets(request.name)
    for reference in references(spec, "spec"):
        wanted[SECRET if reference.kind == "Secret" else CONFIG_MAP].append(reference.name)
    wanted[SECRET] += _pull_secrets(spec)
    wanted[JOB] = [*_jobs(request)]
    return [
        *(_by_name(resource, request.namespace, wanted[resource]) for resource in wanted if wanted[resource]),
        *(RelatedRule(resource=POD, namespace=request.namespace, match_labels=labels) for labels in _pods(request.name)),
        RelatedRule(resource=LITELLM_GUARDRAIL.resource, namespace=request.namespace, whole_namespace=True),
    ]


def _pods(name: str) -> tuple[dict[str, str], ...]:
    """Labels of the proxy's pods, and of the migration's."""
    labels = selector_labels(name)
    return labels, {**labels, "app.kubernetes.io/name": COMPONENT}


def _jobs(request: CustomizeRequest) -> Iterator[str]:
    """What the migration may be called: its name follows from the spec, and from where a CloudNativePG URL comes."""
    spec = check_spec(LiteLLMInstanceSpec, request.parent.get("spec"))
    if isinstance(spec, InvalidSpec):
        return
    for assembled in (False, True) if spec.database.cloudnativepg is not None else (False,):
        gateway = Gateway(name=request.name, namespace=request.namespace, spec=spec, assembled_database_url=assembled)
        with suppress(Unbuildable, PatchFailed):
            if name := migration_name(gateway):
                yield name


def _pull_secrets(spec: Any) -> list[Any]:
    given = _at(spec, "image", "pullSecrets")
    return [_at(item, "name") for item in cast("list[Any]", given)] if isinstance(given, list) else []


def _by_name(resource: Resource, namespace: str, wanted: Iterable[Any]) -> RelatedRule:
    legal = {name for name in wanted if isinstance(name, str) and OBJECT_NAME.fullmatch(name) and not name_problem("", name)}
    return RelatedRule(resource=resource, namespace=namespace, names=tuple(sorted(legal)))


def _at(spec: Any, *path: str) -> Any:
    for key in path:
        spec = cast("Object", spec).get(key) if isinstance(spec, dict) else None
    return spec
