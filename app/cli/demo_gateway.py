"""The play of the gateway that is run: it comes up step by step, an upgrade is held by its migration, a flip keeps everything.

No pod runs anywhere: they are imagined to be well, and the migration of one image is not. Where the gateway's Service would
lead, a stand-in of LiteLLM is served.
"""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.cli.demo_examples import example
from app.cli.demo_outcome import Outcome
from app.cli.local_servers import port_of, serving
from app.resources import names
from app.resources.generated_secrets import MASTER_KEY
from app.resources.kinds import DEPLOYMENT, JOB, STATEFUL_SET
from app.sim.fake_litellm import FakeLiteLLM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.cli.demo_stage import Act, Stage
    from app.cli.timeline import Step
    from app.hooks.objects import Object
    from app.sim.kubelet import Kubelet

NAME = "team-gateway"
INSTANCE = f"LiteLLMInstance ai/{NAME}"
RELEASE, UPGRADE = "v1.83.14", "v1.84.2"
"""Image tags: of the example, and of the upgrade whose migration fails."""

ORDER = ("Secret", "StatefulSet", "Job", "Deployment")
"""The kinds whose first object of this gateway waits for the kind before."""

RUNNING = Outcome(
    object=INSTANCE,
    status={"ready": True, "version": RELEASE},
    conditions={
        "Ready": ("True", "AllResourcesReady"),
        "DatabaseReady": ("True", "MigrationComplete"),
        "PodsHealthy": ("True", "AllPodsHealthy"),
        "RolloutComplete": ("True", "RolledOut"),
    },
)
HELD = Outcome(
    object=INSTANCE,
    status={"ready": True, "version": RELEASE},
    conditions={
        "Ready": ("False", "ReconcileError"),
        "DatabaseReady": ("False", "MigrationFailed"),
        "PodsHealthy": ("True", "AllPodsHealthy"),
        "RolloutComplete": ("False", "Held"),
    },
    says={"DatabaseReady": f"{NAME}-migrate-"},
)
FLIPPED = Outcome(
    object=INSTANCE,
    status={"ready": True, "version": ""},
    conditions={
        "Ready": ("True", "ProxyReachable"),
        "DatabaseReady": ("True", "WorkloadUnmanaged"),
        "MasterKeyAccepted": ("True", "KeyAccepted"),
        "ChildrenRetained": ("True", "ManagedBefore"),
        "SettingsIgnored": ("True", "ProxyNotManaged"),
    },
    says={"ChildrenRetained": f"Deployment {NAME}"},
)


async def play_gateway(stage: Stage) -> bool:
    """All acts; says whether each came to what it must."""
    (first,) = example("managed.yaml")
    pods = Pods()
    scenery = stage.scenery(pods.run)
    async with serving(pods.proxy) as endpoint:
        stage.title("A gateway of one's own")
        stage.say("pods", f"imagined to be well; {NAME}.ai.svc leads to a stand-in: {endpoint}")
        wanted = changed(first, service={"port": port_of(endpoint)})
        up = await scenery.act("Have it run", [wanted], [RUNNING])
        upgraded = changed(wanted, image={"tag": UPGRADE})
        held = await scenery.act(f"Upgrade it to {UPGRADE}, whose migration fails", [upgraded], [HELD])
        key = {"secretRef": {"name": names.master_key(NAME), "key": MASTER_KEY}}
        unmanaged = changed(upgraded, workload={"managed": False}, masterKey=key)
        flipped = await scenery.act("Flip it to unmanaged, as it is", [unmanaged], [FLIPPED])
    return stage.tell(verdicts(up, held, flipped))


def verdicts(up: Act, held: Act, flipped: Act) -> list[tuple[bool, str]]:
    """What must hold of the acts, and whether it does."""
    differences = [difference for act in (up, held, flipped) for difference in act.differences]
    running = _pods(up)
    children = _children(held)
    return [
        *((False, difference) for difference in differences),
        (not differences, "the gateway had the status that it deserves in every act"),
        (came_in_order(up.steps), "Secrets came first, then the database, its migration, and the pods last"),
        (running is not None and running == _pods(held), f"the pods stayed on {RELEASE} while the migration had not succeeded"),
        (bool(children) and children == _children(flipped), "the flip left every object as it was, to the byte"),
    ]


def _pods(act: Act) -> Any:
    """The pod template; nothing where there is no Deployment."""
    return act.objects.get(f"Deployment ai/{NAME}", {}).get("spec", {}).get("template")


def _children(act: Act) -> dict[str, Object]:
    return {name: item for name, item in act.objects.items() if name != INSTANCE}


def came_in_order(steps: Sequence[Step]) -> bool:
    """Whether each kind of :data:`ORDER` came, and first came after the one before."""
    created = [step.object.partition(" ")[0] for step in steps if step.what == "created"]
    if not set(ORDER) <= set(created):
        return False
    firsts = [created.index(kind) for kind in ORDER]
    return firsts == sorted(firsts)


@dataclass(frozen=True)
class Pods:
    """What runs, as far as imagined, and the proxy that the ready ones serve."""

    proxy: FakeLiteLLM = field(default_factory=FakeLiteLLM)

    async def run(self, kubelet: Kubelet, items: Sequence[Object]) -> None:
        """Pods become ready; a Job is over as soon as it is there, and only one of the upgrade's image fails."""
        for item in items:
            namespace, name = item["metadata"].get("namespace", ""), item["metadata"]["name"]
            match item["kind"]:
                case "Secret" if name == names.master_key(NAME):
                    self.proxy.master_key = b64decode(item["data"][MASTER_KEY]).decode()
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
