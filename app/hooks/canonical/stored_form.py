"""What the API server leaves out or fills in when it stores a built-in object: tables only.

A desired child that spells such a value differs from the stored object on every sync, and Metacontroller writes it again
each time. Seen on Kubernetes 1.36 with Metacontroller 4.17; the names are Go fields with ``omitempty`` that are no pointers.
They hold for built-in kinds: a custom resource keeps empty values as they are.
"""

from __future__ import annotations

OPAQUE_MAPS = frozenset({"annotations", "binaryData", "data", "labels", "matchLabels", "nodeSelector", "stringData"})
"""Maps whose keys are a user's words, so no table applies below them."""

KEPT_EMPTY = frozenset({"annotations", "labels", "matchLabels"})
"""Opaque maps that may stay empty: Metacontroller's own labels and annotations join them."""

DROPPED_WHEN_EMPTY = frozenset(
    {
        # pods
        "args",
        "capabilities",
        "command",
        "env",
        "envFrom",
        "hostAliases",
        "imagePullSecrets",
        "initContainers",
        "lifecycle",
        "limits",
        "nodeSelector",
        "ports",
        "readinessGates",
        "requests",
        "resources",
        "securityContext",
        "supplementalGroups",
        "sysctls",
        "tolerations",
        "topologySpreadConstraints",
        "volumeDevices",
        "volumeMounts",
        "volumes",
        # the rest
        "binaryData",
        "data",
        "egress",
        "externalIPs",
        "finalizers",
        "from",
        "ingress",
        "loadBalancerSourceRanges",
        "matchExpressions",
        "rules",
        "secrets",
        "stringData",
        "tls",
        "to",
        "volumeClaimTemplates",
    }
)
"""Lists and maps."""

DROPPED_WHEN_FALSE = frozenset(
    {
        "hostIPC",
        "hostNetwork",
        "hostPID",
        "paused",
        "publishNotReadyAddresses",
        "readOnly",
        "stdin",
        "stdinOnce",
        "tty",
    }
)

DROPPED_WHEN_ZERO = frozenset(
    {
        "failureThreshold",
        "hostPort",
        "initialDelaySeconds",
        "minReadySeconds",
        "nodePort",
        "periodSeconds",
        "successThreshold",
        "timeoutSeconds",
    }
)

DROPPED_WHEN_BLANK = frozenset(
    {
        "clusterIP",
        "externalName",
        "hostname",
        "loadBalancerIP",
        "nodeName",
        "priorityClassName",
        "protocol",
        "schedulerName",
        "serviceAccountName",
        "subPath",
        "subPathExpr",
        "subdomain",
        "workingDir",
    }
)
"""Strings; the value of an environment variable is one more."""

QUANTITY_MAPS = frozenset({"capacity", "limits", "requests"})
"""Maps from resource name to quantity."""

QUANTITIES = frozenset({"averageValue", "divisor", "sizeLimit"})
"""Single quantities."""

SYSTEM_METADATA = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generateName",
    "generation",
    "managedFields",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
)
"""Metadata that a desired child never carries: the API server's and Metacontroller's own."""


def built_in(api_version: str) -> bool:
    """Whether a kind is Kubernetes' own: the core group, a group without a dot, or one of ``k8s.io``."""
    group = api_version.rpartition("/")[0]
    return "." not in group or group.endswith(".k8s.io")
