"""Every reason that a condition of an attached LiteLLMInstance can have; managed ones share some of them."""

from __future__ import annotations

from app.status.reason import READY, Reason

DATABASE_READY = "DatabaseReady"
MASTER_KEY_ACCEPTED = "MasterKeyAccepted"

PROXY_REACHABLE = Reason(
    READY,
    "True",
    "ProxyReachable",
    "The proxy answers its liveliness route at status.endpoint.",
    "Nothing.",
)
PROXY_NOT_REACHABLE = Reason(
    READY,
    "False",
    "ProxyNotReachable",
    "The proxy does not answer at status.endpoint, or something that is needed to ask it is missing.",
    "Do what the message says: start the proxy, correct spec.workload.endpoint, or create the Secret and key that it names.",
)
READINESS_PROBE_FAILED = Reason(
    READY,
    "False",
    "ReadinessProbeFailed",
    "The proxy is alive but says that it is not ready, most often because its database is down; status.ready stays true.",
    "Look at the proxy's database and its log.",
)
ENDPOINT_INVALID = Reason(
    READY,
    "False",
    "EndpointInvalid",
    "spec.workload.endpoint is not a base URL, or spec.service.port is no port.",
    "Give scheme, host, port and at most a path: no user name, password, query or fragment.",
)
ENDPOINT_NOT_ALLOWED = Reason(
    READY,
    "False",
    "EndpointNotAllowed",
    "The endpoint leads to an address that Palena refuses to connect to.",
    "Use the proxy's Service or public name, or have the administrator add the host or network to PALENA_ENDPOINT_ALLOW.",
)
PROBE_PENDING = Reason(
    READY,
    "Unknown",
    "ProbePending",
    "The proxy was asked and has not answered yet.",
    "Wait a few seconds.",
)
INVALID_SPEC = Reason(
    READY,
    "False",
    "InvalidSpec",
    "The stored spec does not satisfy this version's schema or rules; every child is kept as it is.",
    "Correct the field that the message names and apply the object again.",
)
MANAGED_MODE_NOT_INSTALLED = Reason(
    READY,
    "False",
    "ManagedModeNotInstalled",
    "This is an attach-only installation: it has no right to run a proxy.",
    "Set spec.workload.managed to false, or install the full shape.",
)
DATABASE_UNMANAGED = Reason(
    DATABASE_READY,
    "True",
    "WorkloadUnmanaged",
    "The proxy owns its database and its schema; Palena runs no migration.",
    "Nothing; migrations are the business of whoever deploys the proxy.",
)
KEY_ACCEPTED = Reason(
    MASTER_KEY_ACCEPTED,
    "True",
    "KeyAccepted",
    "The proxy accepts the master key.",
    "Nothing.",
)
MASTER_KEY_REJECTED = Reason(
    MASTER_KEY_ACCEPTED,
    "False",
    "MasterKeyRejected",
    "The proxy answers but refuses the master key.",
    "Put the proxy's LITELLM_MASTER_KEY into the Secret of spec.masterKey.secretRef.",
)
KEY_NOT_CHECKED = Reason(
    MASTER_KEY_ACCEPTED,
    "Unknown",
    "NotChecked",
    "The master key could not be tried on the proxy.",
    "See the Ready condition.",
)
MASTER_KEY_MISSING = Reason(
    MASTER_KEY_ACCEPTED,
    "Unknown",
    "MasterKeyMissing",
    "The Secret or the key of spec.masterKey.secretRef is missing or unusable.",
    "Create the Secret that the message names; Palena notices by itself.",
)
CONFIG_SETTINGS_IGNORED = Reason(
    "WorkloadUnmanaged",
    "True",
    "ConfigSettingsIgnored",
    "Sections of the spec that configure a proxy do nothing, because this proxy owns its own configuration.",
    "Configure them at the proxy and remove them from the spec.",
    published=True,
    attention=True,
)
PROXY_NOT_MANAGED = Reason(
    "SettingsIgnored",
    "True",
    "ProxyNotManaged",
    "Settings that would shape the proxy's workload or configuration do nothing, because Palena does not run this proxy.",
    "Remove them from the spec, or keep them for the day you switch to spec.workload.managed: true.",
    attention=True,
)
MANAGED_BEFORE = Reason(
    "ChildrenRetained",
    "True",
    "ManagedBefore",
    "Objects from the time when Palena ran this proxy are kept as they are.",
    "Hand each over by removing its controller-uid label, or delete it.",
    attention=True,
)
FINALIZER_LEFT = Reason(
    "StaleFinalizer",
    "True",
    "LeftByGoOperator",
    "The object carries the Go operator's finalizer, which Palena neither uses nor removes.",
    "Run the command of the message once that operator is gone for good; until then deleting the object does not end.",
    attention=True,
)

ENTITIES_REMAIN = Reason(
    "DeletionHeld",
    "True",
    "EntitiesRemain",
    "The instance is being deleted and keeps its proxy until objects that name it are deleted in LiteLLM.",
    "Wait: it goes by itself, at the latest two minutes after its deletion.",
    passing=True,
)

REASONS: tuple[Reason, ...] = (
    PROXY_REACHABLE,
    PROXY_NOT_REACHABLE,
    READINESS_PROBE_FAILED,
    ENDPOINT_INVALID,
    ENDPOINT_NOT_ALLOWED,
    PROBE_PENDING,
    INVALID_SPEC,
    MANAGED_MODE_NOT_INSTALLED,
    DATABASE_UNMANAGED,
    KEY_ACCEPTED,
    MASTER_KEY_REJECTED,
    KEY_NOT_CHECKED,
    MASTER_KEY_MISSING,
    CONFIG_SETTINGS_IGNORED,
    PROXY_NOT_MANAGED,
    MANAGED_BEFORE,
    FINALIZER_LEFT,
    ENTITIES_REMAIN,
)
"""All of them; a test holds the pages to this list."""
