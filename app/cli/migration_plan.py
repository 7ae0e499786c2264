"""What must change before our controllers may take over what the Go operator made. Pure: objects in, patches out.

That operator owns its children by an owner reference, Metacontroller by that and a label. Without the label Metacontroller
takes the reference away and then meets its own child's name for ever. And the operator's finalizer stays on its objects,
where no hook of ours can remove it. So children get the label, what an add-on will own gets its annotation, and objects of all
kinds lose the finalizer. Nothing else is changed, and nothing is labelled that the first sync would then delete. The operator's
annotations stay: who was adopted is read from them, the others mean nothing to us.

Whoever went back to that operator and comes again has marks of ours on what it has written since. They are taken away: what
runs is taken over, as it was the first time.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.controllers.attaching import outcomes
from app.controllers.entities import ENTITIES
from app.controllers.litellm_instance import CHILDREN, LITELLM_INSTANCES
from app.controllers.rendering import render
from app.controllers.rollout import FAILED_TEMPLATE, TEMPLATE_DIGEST
from app.hooks.guard import Place
from app.hooks.objects import CONTROLLER_UID, DECORATOR, LAST_APPLIED, reference, resource_key, terminating
from app.hooks.replay import FIELD_MANAGER
from app.registry import ADD_ONS, KINDS
from app.resources.attachments import ATTACHMENTS
from app.resources.gateway import Gateway
from app.resources.kinds import CONFIG_MAP, CONTROLLER_REVISION, DEPLOYMENT, JOB, SECRET, VOLUME_CLAIM
from app.status.instance.finalizer import FINALIZER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from app.hooks.objects import Object, Resource

OPERATOR_IMAGE = "litellm-operator"

CHILD_KINDS: tuple[Resource, ...] = tuple(rule.resource for rule in CHILDREN)
ATTACHED_KINDS: Mapping[Resource, str] = {rule.resource: add_on.name for add_on in ADD_ONS for rule in add_on.attachments}
"""Kinds of optional APIs, with the add-on that will own them."""

ENTITY_KINDS: tuple[Resource, ...] = tuple(kind.resource for kind in KINDS if kind.resource != LITELLM_INSTANCES.parent)
"""Everything else of ours that may have the finalizer."""

_OWNED = {controller.parent.key: {rule.resource.key for rule in controller.children} for controller in ENTITIES}
"""What entities own, by the key of their kind."""

_OWNERS = {controller.name for controller in (LITELLM_INSTANCES, *ENTITIES) if controller.children}
"""Controllers that take owner references of unlabelled children away."""

_HELD = {DEPLOYMENT.key, CONFIG_MAP.key}
"""What stays as it is until the user agrees that pods are replaced."""

_MARKS = (TEMPLATE_DIGEST, FAILED_TEMPLATE, LAST_APPLIED)
"""Annotations that say what we have applied."""

_KEPT = {SECRET.key, VOLUME_CLAIM.key}
"""What our controller keeps, whether or not the spec asks for it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What there is in the cluster."""

    instances: Sequence[Object]
    children: Sequence[Object]
    """Objects of :data:`CHILD_KINDS` and :data:`ATTACHED_KINDS` in the namespaces of instances and entities."""
    entities: Sequence[Object] = ()
    """Objects of :data:`ENTITY_KINDS`."""
    deployments: Sequence[Object] = ()
    """All of them, to find the operator that must not run any more."""
    controllers: Sequence[Object] = ()
    """CompositeControllers."""


@dataclass(frozen=True, slots=True)
class Step:
    """One merge patch of one object."""

    item: Object
    """As it was read; the patch fails if it has changed since."""
    change: str
    why: str
    patch: Object


@dataclass(frozen=True, slots=True)
class Left:
    """An object of the Go operator that is left as it is, or told of, and why."""

    item: Object
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do, in order: the children of an object come before its finalizer."""

    steps: tuple[Step, ...]
    left: tuple[Left, ...] = ()
    obstacles: tuple[str, ...] = field(default=())
    """Why nothing may be done now, each with its remedy; empty where there is nothing to do."""


def plan(found: Found) -> Plan:
    """What has to be done for every instance and entity; nothing where it was done before."""
    steps: list[Step] = []
    left: list[Left] = []
    owned = _by_owner(found.children)
    for owner in (*found.instances, *found.entities):
        for child in owned.get((str(owner["metadata"].get("namespace")), str(owner["metadata"].get("uid"))), ()):
            outcome = _adopt(child, owner)
            if isinstance(outcome, Step):
                steps.append(outcome)
            elif outcome is not None:
                left.append(outcome)
        steps += _release(owner)
    return Plan(tuple(steps), tuple(left), tuple(_obstacles(found)) if steps else ())


def _by_owner(children: Iterable[Object]) -> Mapping[tuple[str, str], list[Object]]:
    """The children that stay, by namespace and uid of whoever controls them."""
    owned: defaultdict[tuple[str, str], list[Object]] = defaultdict(list)
    for child in children:
        if not terminating(child):
            for reference in cast("list[Object]", child["metadata"].get("ownerReferences") or []):
                if reference.get("controller") is True:
                    owned[str(child["metadata"].get("namespace")), str(reference.get("uid"))].append(child)
    return owned


