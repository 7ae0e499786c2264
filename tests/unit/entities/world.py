"""A namespace with a ready instance, its proxy in memory, and entities whose hooks are called one sync at a time.

Hooks are reached over HTTP as Metacontroller reaches them; what they relate to is picked by their own customize answers, and
the children they answer are stored as Metacontroller would store them. Use it inside
:func:`tests.unit.litellm.virtual_time.run`. Not here: timers and events; a test says who is synced when.
"""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import httpx2
import orjson

from app.controllers.context import Context
from app.controllers.entities import ENTITIES
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks import application
from app.hooks.objects import CONTROLLER_UID, object_key, resource_key
from app.kube.reader import ReadFailed
from app.litellm.admin.client import AdminClient
from app.litellm.probe import Prober
from app.registry import KINDS
from app.resources.kinds import SECRET
from app.sim.fake_litellm import FakeLiteLLM, FakeNetwork
from app.status.resync import TICK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object, Resource

KEY = "sk-master-0123456789"
NAMESPACE = "team"
URL = "http://gw.team.svc:4000"
LAST_APPLIED = "metacontroller.k8s.io/last-applied-configuration"
CONTROLLERS = (*ENTITIES, LITELLM_INSTANCES)
PLURALS = {controller.parent.kind: controller.parent.plural for controller in CONTROLLERS}


