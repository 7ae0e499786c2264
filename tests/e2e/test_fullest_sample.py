"""Everything at once: a spec of nearly every field is taken without a warning, comes up, and rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from app.resources.kinds import CONFIG_MAP, SECRET
from app.resources.references import references
from tests.e2e.command import palena
from tests.e2e.controlplane.plane import USER
from tests.e2e.driven import until
from tests.e2e.gateway import instance
from tests.e2e.objects import b64, condition
from tests.e2e.world import INSTANCE
from tests.unit.proxyconfig.samples import ACCESS, GENERAL, JWT
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import everything
from tests.unit.resources.gateways import gateway as facts
from tests.unit.resources.test_every_object import NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from app.hooks.objects import Object
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.gateway import Gateway
    from tests.e2e.kubectl import Kubectl

CONFIGURED = {**GENERAL, **ACCESS, **JWT}
SAMPLES: dict[str, Object] = {
    "fullest": {**CONFIGURED, **FULLEST},
    "another": {"masterKey": {"autoGenerate": True}, **CONFIGURED, **ANOTHER},
}
STRICT = ("--validate=strict", "--warnings-as-errors")


@pytest.fixture(scope="module")
def team(kubectl: Kubectl) -> Kubectl:
    """The namespace in which objects are built; in it nothing is stored."""
    kubectl("apply", "-f", "-", stdin='{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}}')
    return kubectl


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("sample", ["minimal", *SAMPLES])
def test_every_object_of_it_is_taken(team: Kubectl, sample: str, name: str) -> None:
    built = everything(facts(SAMPLES.get(sample, {}), name))
    # Of names that are no DNS label the API server warns.
    how = STRICT if name.isalpha() and len(name) < 64 else STRICT[:1]
    team("apply", "--dry-run=server", *how, "-f", "-", stdin=yaml.safe_dump_all(built))


@pytest.mark.parametrize("sample", SAMPLES)
async def test_it_comes_up_without_a_warning_and_rests_as_it_is_rendered_offline(
    gateway: Gateway, plane: ControlPlane, kubectl: Kubectl, sample: str, tmp_path: Path
) -> None:
    spec = {**SAMPLES[sample], "replicas": 1}
    referred = _referred(spec)
    for item in referred:
        await gateway.create(item)
    kubectl("apply", *STRICT, f"--namespace={gateway.namespace}", "-f", "-", stdin=yaml.safe_dump(instance("gw", spec)))

    item: Object = {}

    async def rolled_out() -> bool:
        nonlocal item
        await gateway.run_pods()
        item = await gateway.get(INSTANCE)
        return condition(item, "RolloutComplete").get("reason") == "RolledOut"

    try:
        await until(rolled_out, "")
    except AssertionError:
        raise AssertionError(f"not every pod runs what is asked for: {item.get('status')}") from None
    assert condition(await gateway.get(INSTANCE), "ChildrenApplied") == {}
    await gateway.rests(5)

    def write(**change: object) -> None:
        files = [*referred, instance("gw", {**spec, **change})]
        placed = [{**item, "metadata": {**item["metadata"], "namespace": gateway.namespace}} for item in files]
        (tmp_path / "files.yaml").write_text(yaml.safe_dump_all(placed))

    compare = ("render", str(tmp_path), "--settled", "--diff-cluster", "--kubeconfig", str(plane.kubeconfig(USER)))
    write()
    assert await palena(*compare) == "no difference\n"
    write(image={**spec["image"], "tag": "v9.9.9"})
    shown = await palena(*compare, code=1)
    assert f"--- Deployment {gateway.namespace}/gw (there)" in shown
    assert "v9.9.9" in shown


def _referred(spec: Object) -> list[Object]:
    """The Secrets and ConfigMaps that the spec names, with the keys that it reads."""
    keys: dict[tuple[str, str], set[str]] = {}
    for one in references(spec, "spec"):
        keys.setdefault((one.kind, one.name), set()).add(one.key or "any")
    keys |= {("Secret", one["name"]): {"any"} for one in spec["image"].get("pullSecrets", [])}
    if "customSsoHandler" in spec["sso"]:
        # Where no file is named.
        keys["ConfigMap", spec["sso"]["customSsoHandler"]["configMapRef"]["name"]].add("handler.py")
    resources = {"Secret": SECRET, "ConfigMap": CONFIG_MAP}
    return [
        {
            "apiVersion": resources[kind].api_version,
            "kind": kind,
            "metadata": {"name": name},
            "data": {key: b64("value") if kind == "Secret" else "value" for key in sorted(found)},
        }
        for (kind, name), found in sorted(keys.items())
    ]