def _adopt(child: Object, owner: Object) -> Step | Left | None:
    """How the child becomes ours, as if for the first time; None if there is nothing to do."""
    key, uid = resource_key(child), str(owner["metadata"]["uid"])
    add_on = next((name for resource, name in ATTACHED_KINDS.items() if resource.key == key), "")
    entries, entry, value = ("annotations", DECORATOR, add_on) if add_on else ("labels", CONTROLLER_UID, uid)
    present = cast("Object", child["metadata"].get(entries) or {}).get(entry)
    forgotten = _forgotten(child) if key in _HELD and _finalized(owner) else {}
    if present == value:
        why = "the Go operator has worked on it since, and it is taken over as it is"
        return Step(child, "forget what was applied before", why, _patch(child, forgotten)) if forgotten else None
    if present is not None:
        return Left(child, f"its {entry} is somebody else's ({present})")
    if reason := _would_go(child, owner):
        return Left(child, reason)
    patch = _patch(child, {**forgotten, entries: {entry: value}})
    by = f"the add-on {add_on}" if add_on else "Metacontroller"
    return Step(child, f"{entries[:-1]} {entry}={value}", f"so that {by} takes it for its own", patch)


def _forgotten(child: Object) -> Object:
    """What of our writing is taken away from a child that the Go operator has had since; empty if there is none.

    By these marks pods that run would be taken for ours and replaced unasked, and what was applied would be put back.
    """
    metadata = child["metadata"]
    annotations = {name: None for name in _MARKS if name in (metadata.get("annotations") or {})}
    fields = cast("list[Object]", metadata.get("managedFields") or [])
    kept = [one for one in fields if (one.get("manager"), one.get("operation")) != (FIELD_MANAGER, "Apply")]
    # An empty list would change nothing: the API server takes it for a client that does not know the field.
    applied: Object = {"managedFields": kept or [{}]} if kept != fields else {}
    return {**({"annotations": annotations} if annotations else {}), **applied}


def _would_go(child: Object, owner: Object) -> str:
    """Why the first sync would delete the child if it were ours; empty if it would not."""
    key = resource_key(child)
    if resource_key(owner) != LITELLM_INSTANCES.parent.key:
        mine = key in _OWNED.get(resource_key(owner), ())
        return "" if mine else f"Palena's {owner['kind']} owns no such thing; it loses its owner and stays until you delete it"
    if key in {JOB.key, CONTROLLER_REVISION.key}:
        return "it has done its work; it only loses its owner"
    if not _answered(key, str(child["metadata"]["name"]), owner):
        return f"{reference(owner)} does not ask for it; it loses its owner and stays until you delete it"
    return ""


def _answered(key: str, name: str, instance: Object) -> bool:
    """Whether the first sync answers the object, and so does not delete it."""
    spec = check_spec(LiteLLMInstanceSpec, instance.get("spec"))
    if key in _KEPT or isinstance(spec, InvalidSpec) or (spec.workload is not None and not spec.workload.managed):
        return True
    namespace = str(instance["metadata"]["namespace"])
    gateway = Gateway(name=str(instance["metadata"]["name"]), namespace=namespace, spec=spec)
    for attachment in ATTACHMENTS:
        if attachment.resource.key == key:
            return any(found == name for found, _ in outcomes(gateway, attachment))
    declared = {resource.key: resource for resource in CHILD_KINDS}
    rendered = render(gateway, Place(namespace, declared, declared.keys()))
    return any((one.kind, one.name) == (key, name) for one in (*rendered.children, *rendered.problems))


def _finalized(owner: Object) -> bool:
    """Whether the Go operator has had it since it was last made ready."""
    return FINALIZER in (owner["metadata"].get("finalizers") or [])


def _release(owner: Object) -> Iterator[Step]:
    if not _finalized(owner):
        return
    finalizers = cast("list[str]", owner["metadata"]["finalizers"])
    why = "nobody is left who would remove it, and deleting the object would never end"
    if terminating(owner):
        why = "the object is being deleted and waits for it; it goes then, and " + _goes_along(owner)
    remaining = [one for one in finalizers if one != FINALIZER]
    yield Step(owner, f"remove the finalizer {FINALIZER}", why, _patch(owner, {"finalizers": remaining}))


def _goes_along(owner: Object) -> str:
    if resource_key(owner) == LITELLM_INSTANCES.parent.key:
        return "what it owns with it"
    return "whatever it is in LiteLLM stays there; only the Go operator would still delete that"


def _patch(item: Object, metadata: Object) -> Object:
    """Refused by the API server unless the object is still the one that was read."""
    seen = {key: item["metadata"][key] for key in ("uid", "resourceVersion") if key in item["metadata"]}
    return {"metadata": {**seen, **metadata}}


def _obstacles(found: Found) -> Iterator[str]:
    for deployment in found.deployments:
        if _runs_the_operator(deployment):
            metadata = deployment["metadata"]
            yield (
                f"Deployment {metadata['namespace']}/{metadata['name']} still runs the Go operator, which would undo this: "
                f"kubectl -n {metadata['namespace']} scale deployment {metadata['name']} --replicas=0"
            )
    for controller in found.controllers:
        name = str(controller["metadata"]["name"])
        if name in _OWNERS and controller.get("spec", {}).get("childResources"):
            yield (
                f"CompositeController {name} is installed already and takes the owner references of unlabelled children away: "
                f"kubectl delete compositecontroller {name}, migrate, and install it again"
            )


def _runs_the_operator(deployment: Object) -> bool:
    spec: Any = deployment.get("spec") or {}
    containers = cast("list[Object]", spec.get("template", {}).get("spec", {}).get("containers") or [])
    images = (str(container.get("image", "")).partition("@")[0].rpartition("/")[2].partition(":")[0] for container in containers)
    return spec.get("replicas", 1) != 0 and OPERATOR_IMAGE in images
