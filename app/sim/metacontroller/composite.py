"""One pass of a CompositeController, in Metacontroller's order.

Up to the hook's answer any error leaves children and status as they are. After it, a child that could not be written stops
neither its siblings nor the status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.hooks.objects import CONTROLLER_UID, Object, Resource, reference
from app.sim.cluster import ApiError, Conflict, NotFound
from app.sim.metacontroller.answers import composite_answer
from app.sim.metacontroller.atomic import atomic_update
from app.sim.metacontroller.children import Desired, grouped, placed, reconcile
from app.sim.metacontroller.claims import Claims, child_selector
from app.sim.metacontroller.controller import Controller, Later, by_name
from app.sim.metacontroller.equality import identical
from app.sim.metacontroller.errors import SyncError
from app.sim.metacontroller.finalizers import manages_children, remove_finalizer, sync_finalizer
from app.sim.metacontroller.informers import kind_of
from app.sim.metacontroller.selectors import Selector, is_text_map, labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable


class Composite(Controller):
    """A controller of one parent kind, which owns children."""

    async def sync(self, parent: Object, later: Later) -> None:
        """One pass over a parent."""
        if not self.cares_for(parent):
            return
        resource, _ = self._targets[kind_of(parent)]
        parent = await sync_finalizer(self._env.cluster, resource, parent, self.manifest)
        if not self.cares_for(parent):
            return
        observed = await self._claim_children(resource, parent)
        body, hook = await self._ask(parent, observed, ("parent", "children"))
        answer = composite_answer(body, strict=hook.strict)
        if answer.resync_after_seconds > 0:
            later(answer.resync_after_seconds)
        if answer.finalized:
            parent = await remove_finalizer(self._env.cluster, resource, parent, self.manifest)
        desired = self._labelled(parent, grouped(placed(answer.children, parent)))
        failure = None
        if manages_children(parent, self.manifest):
            try:
                await reconcile(self._env, parent, observed, desired, self._updates)
            except SyncError as error:
                failure = error
        written = await self._write_status(resource, parent, answer.status or {})
        if failure is not None and written:
            raise failure

    def _adopters(self, orphan: Object) -> Iterable[Object]:
        namespace = orphan["metadata"].get("namespace", "")
        for kind, (resource, _) in self._targets.items():
            for parent in self._env.informers[kind].items(namespace if resource.namespaced else ""):
                try:
                    if self._selector(parent)(labels_of(orphan)):
                        yield parent
                except SyncError:
                    continue

    async def _claim_children(self, resource: Resource, parent: Object) -> dict[Resource, dict[str, Object]]:
        claims = Claims(self._env.cluster, resource, parent, self._selector(parent))
        namespace = parent["metadata"].get("namespace", "")
        observed: dict[Resource, dict[str, Object]] = {}
        for child in await self._served_children():
            cache = self._env.informers[child.api_version, child.kind]
            candidates = [*cache.controlled_by(parent["metadata"]["uid"], namespace), *cache.controlled_by("", namespace)]
            observed[child] = by_name(await claims.claim(child, candidates))
        return observed

    def _selector(self, parent: Object) -> Selector:
        return child_selector(parent, generated=self.manifest.generate_selector)

    def _labelled(self, parent: Object, desired: Desired) -> Desired:
        """The children with the label ``controller-uid``. One that would not be selected as a child stops the whole pass."""
        selector = self._selector(parent)
        return {
            kind: {key: self._checked(parent, child, selector) for key, child in group.items()} for kind, group in desired.items()
        }

    def _checked(self, parent: Object, child: Object, selector: Selector) -> Object:
        labels = cast("dict[str, str]", child["metadata"].get("labels", {}))
        if not is_text_map(labels):
            raise SyncError(f"{reference(child)}: metadata.labels must be a map of strings")
        if self.manifest.generate_selector and CONTROLLER_UID not in labels:
            labels = {**labels, CONTROLLER_UID: parent["metadata"]["uid"]}
            child = {**child, "metadata": {**child["metadata"], "labels": labels}}
        if not selector(labels):
            raise SyncError(f"{reference(child)}: its labels don't match the selector of {reference(parent)}")
        return child

    async def _write_status(self, resource: Resource, parent: Object, status: Object) -> bool:
        """Replace the whole status if it differs. False if the parent has changed or gone: then the pass counts as a success."""
        wanted = {**status, "observedGeneration": parent["metadata"].get("generation", 0)}

        def changed(live: Object) -> Object:
            return live if identical(live.get("status"), wanted) else {**live, "status": wanted}

        try:
            await atomic_update(self._env.cluster, resource, parent, changed, subresource="status")
        except (NotFound, Conflict):
            return False
        except ApiError as error:
            raise SyncError(f"can't update the status of {reference(parent)}: {error}") from error
        return True
