"""Whatever spec the schema lets pass, each object is legal or its builder names the field that stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.hooks.guard import child_breaches
from app.resources.errors import Unbuildable
from app.resources.gateway import Gateway
from tests.unit.resources.gateways import MINIMAL, PLACE, builders

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.unit.resources.gateways import Builder

WORDS = st.sampled_from(
    [
        *("", "a", "gw", "x" * 300, "UPPER", "with space", "ü", "$(HOME)", "$$(A)", "-dash", "dot.ted", "*", "tmp", "config"),
        *("10Gi", "1000m", "0.5", "-1", "5m", "1h30m", "300s", "latest", "/tmp", "/app/config", "DATABASE_URL", "A=B", "\n"),
        *("controller-uid", "metacontroller.k8s.io/last-applied-configuration", "a/b/c", "https://x", "sha256:0", "None"),
    ]
)
NUMBERS = st.sampled_from([-(2**31), -1, 0, 1, 2, 80, 4000, 65536, 2**31 - 1])


def matching(schema: Object) -> st.SearchStrategy[Any]:
    """Values that the structural schema takes, for the most part; the model refuses the rest."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema.get("x-kubernetes-int-or-string"):
        return WORDS | NUMBERS
    kind = schema.get("type")
    if kind == "object" and "properties" in schema:
        required = {key: matching(item) for key, item in schema["properties"].items() if key in schema.get("required", ())}
        optional = {key: matching(item) for key, item in schema["properties"].items() if key not in required}
        return st.fixed_dictionaries(required, optional=optional)
    if kind == "object":
        return st.dictionaries(WORDS, matching(schema.get("additionalProperties") or {}), max_size=2)
    if kind == "array":
        return st.lists(matching(schema["items"]), min_size=schema.get("minItems", 0), max_size=2)
    simple = {"boolean": st.booleans(), "integer": NUMBERS, "number": st.sampled_from([-1.5, 0.0, 1.0, 2.5]), "string": WORDS}
    return simple.get(kind or "", WORDS)


def section(names: str) -> st.SearchStrategy[Object]:
    properties = SPEC["properties"]
    return st.fixed_dictionaries({}, optional={name: matching(properties[name]) for name in names.split()})


SPEC = LITELLM_INSTANCE.crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
POD = section("image replicas masterKey saltKey database redis security healthCheck resources tls secretManager sso scim caching")
EDGES = section("service serviceAccount deployment ingress route autoscaling podDisruptionBudget observability upgrade")
USERS_OWN = section("podScheduling topologySpreadConstraints extraEnvVars extraEnvFrom extraVolumes extraVolumeMounts callbacks")
INSTANCE_NAMES = st.sampled_from(["gw", "g" * 253, "gw.prod", "7", "gw-db"])


@settings(max_examples=120)
@given(POD, EDGES, USERS_OWN, INSTANCE_NAMES, st.booleans())
def test_an_object_is_legal_or_the_error_names_the_field(
    pod: Object, edges: Object, users_own: Object, name: str, openshift: bool
) -> None:
    spec = check_spec(LiteLLMInstanceSpec, {**MINIMAL, **pod, **edges, **users_own})
    if isinstance(spec, InvalidSpec):
        return
    gateway = Gateway(name=name, namespace="team", spec=spec, openshift=openshift)
    for build in builders():
        assert _problems(build, gateway) == []


def _problems(build: Builder, gateway: Gateway) -> list[str]:
    try:
        child = build(gateway)
    except Unbuildable as error:
        return [] if error.field.startswith("spec.") else [str(error)]
    return [str(breach) for breach in child_breaches(child, PLACE)] if child is not None else []
