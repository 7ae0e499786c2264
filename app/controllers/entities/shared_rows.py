"""Two of our objects that want the same remote one, of a kind that can carry no mark: the older has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.section import Section
from app.controllers.entities.unsettled import REFUSED, Unsettled
from app.hooks.objects import terminating
from app.kube.reader import ReadFailed
from app.status.entity.reasons import CONFLICT
from app.status.entity.recorded import recorded

if TYPE_CHECKING:
    from app.controllers.entities.kind import EntityKind
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object

S = TypeVar("S", bound=Section)


async def older_first(kind: EntityKind[S], setting: Setting[S], object_id: str) -> None:
    """Raises :class:`~app.controllers.entities.unsettled.Unsettled` where an older object of the namespace has the id.

    The namespace is listed, so this is asked before calls alone. Without an answer of the cluster nobody is older.
    """
    request = setting.request
    try:
        others = await setting.context.reader.list(kind.resource.resource, request.namespace)
    except ReadFailed:
        return
    instance = kind.instance(setting.spec)
    for other in others:
        if _age(other) < _age(request.parent) and not terminating(other) and _wants(kind, other, instance, object_id):
            name = other["metadata"]["name"]
            message = f"{kind.resource.resource.kind} {name} is older and has the {kind.entity.noun} of id {object_id}"
            raise Unsettled(CONFLICT, message, REFUSED)


def _wants(kind: EntityKind[S], item: Object, instance: str, object_id: str) -> bool:
    spec = check_spec(kind.spec, item.get("spec"))
    if isinstance(spec, InvalidSpec) or kind.instance(spec) != instance:
        return False
    bound = recorded(item.get("status"), kind.id_field).id
    return (bound or kind.chosen_id(spec, str(item["metadata"]["name"]))) == object_id


def _age(item: Object) -> tuple[str, str]:
    metadata: Any = item["metadata"]
    return str(cast("Object", metadata).get("creationTimestamp", "")), str(cast("Object", metadata)["name"])
