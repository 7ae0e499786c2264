"""Bodies of sync for gateways that we run, as they came to rest in a cluster in memory; see :mod:`tests.bench.templates`.

They differ by namespace and uid. The name is part of the pod template: a gateway that is renamed in a body would be one that
rolls.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import yaml

from tests.bench.templates import PLACEHOLDER, UNSEEN
from tests.cases.settled_gateways import life_of
from tests.unit.resources.fullest import FULLEST

if TYPE_CHECKING:
    from app.hooks.objects import Object

SIZES = {"13 KB, waiting": "15 KB", "82 KB, 10 children": "60 KB", "260 KB, 17 children": "260 KB"}
"""By name, with the size of the table whose figures count."""

_SMALLEST: Object = {
    "masterKey": {"secretRef": {"name": "keys", "key": "master"}},
    "database": {"external": {"connectionSecretRef": {"name": "database", "key": "url"}}},
}
_EXAMPLES = Path(__file__).parents[2] / "examples" / "litellm-instance"


def of_size(size: str) -> str:
    """The gateway whose figures count for that size of the table."""
    return next(name for name, one in SIZES.items() if one == size)


async def gateway_bodies() -> dict[str, bytes]:
    """One body for each of :data:`SIZES`: the smallest without its database, the production example, and all there is."""
    production = yaml.safe_load((_EXAMPLES / "managed-production.yaml").read_text("utf-8"))
    bodies = [
        await _body(_gateway(_SMALLEST), complete=False),
        await _body(production),
        await _body(_everything(await _variables(260_000))),
    ]
    return dict(zip(SIZES, bodies, strict=True))


async def _body(gateway: Object, *, complete: bool = True) -> bytes:
    """A sync at rest."""
    metadata = {**gateway["metadata"], "namespace": PLACEHOLDER.decode()}
    body, _ = (await life_of({**gateway, "metadata": metadata}, complete=complete))[-1]
    uid: str = body["parent"]["metadata"]["uid"]
    body["parent"]["metadata"]["resourceVersion"] = UNSEEN.decode()
    return orjson.dumps(body).replace(uid.encode(), PLACEHOLDER + uid.encode()[len(PLACEHOLDER) :])


async def _variables(size: int) -> int:
    """How many variables make a body of about that size."""
    without, some = len(await _body(_everything(0))), len(await _body(_everything(50)))
    return 50 * (size - without) // (some - without)


def _everything(variables: int) -> Object:
    spec = {section: fields for section, fields in FULLEST.items() if section != "tls"}
    more = [{"name": f"SETTING_{number}", "value": f"value of setting {number}"} for number in range(variables)]
    return _gateway({**spec, "extraEnvVars": [*spec["extraEnvVars"], *more]})


def _gateway(spec: Object) -> Object:
    identity: Object = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance", "metadata": {"name": "gateway"}}
    return {**identity, "spec": spec}
