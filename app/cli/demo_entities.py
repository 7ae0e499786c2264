"""The play of what lives in LiteLLM: it comes to be in the wrong order, a key is handed out, and nothing is left of it."""

from __future__ import annotations

import hashlib
from base64 import b64decode
from typing import TYPE_CHECKING

from app.cli.demo_attached import MASTER_KEY, REACHABLE
from app.cli.demo_examples import example
from app.cli.demo_outcome import Outcome
from app.cli.local_servers import serving
from app.hooks.objects import reference
from app.sim.fake_litellm import FakeLiteLLM

if TYPE_CHECKING:
    from app.cli.demo_stage import Act, Stage
    from app.hooks.objects import Object

INSTANCE = "LiteLLMInstance ai/gateway"
KEY_SECRET = "Secret ai/search-worker-litellm"  # noqa: S105 (where the value is)
LICENSED = ("guardrails", "modelMaxBudget", "objectPermission")
"""Fields of the example's key that take a licence, or objects that are not played here."""
TABLES = ("teams", "users", "models", "keys")


async def play_entities(stage: Stage) -> bool:
    """All acts; says whether each came to what it must."""
    proxy, scenery = FakeLiteLLM(master_key=MASTER_KEY), stage.scenery()
    async with serving(proxy) as endpoint:
        stage.title("A team, its user, a model and a key")
        stage.say("gateway", f"a proxy that is well, with a database: {endpoint}")
        items = cast(endpoint)
        # Each object refers to one that comes later; the Secret with the master key is the last.
        made = await scenery.act("Apply them in the wrong order", items, outcomes(items))
        stored = {table: len(proxy.database.table(table)) for table in TABLES}
        fits = registered(made, proxy)
        steps = [
            call
            for call in proxy.admin_calls
            if call in ("POST /team/new", "POST /user/new", "POST /model/new", "POST /key/generate")
        ]
        gone = await scenery.removal("Delete all of it, the gateway first", items[:-1])
        left = {table: len(proxy.database.table(table)) for table in TABLES}
    return stage.tell(
        [
            *((False, difference) for difference in (*made.differences, *gone.differences)),
            (not made.differences, "every object waited for those that it refers to, and is in LiteLLM"),
            (stored == dict.fromkeys(TABLES, 1) and len(steps) == len(TABLES), "LiteLLM was told of each of them once"),
            (fits, f"{KEY_SECRET} has the value that LiteLLM registered"),
            (not gone.differences, "every object is gone, the gateway last"),
            (left == dict.fromkeys(TABLES, 0), "nothing is left in LiteLLM"),
        ]
    )


def cast(endpoint: str) -> list[Object]:
    """The objects of two examples, who is referred to after who refers, the instance and its Secret at the end."""
    secret, instance, *others = example("full.yaml", "litellm-virtual-key")
    (model,) = (item for item in example("minimal.yaml", "litellm-model") if item["kind"] == "LiteLLMModel")
    workload = {**instance["spec"]["workload"], "endpoint": endpoint}
    placed = {**instance, "spec": {**instance["spec"], "workload": workload}}
    return [*(_unlicensed(item) for item in reversed(others)), model, placed, secret]


def _unlicensed(item: Object) -> Object:
    return {**item, "spec": {name: value for name, value in item["spec"].items() if name not in LICENSED}}


def outcomes(items: list[Object]) -> list[Outcome]:
    """What must be seen of each."""
    accepted = {"Ready": ("True", "Synced"), "Synced": ("True", "Synced")}
    entities = [item for item in items if item["kind"] not in ("LiteLLMInstance", "Secret")]
    return [
        Outcome(object=INSTANCE, status={"ready": True}, conditions=REACHABLE),
        *(Outcome(object=reference(item), status={"synced": True}, conditions=accepted) for item in entities),
    ]


def registered(made: Act, proxy: FakeLiteLLM) -> bool:
    """Whether the value in the Secret is that of the one key in LiteLLM, which keeps its hash."""
    value: str = made.objects.get(KEY_SECRET, {}).get("data", {}).get("api-key", "")
    return [hashlib.sha256(b64decode(value)).hexdigest()] == [*proxy.database.table("keys")]
