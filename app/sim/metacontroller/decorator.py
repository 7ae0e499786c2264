"""One pass of a DecoratorController, in Metacontroller's order: the object itself is written before its attachments.

A conflict on the object ends the pass without a word; the change behind it leads to the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.objects import DECORATOR, Object, Resource, reference
from app.sim.cluster import ApiError, Conflict, NotFound
from app.sim.metacontroller.answers import SyncAnswer, decorator_answer
from app.sim.metacontroller.children import Desired, grouped, placed, reconcile
from app.sim.metacontroller.controller import Controller, Later, by_name
from app.sim.metacontroller.equality import identical
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.finalizers import held, manages_children, sync_finalizer, without_finalizer
from app.sim.metacontroller.informers import kind_of
from app.sim.metacontroller.last_applied import annotations_of, with_annotations
from app.sim.metacontroller.selectors import labels_of

if TYPE_CHECKING:
    from collections.abc import Mapping


class Decorator(Controller):
    """A controller that adds labels, annotations and attachments to objects of others."""

    async def sync(self, parent: Object, later: Later) -> None:
        """One pass over an object."""
        if not self.cares_for(parent):
            return
        resource, _ = self._targets[kind_of(parent)]
        parent = await sync_finalizer(self._env.cluster, resource, parent, self.manifest)
        if not self.cares_for(parent):
            return
        observed = await self._attachments(parent)
        body, hook = await self._ask(parent, observed, ("object", "attachments"))
        answer = decorator_answer(body, strict=hook.strict)
        if answer.resync_after_seconds > 0:
            later(answer.resync_after_seconds)
        if not await self._write(parent, answer):
            return
        if manages_children(parent, self.manifest):
            desired = self._annotated(grouped(placed(answer.children, parent)))
            await reconcile(self._env, parent, observed, desired, self._updates)

    async def _attachments(self, parent: Object) -> dict[Resource, dict[str, Object]]:
        """What this decorator has attached: nothing is adopted, and a composite's children are none of its business."""
        uid, namespace = parent["metadata"]["uid"], parent["metadata"].get("namespace", "")
        observed: dict[Resource, dict[str, Object]] = {}
        for resource in await self._served_children():
            items = self._env.informers[resource.api_version, resource.kind].controlled_by(uid, namespace)
            observed[resource] = by_name(item for item in items if annotations_of(item).get(DECORATOR) == self.manifest.name)
        return observed

    def _annotated(self, desired: Desired) -> Desired:
        mark = {DECORATOR: self.manifest.name}
        return {
            kind: {key: with_annotations(item, {**annotations_of(item), **mark}) for key, item in group.items()}
            for kind, group in desired.items()
        }

    async def _write(self, parent: Object, answer: SyncAnswer) -> bool:
        """Write what differs of status, labels, annotations and our finalizer. False if the object has changed or gone.

        A kind that a decorator gives a status must have the status subresource.
        """
        wanted = decorated(parent, answer)
        status_differs = answer.status is not None and not identical(parent.get("status"), answer.status)
        release = answer.finalized and held(parent, self.manifest)
        if not (status_differs or release or not identical(wanted["metadata"], parent["metadata"])):
            return True
        try:
            if status_differs:
                written = await self._env.cluster.update({**wanted, "status": answer.status}, subresource="status")
                version = written["metadata"]["resourceVersion"]
                wanted = {**wanted, "metadata": {**wanted["metadata"], "resourceVersion": version}}
            await self._env.cluster.update(without_finalizer(wanted, self.manifest.finalizer) if answer.finalized else wanted)
        except (NotFound, Conflict):
            return False
        except ApiError as error:
            raise SyncError(f"can't update {reference(parent)}: {error}") from error
        return True


def decorated(item: Object, answer: SyncAnswer) -> Object:
    """The object with the answer's labels and annotations: listed keys are set, or removed by null; others stay."""
    metadata = {**item["metadata"]}
    for name, known, given in (
        ("labels", labels_of(item), answer.labels),
        ("annotations", annotations_of(item), answer.annotations),
    ):
        changed = _changed(known, given)
        if changed or name in metadata:
            metadata[name] = changed
    return {**item, "metadata": metadata}


def _changed(known: Mapping[str, str], given: Mapping[str, str | None]) -> dict[str, str]:
    every = {**known, **given}
    return {key: value for key, value in every.items() if value is not None}
