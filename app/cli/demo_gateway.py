"""The demo's managed gateway: it comes up step by step, an upgrade is held by its migration, a flip keeps everything.

The hooks are in this process and time is the cluster's own: no pod runs anywhere, so there is nothing to wait for. Pods are
well, the migration of one image is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.cli.demo_cast import Part, example
from app.cli.offline import SECONDS, offline_simulation
from app.cli.watching import Watcher
from app.hooks.objects import reference
from app.resources import names
from app.resources.generated_secrets import MASTER_KEY
from app.resources.kinds import DEPLOYMENT, JOB, STATEFUL_SET
from app.sim.clock import VirtualClock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.demo_stage import Stage
    from app.cli.timeline import Step
    from app.hooks.objects import Object
    from app.sim.kubelet import Kubelet
    from app.sim.simulation import Simulation

NAME = "team-gateway"
RELEASE, UPGRADE = "v1.83.14", "v1.84.2"
"""Image tags: of the example, and of the upgrade whose migration fails."""

ORDER = ("Secret", "StatefulSet", "Job", "Deployment")
"""The kinds whose first object of this gateway waits for the kind before."""

RUNNING = Part(
    name=NAME,
    story="a gateway that is run",
    example="managed.yaml",
    proxy=None,
    ready=True,
    version=RELEASE,
    conditions={
        "Ready": ("True", "AllResourcesReady"),
        "DatabaseReady": ("True", "MigrationComplete"),
        "PodsHealthy": ("True", "AllPodsHealthy"),
        "RolloutComplete": ("True", "RolledOut"),
    },
)
HELD = Part(
    name=NAME,
    story="an upgrade that waits for a migration in vain",
    example="managed.yaml",
    proxy=None,
    ready=True,
    version=RELEASE,
    conditions={
        "Ready": ("False", "ReconcileError"),
        "DatabaseReady": ("False", "MigrationFailed"),
        "PodsHealthy": ("True", "AllPodsHealthy"),
        "RolloutComplete": ("False", "Held"),
    },
    says={"DatabaseReady": f"{NAME}-migrate-"},
)
FLIPPED = Part(
    name=NAME,
    story="the same, no longer run",
    example="managed.yaml",
    proxy=None,
    ready=True,
    conditions={
        "Ready": ("True", "ProxyReachable"),
        "DatabaseReady": ("True", "WorkloadUnmanaged"),
        "MasterKeyAccepted": ("True", "KeyAccepted"),
        "ChildrenRetained": ("True", "ManagedBefore"),
        "SettingsIgnored": ("True", "ProxyNotManaged"),
    },
    says={"ChildrenRetained": f"Deployment {NAME}"},
)


@dataclass(frozen=True)
class Scene:
    """What an act came to."""

    differences: list[str]
    """How the status is not what it must be."""
    steps: Sequence[Step]
    """What happened in it."""
    objects: dict[str, Object]
    """What there is after it, without the instance, by kind and name."""

    @property
    def pods(self) -> Any:
        """The pod template; nothing where there is no Deployment."""
        return self.objects.get(f"Deployment ai/{NAME}", {}).get("spec", {}).get("template")


async def play_gateway(stage: Stage) -> bool:
    """All acts; says whether each came to what it must."""
    (first,) = example(RUNNING.example)
    clock = VirtualClock()
    watcher = Watcher(clock.now)
    async with offline_simulation(clock, run_pods=run_pods) as simulation:
        stage.title("Have a gateway run")
        stage.say("cluster", "another one in memory, with the hooks in this process; pods are well, as far as imagined")
        up = await _act(stage, simulation, watcher, first, RUNNING)
        stage.title(f"Upgrade to {UPGRADE}, whose migration fails")
        held = await _act(stage, simulation, watcher, changed(first, image={"tag": UPGRADE}), HELD)
        stage.title("Flip it to unmanaged, as it is")
        key = {"secretRef": {"name": names.master_key(NAME), "key": MASTER_KEY}}
        unmanaged = changed(first, image={"tag": UPGRADE}, workload={"managed": False}, masterKey=key)
        flipped = await _act(stage, simulation, watcher, unmanaged, FLIPPED)
    stage.title("Compare")
    told = [stage.tell(outcome, what) for outcome, what in verdicts(up, held, flipped)]
    return all(told)


def verdicts(up: Scene, held: Scene, flipped: Scene) -> list[tuple[bool, str]]:
    """What must hold of the acts, and whether it does."""
    differences = [difference for scene in (up, held, flipped) for difference in scene.differences]
    return [
        *((False, difference) for difference in differences),
        (not differences, "the gateway had the status that it deserves in every act"),
        (came_in_order(up.steps), "Secrets came first, then the database, its migration, and the pods last"),
        (up.pods is not None and up.pods == held.pods, f"the pods stayed on {RELEASE} while the migration had not succeeded"),
        (bool(held.objects) and held.objects == flipped.objects, "the flip left every object as it was, to the byte"),
    ]


def came_in_order(steps: Sequence[Step]) -> bool:
    """Whether each kind of :data:`ORDER` came, and first came after the one before."""
    created = [step.object.partition(" ")[0] for step in steps if step.what == "created"]
    if not set(ORDER) <= set(created):
        return False
    firsts = [created.index(kind) for kind in ORDER]
    return firsts == sorted(firsts)


async def run_pods(kubelet: Kubelet, items: Sequence[Object]) -> None:
    """Pods become ready; a Job is over as soon as it is there, and only one of the upgrade's image fails."""
    for item in items:
        namespace, name = item["metadata"].get("namespace", ""), item["metadata"]["name"]
        match item["kind"]:
            case "Deployment":
                await kubelet.make_ready(DEPLOYMENT, namespace, name)
            case "StatefulSet":
                await kubelet.make_ready(STATEFUL_SET, namespace, name)
            case "Job":
                image = item["spec"]["template"]["spec"]["containers"][0]["image"]
                await kubelet.finish(JOB, namespace, name, succeeded=not image.endswith(f":{UPGRADE}"))
            case _:
                pass


def changed(item: Object, **sections: Object) -> Object:
    """The instance with these sections of its spec."""
    return {**item, "spec": {**item["spec"], **sections}}


async def _act(stage: Stage, simulation: Simulation, watcher: Watcher, item: Object, part: Part) -> Scene:
    """Apply, and give it more time than it needs: what it must come to must also last."""
    before = len(watcher.steps)
    await stage.watch(simulation, watcher, [item], seconds=SECONDS, until=lambda _: False)
    objects = {reference(one): one for one in watcher.seen}
    instance = objects.pop(reference(item), {})
    return Scene([f"{part.story}: {one}" for one in part.differences(instance)], watcher.steps[before:], objects)
