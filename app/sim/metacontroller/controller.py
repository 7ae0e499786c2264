"""What composites and decorators have in common: which parents they care for, and which changes wake them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from app.hooks.objects import Object, Resource, object_key, terminating
from app.sim.cluster import NotFound
from app.sim.metacontroller.customize import Customize
from app.sim.metacontroller.errors import CreateError, SyncError
from app.sim.metacontroller.finalizers import held
from app.sim.metacontroller.informers import Kind, Transition, kind_of
from app.sim.metacontroller.ownership import controller_of
from app.sim.metacontroller.selectors import labels_of

if TYPE_CHECKING:
    from app.sim.metacontroller.children import Observed, Updates
    from app.sim.metacontroller.environment import Environment
    from app.sim.metacontroller.manifest import Hook, Manifest, Target

Later = Callable[[float], None]
"""Asks for another pass over the same parent, so many seconds from now."""


class Controller(ABC):
    """A controller whose kinds are served and cached."""

    def __init__(self, manifest: Manifest, environment: Environment) -> None:
        self.manifest = manifest
        self._env = environment
        self._customize = Customize(manifest, environment)
        self._targets: dict[Kind, tuple[Resource, Target]] = {}
        self._children: dict[Kind, Resource] = {}
        self._updates: Updates = {}

    async def start(self) -> None:
        """Find all kinds and fill their caches. Raises :class:`CreateError` if one isn't served: then nothing works at all."""
        targets = [(await self._found(target.api_version, target.plural, "parent"), target) for target in self.manifest.targets]
        children = [(await self._found(rule.api_version, rule.plural, "child"), rule) for rule in self.manifest.children]
        self._targets = {(resource.api_version, resource.kind): (resource, target) for resource, target in targets}
        self._children = {(resource.api_version, resource.kind): resource for resource, _ in children}
        self._updates = {(resource.group, resource.kind): rule.update for resource, rule in children}
        for resource, _ in [*targets, *children]:
            await self._env.informers.start(resource)

    @abstractmethod
    async def sync(self, parent: Object, later: Later) -> None:
        """One pass over a parent, as the cache has it. Raises :class:`~app.sim.metacontroller.errors.PassEnded`."""

    def parents(self) -> list[Object]:
        """All objects of the parent kinds, selected or not."""
        return [item for kind in self._targets for item in self._env.informers[kind].items()]

    def cares_for(self, parent: Object) -> bool:
        """Whether the controller selects this object, or has yet to finalize it."""
        return self.selects(parent) or held(parent, self.manifest)

    def selects(self, parent: Object) -> bool:
        """Whether the object meets the selectors of its kind."""
        _, target = self._targets[kind_of(parent)]
        return target.labels(labels_of(parent)) and target.annotations(parent["metadata"].get("annotations") or {})

    async def awakened(self, transitions: Sequence[Transition]) -> list[Object]:
        """The parents that these changes concern: of themselves, of their children, of what is related to them."""
        parents = [parent for transition in transitions for parent in self._awakened_by(transition)]
        related = self._customize.changed(transitions)
        if related:
            parents += [parent for parent in self.parents() if await self._customize.concerns(parent, related)]
        return [parent for parent in parents if self.cares_for(parent)]

    def _awakened_by(self, transition: Transition) -> list[Object]:
        kind = kind_of(transition.latest)
        parents: list[Object] = []
        if kind in self._targets and not self._ignores(transition):
            parents.append(transition.latest)
        if kind in self._children:
            owner = controller_of(transition.latest)
            if owner is not None:
                parents += self._owner(transition.latest, owner)
            elif transition.new is not None and not terminating(transition.new):
                parents += self._adopters(transition.new)
        return parents

    def _adopters(self, orphan: Object) -> Iterable[Object]:
        """The parents that could adopt an object without controller; decorators adopt nothing."""
        return ()

    def _ignores(self, transition: Transition) -> bool:
        """With ignoreStatusChanges only a new generation, label, annotation or deletion counts."""
        old, new = transition.old, transition.new
        if old is None or new is None or not self._targets[kind_of(new)][1].ignore_status_changes:
            return False
        before, after = old["metadata"], new["metadata"]
        unchanged = all(before.get(name) == after.get(name) for name in ("generation", "labels", "annotations"))
        return unchanged and not terminating(new)

    def _owner(self, child: Object, owner: Object) -> list[Object]:
        """The parent behind a controller's owner reference; its version doesn't count, its uid does."""
        group = owner["apiVersion"].rpartition("/")[0]
        for kind, (resource, _) in self._targets.items():
            if (resource.group, resource.kind) == (group, owner["kind"]):
                namespace = child["metadata"].get("namespace", "") if resource.namespaced else ""
                parent = self._env.informers[kind].get(namespace, owner["name"])
                if parent is not None and parent["metadata"]["uid"] == owner["uid"]:
                    return [parent]
        return []

    def _finalizes(self, parent: Object) -> bool:
        """Whether it is finalize's turn: the parent is being deleted, or has left the selector alive."""
        return self.manifest.finalize is not None and (terminating(parent) or not self.selects(parent))

    def _hook(self, parent: Object) -> Hook:
        finalize = self.manifest.finalize
        return finalize if finalize is not None and self._finalizes(parent) else self.manifest.sync

    async def _ask(self, parent: Object, observed: Observed, names: tuple[str, str]) -> tuple[bytes, Hook]:
        """Call customize, if it has to be, and sync or finalize. ``names`` are those of parent and children in the request."""
        related = await self._customize.related(parent)
        hook = self._hook(parent)
        request: Object = {
            "controller": self.manifest.source,
            names[0]: parent,
            names[1]: {resource.key: group for resource, group in observed.items()},
            "related": {resource.key: group for resource, group in related.items()},
            "finalizing": hook is self.manifest.finalize,
        }
        return await self._env.hooks.ask(hook, request), hook

    async def _served_children(self) -> list[Resource]:
        """The child kinds; :class:`SyncError` if one of them is no longer served, which stops every pass."""
        for resource in self._children.values():
            try:
                await self._env.cluster.resource(resource.api_version, resource.plural)
            except NotFound as error:
                raise SyncError(f"discovery: can't find resource {resource.plural} in {resource.api_version}") from error
        return [*self._children.values()]

    async def _found(self, api_version: str, plural: str, role: str) -> Resource:
        try:
            return await self._env.cluster.resource(api_version, plural)
        except NotFound as error:
            raise CreateError(f"can't find {role} resource {plural!r} in {api_version}") from error


def by_name(items: Iterable[Object]) -> dict[str, Object]:
    """Observed objects by their key in a hook request."""
    return {object_key(item): item for item in items}
