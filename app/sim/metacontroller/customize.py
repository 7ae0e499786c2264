"""The customize hook: asked once for each generation of a parent, and what it has named is watched.

An answer is kept for 20 minutes and belongs to the parent's uid and generation, so labels, annotations and status don't reach
the hook. From the moment a related kind is watched, each of its events asks for *every* object of the parent kind that has no
answer yet, also for those that this controller does not select.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.hooks.objects import Object, Resource, object_key
from app.sim.cluster import ApiError, NotFound
from app.sim.metacontroller.answers import RelatedRule, customize_answer
from app.sim.metacontroller.errors import PassEnded, SyncError
from app.sim.metacontroller.informers import Kind, Transition, kind_of
from app.sim.metacontroller.related import Namespaces, check_rule, selects
from app.sim.metacontroller.selectors import labels_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.sim.metacontroller.environment import Environment
    from app.sim.metacontroller.manifest import Hook, Manifest

CACHE_LIFETIME = timedelta(minutes=20)
NAMESPACES = Resource("v1", "Namespace", "namespaces", namespaced=False)


class Customize:
    """The customize hook of one controller; without one nothing is related to anything."""

    def __init__(self, manifest: Manifest, environment: Environment) -> None:
        self._manifest = manifest
        self._env = environment
        self._answers: dict[tuple[str, int], tuple[datetime, list[RelatedRule]]] = {}
        self._watched: set[Kind] = set()
        self._first_seen: list[Transition] = []

    async def related(self, parent: Object) -> dict[Resource, dict[str, Object]]:
        """The related objects of a parent: an entry for each kind that a rule names, be it empty.

        Raises :class:`PassEnded` if the hook fails, a rule contradicts itself or its kind is not served.
        """
        groups: dict[Resource, dict[str, Object]] = {}
        for rule in await self._rules(parent):
            resource = await self._watch(rule)
            check_rule(rule, resource)
            items = self._env.informers[resource.api_version, resource.kind].items()
            namespaces = await self._namespaces([rule])
            group = groups.setdefault(resource, {})
            group.update({object_key(item): item for item in items if selects(rule, resource, item, namespaces)})
        return groups

    def changed(self, transitions: Sequence[Transition]) -> list[Object]:
        """What is new about related kinds: the old and new states of changed objects, and those of a kind just being watched."""
        changes = [*self._first_seen, *(one for one in transitions if kind_of(one.latest) in self._watched)]
        self._first_seen = []
        return [item for change in changes for item in (change.old, change.new) if item is not None]

    async def concerns(self, parent: Object, items: Sequence[Object]) -> bool:
        """Whether one of these objects is related to the parent. Asks the hook if the parent has no answer yet."""
        try:
            rules = await self._rules(parent)
            namespaces = await self._namespaces(rules)
        except (PassEnded, ApiError):
            return False
        return any([await self._matches(rule, items, namespaces) for rule in rules])

    async def _rules(self, parent: Object) -> list[RelatedRule]:
        hook = self._manifest.customize
        if hook is None:
            return []
        key = (parent["metadata"]["uid"], parent["metadata"].get("generation", 0))
        expires, rules = self._answers.get(key, (self._env.now(), []))
        if expires > self._env.now():
            return rules
        rules = await self._ask(hook, parent)
        self._answers[key] = (self._env.now() + CACHE_LIFETIME, rules)
        return rules

    async def _ask(self, hook: Hook, parent: Object) -> list[RelatedRule]:
        body = await self._env.hooks.ask(hook, {"controller": self._manifest.source, "parent": parent})
        return customize_answer(body, strict=hook.strict)

    async def _watch(self, rule: RelatedRule) -> Resource:
        try:
            resource = await self._env.cluster.resource(rule.api_version, rule.plural)
        except NotFound as error:
            raise SyncError(f"discovery: can't find related resource {rule.plural} in {rule.api_version}") from error
        kind = (resource.api_version, resource.kind)
        if kind not in self._watched:
            await self._env.informers.start(resource)
            self._watched.add(kind)
            self._first_seen += [Transition(None, item) for item in self._env.informers[kind].items()]
        return resource

    async def _matches(self, rule: RelatedRule, items: Sequence[Object], namespaces: Namespaces) -> bool:
        try:
            resource = await self._env.cluster.resource(rule.api_version, rule.plural)
            check_rule(rule, resource)
        except (NotFound, SyncError):
            return False
        return any(selects(rule, resource, item, namespaces) for item in items)

    async def _namespaces(self, rules: list[RelatedRule]) -> Namespaces:
        if all(rule.namespaces is None for rule in rules):
            return {}
        return {item["metadata"]["name"]: labels_of(item) for item in await self._env.cluster.list(NAMESPACES)}
