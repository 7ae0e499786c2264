"""What the API server accepts of a LiteLLMInstance, stores for it and refuses: one table for all who must agree with it.

The Python twins, the CEL engine and the in-memory API server are held to it in the unit tests, the real API server in e2e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MASTER_KEY_RULE = "masterKey.secretRef is required when workload.managed is false"
ENDPOINT_RULE = "workload.endpoint is only valid when workload.managed is false"
ENDPOINT_PATTERN = r"spec.workload.endpoint in body should match '^https?://[^\s/?#]+'"

SECRET = {"secretRef": {"name": "litellm-master-key", "key": "LITELLM_MASTER_KEY"}}
UNSET: Any = object()


@dataclass(frozen=True)
class Case:
    """One spec and what becomes of it."""

    why: str
    """A sentence, also the test's id."""
    spec: dict[str, Any]
    field: str = ""
    """The field that the refusal names."""
    refusal: str = ""
    """Part of the API server's message; empty means that the object is accepted."""
    workload: Any = UNSET
    """``spec.workload`` as it is stored; unset where the object is refused."""

    @property
    def accepted(self) -> bool:
        return not self.refusal

    @property
    def breaks_rule(self) -> bool:
        """Whether the refusal is a CEL rule's."""
        return self.refusal in {MASTER_KEY_RULE, ENDPOINT_RULE}


def spec(workload: Any = UNSET, master_key: Any = SECRET, **fields: Any) -> dict[str, Any]:
    """A spec with the required fields and what a case is about."""
    given = {} if workload is UNSET else {"workload": workload}
    return {"masterKey": master_key, "database": {}, **given, **fields}


def unmanaged(endpoint: Any) -> dict[str, Any]:
    """A spec that attaches to an endpoint."""
    return spec({"managed": False, "endpoint": endpoint})


def _refused_endpoint(why: str, endpoint: str) -> Case:
    return Case(why, unmanaged(endpoint), field="spec.workload.endpoint", refusal=ENDPOINT_PATTERN)


def _accepted_endpoint(why: str, endpoint: str) -> Case:
    return Case(why, unmanaged(endpoint), workload={"managed": False, "endpoint": endpoint})


MANAGED_CASES = (
    Case("no workload means managed, and nothing is written into the object", spec(), workload=None),
    Case("an empty workload means managed", spec({}), workload={"managed": True}),
    Case("an explicit null is not false: it becomes the default", spec({"managed": None}), workload={"managed": True}),
    Case("a null workload is an absent one", spec(None), workload=None),
    Case("managed may be said", spec({"managed": True}), workload={"managed": True}),
    Case("a managed instance may have its key made", spec(master_key={"autoGenerate": True}), workload=None),
    Case(
        "a managed instance without any key is let through and told in status",
        spec({}, master_key={}),
        workload={"managed": True},
    ),
    Case(
        "a string is no boolean",
        spec({"managed": "false"}),
        field="spec.workload.managed",
        refusal="spec.workload.managed in body must be of type boolean",
    ),
)

