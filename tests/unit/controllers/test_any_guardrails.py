"""Whatever guardrails the schema lets pass, side by side: each is rendered as it was meant, or left out alone and told why."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from random import Random
from typing import Any

import httpx2
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.controllers.context import Context
from app.controllers.litellm_instance import CHILDREN, LITELLM_INSTANCES
from app.hooks import application
from app.kube.reader import NoReader
from app.litellm.probe import Prober
from app.proxyconfig.guardrails import INTEGRATION
from app.sim.fake_litellm import FakeNetwork
from app.sim.twins import rule_engine
from app.sim.validation import ResourceSchema
from app.status.entity.guardrail_reasons import COLLISIONS, FLAWS
from tests.unit.controllers.exchange import FULL, grouped, instance, reason, secret

Object = dict[str, Any]

SCHEMA = ResourceSchema(
    LITELLM_GUARDRAIL.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"], rule_engine([LITELLM_GUARDRAIL])
)
SPEC: Object = {
    "image": {"tag": "v1.108.14"},
    "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}},
    "database": {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}},
}
CANARY = "canary-value"

NAMES = st.sampled_from(
    [
        *("pii", "PII", "p-i", "p_i", "p.i", "ü", "$(HOME)", "os.environ/LITELLM_MASTER_KEY", "!!python/name:os.system"),
        *("''", '"', "#", "<<", "=", "~", "null", "yes", "0x1", "1e3", "2026-01-01", "&a", "*a", "%", "---", "..."),
        *("|", ">", "@", "`", "? a", "- a", "a: b", "a\nb: c", "{{ x }}"),
        *(" ", "\n", "\0", "\x85", "\u2028", "\ufeff", "x" * 300),
    ]
)
WORDS = NAMES | st.text(max_size=6)
JSON = st.recursive(
    st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
SECRETS = (
    st.sampled_from(["a", "b"])
    | st.sampled_from(["a", "b"])
    | st.sampled_from(["a", "b", "gone", "UPPER", "", "a/b", "s" * 254, "lk"])
)
KEYS = st.sampled_from(["K", "OTHER"]) | st.just("K") | st.sampled_from(["K", "gone", "", "a/b", ".", "..", "K K", "MASTER"])
KEYED = st.fixed_dictionaries({"key": KEYS}, optional={"name": SECRETS, "optional": st.booleans()})
FIELDS = st.fixed_dictionaries({"fieldPath": st.sampled_from(["metadata.name", "metadata.labels['a']", "", "nowhere"])})
AMOUNTS = st.fixed_dictionaries({"resource": st.sampled_from(["limits.memory", "requests.hugepages-2Mi", "", "nothing"])})
SOURCES = (
    st.fixed_dictionaries({"secretKeyRef": KEYED})
    | st.fixed_dictionaries({"configMapKeyRef": KEYED})
    | st.fixed_dictionaries({"fieldRef": FIELDS})
    | st.fixed_dictionaries({"resourceFieldRef": AMOUNTS})
    | st.fixed_dictionaries({}, optional={"secretKeyRef": KEYED, "fieldRef": FIELDS})
)
TAKEN = ["A", "B", "LITELLM_MASTER_KEY", "DATABASE_URL", "GUARDRAIL_PII_API_KEY", "GUARDRAIL_P_I_I_API_KEY", "CONFIG_FILE_PATH"]
VARIABLES = st.builds(
    lambda name, given: {"name": name, **given},
    st.sampled_from(TAKEN) | st.sampled_from(["A", "a", "A=B", "", "ü", "$(A)"]) | WORDS,
    st.fixed_dictionaries({"value": WORDS | st.sampled_from(["1", "$(A)", "$(LITELLM_MASTER_KEY)"])})
    | st.fixed_dictionaries({"valueFrom": SOURCES})
    | st.fixed_dictionaries({}, optional={"value": WORDS, "valueFrom": SOURCES}),
)
PROPERTIES = SCHEMA.schema["properties"]["spec"]["properties"]
SETTINGS: dict[str, st.SearchStrategy[Any]] = {
    "apiKeySecretRef": st.fixed_dictionaries({"name": SECRETS, "key": KEYS}),
    "apiBase": WORDS,
    "defaultOn": st.booleans(),
    "params": st.dictionaries(WORDS | st.sampled_from(["api_key", "guardrail", "mode", "default_on"]), JSON, max_size=3),
    "envVars": st.lists(VARIABLES, max_size=3),
}
SOUND = st.sampled_from(
    [
        {"provider": "presidio", "mode": "logging_only"},
        {"provider": "aporia", "mode": "post_call"},
        {"provider": "custom_guardrail", "mode": "pre_call", "guardrailClass": "checks.Words"},
        {
            "provider": "generic_guardrail_api",
            "mode": "pre_call",
            "apiBase": "http://checker",
            "unreachableFallback": "fail_open",
        },
    ]
)
RAGGED = st.fixed_dictionaries(
    {"provider": st.sampled_from(PROPERTIES["provider"]["enum"]), "mode": st.sampled_from(PROPERTIES["mode"]["enum"])},
    optional={
        "guardrailClass": WORDS | st.just("checks.Words"),
        "unreachableFallback": st.sampled_from(PROPERTIES["unreachableFallback"]["enum"]),
    },
)
SPECS = st.builds(
    lambda name, settings, kind: {"instanceRef": {"name": "gw"}, "guardrailName": name, **settings, **kind},
    st.sampled_from(["pii", "PII", "p-i-i", "p_i.i"]) | WORDS.filter(bool),
    st.fixed_dictionaries({}, optional=SETTINGS),
    SOUND | SOUND | SOUND | RAGGED,
)


class _Secrets(NoReader):
    """What the cluster has beside the request."""

    def __init__(self, names: set[str]) -> None:
        super().__init__()
        self._there = {name: secret(name, K=f"{CANARY}-{name}", OTHER=f"{CANARY}-other-{name}") for name in names}

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        return self._there.get(name)


def guardrail(name: str, spec: Object, created: int) -> Object:
    metadata = {"name": name, "namespace": "team", "uid": name, "creationTimestamp": f"2026-01-01T00:00:0{created}Z"}
    item = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMGuardrail", "metadata": metadata, "spec": spec}
    SCHEMA.complete(item)
    return item


def sync(guardrails: list[Object], there: set[str], spec: Object = SPEC) -> httpx2.Response:
    async def answered() -> httpx2.Response:
        context = Context(
            now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
            prober=Prober(lambda _: FakeNetwork({}), lambda: 0.0),
            entropy=bytes,
            reader=_Secrets(there),
        )
        related = [secret("lk", MASTER=f"sk-{CANARY}"), secret("pg", url=f"postgresql://u:{CANARY}@h/d"), *guardrails]
        body = {
            "controller": FULL,
            "parent": instance(spec),
            "children": grouped([], [rule.resource.key for rule in CHILDREN]),
            "related": grouped(related, ["Secret.v1"]),
            "finalizing": False,
        }
        transport = httpx2.ASGITransport(app=application([LITELLM_INSTANCES], context))
        async with httpx2.AsyncClient(transport=transport, base_url="http://palena") as http:
            return await http.post("/hooks/litellminstances/sync", json=body)

    return asyncio.run(answered())


def child(answer: Object, kind: str) -> Object | None:
    return next((one for one in answer["children"] if one["kind"] == kind), None)


def environment(answer: Object) -> list[Object]:
    deployment = child(answer, "Deployment")
    assert deployment is not None
    return deployment["spec"]["template"]["spec"]["containers"][0]["env"]


def by_name(variables: list[Object]) -> Object:
    """What is in each, the first of a name."""
    return {one["name"]: content(one) for one in reversed(variables)}


def content(variable: Object) -> Object:
    return {field: value for field, value in variable.items() if field != "name" and value}


def meant(spec: Object) -> Object:
    """The parameters of an entry, its key apart."""
    custom, generic = (spec["provider"] == f"{kind}" for kind in ("custom_guardrail", "generic_guardrail_api"))
    params = spec.get("params") or {}
    if generic and params:
        params = {"additional_provider_specific_params": params}
    own = {
        "guardrail": spec["guardrailClass"] if custom else INTEGRATION[spec["provider"]],
        "mode": spec["mode"],
        "api_base": spec.get("apiBase") or None,
        "default_on": spec.get("defaultOn"),
        "unreachable_fallback": spec.get("unreachableFallback"),
    }
    return {**params, **{key: value for key, value in own.items() if value is not None}}


GOOD = guardrail(
    "good", {"instanceRef": {"name": "gw"}, "guardrailName": "good", "provider": "presidio", "mode": "pre_call"}, created=0
)
OURS = sync([GOOD], set()).json()


def presidio(name: str, **fields: Any) -> Object:
    return {"instanceRef": {"name": "gw"}, "guardrailName": name, "provider": "presidio", "mode": "pre_call", **fields}


NOWHERE = [{"name": "A", "valueFrom": {"secretKeyRef": {"key": "K"}}}]


@settings(max_examples=100)
@example([presidio("pii", apiKeySecretRef={"name": one, "key": "K"}) for one in ("a", "b")], {"a", "b"}, Random(1))
@example([presidio("pii", envVars=[{"name": "A", "value": one}]) for one in ("1", "2")], set(), Random(1))
@example([presidio("pii", envVars=NOWHERE), presidio("<<")], set(), Random(1))
@given(st.lists(SPECS, min_size=2, max_size=4), st.sampled_from([{"a", "b"}, {"a", "b"}, {"a"}, set[str]()]), st.randoms())
def test_each_is_rendered_as_meant_or_left_out_alone(specs: list[Object], there: set[str], random: Random) -> None:
    guardrails = [GOOD, *(guardrail(f"g{index}", spec, 1 + index // 2) for index, spec in enumerate(specs))]
    assume(not any(SCHEMA.errors(item) for item in guardrails))
    response = sync(guardrails, there)
    assert response.status_code == 200, response.text
    answer = response.json()

    assert CANARY not in response.text
    random.shuffle(guardrails)
    assert sync(guardrails, there).content == response.content

    notes = {note["name"]: note for note in answer["status"]["guardrails"]}
    assert notes.keys() == {item["metadata"]["name"] for item in guardrails}
    assert {note["reason"] for note in notes.values() if "reason" in note} <= FLAWS.keys() | COLLISIONS.keys()
    assert reason(answer, "ChildrenApplied") == "", "one that is flawed costs the others nothing"
    if reason(answer, "ReferencesResolved") == "False/ReferenceMissing":
        return
    rendered = sorted((item for item in guardrails if "reason" not in notes[item["metadata"]["name"]]), key=age)
    assert GOOD in rendered
    assert_rendered(answer, [(item["spec"], notes[item["metadata"]["name"]].get("ignoredVariables", [])) for item in rendered])


def age(item: Object) -> tuple[str, str]:
    return item["metadata"]["creationTimestamp"], item["metadata"]["name"]


def assert_rendered(answer: Object, wanted: list[tuple[Object, list[str]]]) -> None:
    """Each entry reads back as its spec, and each variable is what its guardrail says, unless it is told as ignored."""
    config = child(answer, "ConfigMap")
    assert config is not None
    entries = yaml.safe_load(config["data"]["proxy_server_config.yaml"])["guardrails"]
    assert [one["guardrail_name"] for one in entries] == [spec["guardrailName"] for spec, _ in wanted]
    variables, ours = by_name(environment(answer)), by_name(environment(OURS))
    assert len(variables) == len(environment(answer))
    assert variables | ours == variables, "ours stay as they are"
    for entry, (spec, ignored) in zip(entries, wanted, strict=True):
        parameters = entry["litellm_params"]
        own = list(spec.get("envVars") or [])
        if key := spec.get("apiKeySecretRef"):
            name = parameters.pop("api_key").removeprefix("os.environ/")
            assert re.fullmatch("GUARDRAIL_[A-Z0-9_]+_API_KEY", name)
            own.insert(0, {"name": name, "valueFrom": {"secretKeyRef": key}})
        wanted_parameters = meant(spec)
        if key:
            wanted_parameters.pop("api_key", None)
        assert parameters == wanted_parameters
        assert set(ignored) == {one["name"] for one in own if content(one) != variables[one["name"]]}
        for name, value in by_name(own).items():
            assert variables[name] == value or name in ours, "two guardrails never mean different things by one name"