@dataclass
class World:
    """One namespace. ``objects`` is everything in it, by kind and name."""

    proxy: FakeLiteLLM = field(default_factory=lambda: FakeLiteLLM(master_key=KEY))
    cluster_id: str = "north"
    master_key: str = KEY
    endpoint: str = ""
    """Where the proxy is, if the instance attaches to it."""
    objects: dict[tuple[str, str], Object] = field(default_factory=dict[tuple[str, str], "Object"])
    unreadable: set[str] = field(default_factory=set[str])
    """Names of what the cluster gives no answer about when it is read."""
    reads: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Kind and name of the objects of ours that were read one by one."""
    answers: list[Object] = field(default_factory=list["Object"])

    def __post_init__(self) -> None:
        loop = asyncio.get_running_loop()
        network = self.network()
        self.context = Context(
            now=self.now,
            prober=Prober(lambda _: network, loop.time),
            admin=AdminClient(lambda _: network, loop.time),
            entropy=self.entropy,
            reader=WorldReader(self),
            cluster_id=self.cluster_id,
            left_behind=lambda kind: self.left_behind.append(kind),
            changed=lambda kind, change: self.changes.append((kind, change)),
        )
        app = application(CONTROLLERS, self.context)
        self._http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://palena")
        self.proxy.database.now = self.now
        self.left_behind: list[str] = []
        self.changes: list[tuple[str, str]] = []
        self._draws = 0
        self.instance()
        self.secret("gw-master-key", **{"master-key": self.master_key})

    def network(self) -> httpx2.AsyncBaseTransport:
        """What leads to the proxy."""
        return FakeNetwork({self.endpoint or URL: self.proxy})

    def entropy(self, size: int) -> bytes:
        """Bytes that are others each time, and the same in each run."""
        return bytes((self._drawn() + offset) % 256 for offset in range(size))

    def now(self) -> datetime:
        """Virtual time."""
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=int(asyncio.get_running_loop().time()))

    def instance(self, *, ready: bool = True, spec: Object | None = None) -> Object:
        """The instance ``gw``, made or changed."""
        return self._store(
            "litellm.palena.ai/v1alpha1",
            "LiteLLMInstance",
            "gw",
            spec=spec or self._instance_spec(),
            status={"ready": ready},
        )

    def secret(self, name: str, **data: str) -> Object:
        """A Secret, made or changed; ``data`` is plain text."""
        encoded = {key: base64.b64encode(value.encode()).decode() for key, value in data.items()}
        return self._store("v1", "Secret", name, data=encoded)

    def entity(self, kind: str, name: str, /, annotations: dict[str, str] | None = None, **spec: Any) -> Object:
        """An entity of the instance ``gw``, made or edited: then its generation counts up."""
        item = self._store(
            "litellm.palena.ai/v1alpha1", kind, name, spec={"instanceRef": {"name": "gw"}, **spec}, keep=("status",)
        )
        if annotations is not None:
            item["metadata"]["annotations"] = annotations
        return item

    def remove(self, kind: str, name: str) -> None:
        """Gone, without any hook."""
        del self.objects[kind, name]

    async def sync(self, kind: str, name: str, *, seen: Object | None = None) -> Object:
        """One sync of an entity; its status, which is stored too. ``seen`` is what an outdated cache has of it."""
        answer = await self._call("sync", seen or self.objects[kind, name])
        self.objects[kind, name]["status"] = answer["status"]
        self._own(self.objects[kind, name], answer["children"])
        return answer["status"]

    async def call_in_vain(self, hook: str, kind: str, name: str) -> None:
        """A hook whose answer nobody gets, as when the process ends."""
        await self._call(hook, self.objects[kind, name])

    async def finalize(self, kind: str, name: str, *, seconds_ago: int = 0, seen: Object | None = None) -> bool:
        """One finalize of an entity that was deleted so many seconds ago; whether it is gone now."""
        parent = seen or self.objects[kind, name]
        marked = self.now() - timedelta(seconds=seconds_ago)
        parent["metadata"].setdefault("deletionTimestamp", marked.strftime("%Y-%m-%dT%H:%M:%SZ"))
        answer = await self._call("finalize", parent)
        self._own(parent, answer["children"])
        there = self.objects.get((kind, name))
        if answer["finalized"] and there is not None and there["metadata"]["uid"] == parent["metadata"]["uid"]:
            del self.objects[kind, name]
            self._own(parent, [])
        else:
            parent["status"] = answer["status"]
        return bool(answer["finalized"])

    def condition(self, kind: str, name: str, type_: str = "Ready") -> tuple[str, str]:
        """Status and reason of a condition; empty texts if there is none."""
        for item in self.objects[kind, name].get("status", {}).get("conditions", []):
            if item["type"] == type_:
                return item["status"], item["reason"]
        return "", ""

    def message(self, kind: str, name: str, type_: str = "Ready") -> str:
        """The message of a condition."""
        return next(one["message"] for one in self.objects[kind, name]["status"]["conditions"] if one["type"] == type_)

    def rows(self, table: str) -> dict[str, Object]:
        """What the proxy has stored in a table, by id."""
        return self.proxy.database.table(table)

    @property
    def comes_back_in(self) -> int:
        """Seconds until Metacontroller asks again, if nothing happens: its own tick where the last answer names none."""
        return self.answers[-1]["resyncAfterSeconds"] or TICK

    def forget_calls(self) -> None:
        """From here on calls are counted."""
        self.proxy.calls.clear()

    def _instance_spec(self) -> Object:
        if not self.endpoint:
            return {"masterKey": {"autoGenerate": True}, "database": {}}
        return {
            "workload": {"managed": False, "endpoint": self.endpoint},
            "masterKey": {"secretRef": {"name": "gw-master-key", "key": "master-key"}},
            "database": {},
        }

    def _drawn(self) -> int:
        self._draws += 1
        return self._draws

    def _store(self, api_version: str, kind: str, name: str, *, keep: tuple[str, ...] = (), **parts: Any) -> Object:
        before: Object = self.objects.get((kind, name), {})
        metadata: Object = before.get("metadata") or {
            "name": name,
            "namespace": NAMESPACE,
            "uid": f"uid-{kind}-{name}",
            "generation": 0,
        }
        changed = parts.get("spec") != before.get("spec")
        count = int(metadata.get("resourceVersion", "0")) + 1
        metadata = {**metadata, "resourceVersion": str(count), "generation": metadata["generation"] + int(changed)}
        metadata.setdefault("creationTimestamp", f"2026-01-01T00:00:{len(self.objects):02d}Z")
        kept = {part: before[part] for part in keep if part in before}
        item: Object = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **kept, **parts}
        self.objects[kind, name] = item
        return item

    async def _call(self, hook: str, parent: Object) -> Object:
        path = f"/hooks/{PLURALS[parent['kind']]}/{hook}"
        customized = await self._http.post(path.replace(hook, "customize"), json={"controller": {}, "parent": parent})
        rules = customized.raise_for_status().json()["relatedResources"]
        body = {
            "controller": {},
            "parent": parent,
            "children": _grouped(self._children(parent), ("Secret.v1",)),
            "related": _grouped(self._related(rules)),
            "finalizing": hook == "finalize",
        }
        response = await self._http.post(path, json=orjson.loads(orjson.dumps(body)))
        assert response.status_code == 200, response.text
        answer = response.json()
        self.answers.append(answer)
        return answer

    def _related(self, rules: list[Object]) -> Iterator[Object]:
        for (kind, name), item in self.objects.items():
            for rule in rules:
                named = not rule.get("names") or name in rule["names"]
                if named and rule["resource"] == PLURALS.get(kind, _OTHER_PLURALS.get(kind)):
                    yield item
                    break

    def _children(self, parent: Object) -> list[Object]:
        uid = parent["metadata"]["uid"]
        return [item for item in self.objects.values() if _owner(item) == uid]

    def _own(self, parent: Object, children: list[Object]) -> None:
        """Stores children as Metacontroller would: with their owner, its label, and a record of what was applied."""
        wanted = {("Secret", child["metadata"]["name"]): child for child in children}
        for child in self._children(parent):
            if (child["kind"], child["metadata"]["name"]) not in wanted:
                del self.objects[child["kind"], child["metadata"]["name"]]
        for (kind, name), child in wanted.items():
            before = self.objects.get((kind, name))
            if before is not None and _owner(before) != parent["metadata"]["uid"]:
                continue  # Metacontroller leaves a taken name alone and says nothing
            metadata = {
                **child["metadata"],
                "namespace": NAMESPACE,
                "uid": f"uid-{kind}-{name}",
                "resourceVersion": str(int((before or {}).get("metadata", {}).get("resourceVersion", "0")) + 1),
                "labels": {**child["metadata"].get("labels", {}), CONTROLLER_UID: parent["metadata"]["uid"]},
                "annotations": {**child["metadata"].get("annotations", {}), LAST_APPLIED: orjson.dumps(child).decode()},
                "ownerReferences": [{"uid": parent["metadata"]["uid"], "controller": True}],
            }
            self.objects[kind, name] = {**child, "metadata": metadata}


class WorldReader:
    """The reader of the service, over the objects of a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """By name."""
        if name in self._world.unreadable:
            raise ReadFailed(f"Secret {name} cannot be read: the API server does not answer")
        return self._world.objects.get(("Secret", name)) if namespace == NAMESPACE else None

    async def get(self, resource: Resource, namespace: str, name: str) -> Object | None:
        """By name."""
        self._world.reads.append((resource.kind, name))
        if name in self._world.unreadable:
            raise ReadFailed(f"{resource.kind} {name} cannot be read: the API server does not answer")
        return self._world.objects.get((resource.kind, name)) if namespace == NAMESPACE else None

    async def list(self, resource: Resource, namespace: str) -> list[Object]:
        """All of a kind."""
        known = namespace in ("", NAMESPACE)
        return [one for (kind, _), one in self._world.objects.items() if kind == resource.kind and known]

    async def aclose(self) -> None:
        """Nothing to end."""


_OTHER_PLURALS = {"Secret": SECRET.plural, **{kind.resource.kind: kind.resource.plural for kind in KINDS}}


def _owner(item: Object) -> str:
    return next((str(one["uid"]) for one in item["metadata"].get("ownerReferences", []) if one.get("controller")), "")


def _grouped(items: Any, kinds: tuple[str, ...] = ()) -> Object:
    groups: Object = {kind: {} for kind in kinds}
    for item in items:
        groups.setdefault(resource_key(item), {})[object_key(item)] = item
    return groups