UNMANAGED_CASES = (
    Case("the endpoint may be left to the Service's name", spec({"managed": False}), workload={"managed": False}),
    Case(
        "a typed client that marshals managed false beside its endpoint means it",
        unmanaged("http://litellm.platform.svc:4000"),
        workload={"managed": False, "endpoint": "http://litellm.platform.svc:4000"},
    ),
    Case(
        "a typed client whose nil managed is left out gets the default, so its endpoint is refused",
        spec({"endpoint": "http://litellm.platform.svc:4000"}),
        field="spec.workload",
        refusal=ENDPOINT_RULE,
    ),
    Case(
        "an endpoint beside managed true would be ignored, so it is refused",
        spec({"managed": True, "endpoint": "http://litellm.platform.svc:4000"}),
        field="spec.workload",
        refusal=ENDPOINT_RULE,
    ),
    Case(
        "an endpoint beside an explicit null, which is managed",
        spec({"managed": None, "endpoint": "http://litellm.platform.svc:4000"}),
        field="spec.workload",
        refusal=ENDPOINT_RULE,
    ),
    Case(
        "nobody makes the key of a proxy that is not ours: autoGenerate alone is refused",
        spec({"managed": False}, master_key={"autoGenerate": True}),
        field="spec",
        refusal=MASTER_KEY_RULE,
    ),
    Case(
        "an unmanaged instance must name its key",
        spec({"managed": False}, master_key={}),
        field="spec",
        refusal=MASTER_KEY_RULE,
    ),
    Case(
        "a null secretRef names no key",
        spec({"managed": False}, master_key={"secretRef": None}),
        field="spec",
        refusal=MASTER_KEY_RULE,
    ),
    Case(
        "autoGenerate beside a secretRef is left over from a managed past, and harmless",
        spec({"managed": False}, master_key={**SECRET, "autoGenerate": True}),
        workload={"managed": False},
    ),
    Case(
        "a secretRef needs its key",
        spec({"managed": False}, master_key={"secretRef": {"name": "litellm-master-key"}}),
        field="spec.masterKey.secretRef.key",
        refusal="spec.masterKey.secretRef.key: Required value",
    ),
    Case(
        "a database is required, if only an empty one",
        {"masterKey": SECRET, "workload": {"managed": False}},
        field="spec.database",
        refusal="spec.database: Required value",
    ),
    Case(
        "a master key is required, if only an empty one",
        {"database": {}},
        field="spec.masterKey",
        refusal="spec.masterKey: Required value",
    ),
)

ENDPOINT_CASES = (
    _accepted_endpoint("blanks beyond ASCII are none in RE2; status says what is wrong", "http://\u00a0litellm:4000"),
    _accepted_endpoint("a Service in another namespace", "http://litellm.platform.svc:4000"),
    _accepted_endpoint("a proxy outside the cluster", "https://litellm.example.com"),
    _accepted_endpoint("a trailing slash is trimmed by the client, not here", "http://litellm:4000/"),
    _accepted_endpoint("a proxy below a path", "https://example.com/litellm"),
    _accepted_endpoint("an IPv6 address", "http://[2001:db8::1]:4000"),
    _accepted_endpoint("user information passes the pattern and is refused in status", "http://user:word@litellm:4000"),
    _accepted_endpoint("a query passes the pattern and is refused in status", "http://litellm:4000?x=1"),
    _refused_endpoint("a scheme alone is no URL", "http://"),
    _refused_endpoint("nor is the other scheme alone", "https://"),
    _refused_endpoint("a path without a host", "http:///health"),
    _refused_endpoint("a query without a host", "http://?x=1"),
    _refused_endpoint("a fragment without a host", "http://#x"),
    _refused_endpoint("white space where the host should be", "http:// litellm:4000"),
    _refused_endpoint("a host without a scheme", "litellm:4000"),
    _refused_endpoint("a URL without a scheme", "//litellm:4000"),
    _refused_endpoint("another scheme", "ftp://litellm:4000"),
    _refused_endpoint("a scheme that only starts alike", "httpx://litellm:4000"),
    _refused_endpoint("a scheme in capitals", "HTTP://litellm:4000"),
    _refused_endpoint("leading white space", " http://litellm:4000"),
    _refused_endpoint("one slash", "http:/litellm:4000"),
    _refused_endpoint("an empty string", ""),
    Case(
        "a URL of more than 2048 characters",
        unmanaged("http://litellm/" + "x" * 2048),
        field="spec.workload.endpoint",
        refusal="spec.workload.endpoint: Too long: may not be more than 2048 bytes",
    ),
    Case(
        "a port is no endpoint",
        unmanaged(4000),
        field="spec.workload.endpoint",
        refusal="spec.workload.endpoint in body must be of type string",
    ),
)

CASES = (*MANAGED_CASES, *UNMANAGED_CASES, *ENDPOINT_CASES)
