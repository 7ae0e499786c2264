"""Names, labels and annotations that the API server accepts.

One bad label stops Metacontroller's whole pass for a parent, so they are judged before an answer leaves. The problems
repeat keys, never values.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast

from app.hooks.field_path import field_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.hooks.objects import Object

_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = re.compile(rf"{_LABEL}(\.{_LABEL})*", re.ASCII)
_SERVICE = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_PATH_SEGMENT = re.compile(r"(?!\.\.?$)[^/%]+", re.ASCII)
_QUALIFIED = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?", re.ASCII)

_NAMES: dict[str, tuple[int, re.Pattern[str], str]] = {
    "Service.v1": (63, _SERVICE, "a DNS label that starts with a letter"),
    "Namespace.v1": (63, re.compile(_LABEL, re.ASCII), "a DNS label"),
    # Its name becomes a label of its pods.
    "Job.batch/v1": (63, _SUBDOMAIN, "a DNS subdomain"),
    "CronJob.batch/v1": (52, _SUBDOMAIN, "a DNS subdomain"),
    **{
        f"{kind}.rbac.authorization.k8s.io/v1": (253, _PATH_SEGMENT, "a path segment")
        for kind in ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding")
    },
}
_ANY_NAME = (253, _SUBDOMAIN, "a DNS subdomain")
_DATA_KEY = re.compile(r"(?!\.\.|\.$)[-._a-zA-Z0-9]{1,253}", re.ASCII)


def name_problem(key: str, name: object) -> str:
    """Why ``name`` is none for the kind ``<Kind>.<apiVersion>``; empty if it is one."""
    longest, form, words = _NAMES.get(key, _ANY_NAME)
    if not isinstance(name, str) or not form.fullmatch(name):
        return f"must be {words}"
    return f"is longer than {longest} characters" if len(name) > longest else ""


def reference_problem(name: object) -> str:
    """Why no Secret or ConfigMap can be called so; empty where one can."""
    return name_problem("", name) if name else "must be given"


def data_key_problem(key: object) -> str:
    """Why no Secret or ConfigMap can have such a key; empty where one can."""
    if isinstance(key, str) and _DATA_KEY.fullmatch(key):
        return ""
    return "must consist of letters, digits, '-', '_' or '.'" if key else "must be given"


def fitted(name: str, longest: int) -> str:
    """``name``; where it is longer, its head and a digest of the whole, so that it stays stable and distinct."""
    if len(name) <= longest:
        return name
    return f"{name[: longest - 9].rstrip('-.')}-{_digest(name)}"


def dns_label(name: str) -> str:
    """``name`` as a Service may be called: itself where that is legal, else made legal and distinct by a digest."""
    if _SERVICE.fullmatch(name) and len(name) <= 63:
        return name
    legal = name.replace(".", "-")
    return f"{(legal if legal[:1].isalpha() else f's-{legal}')[:54].rstrip('-')}-{_digest(name)}"


def _digest(name: str) -> str:
    return sha256(name.encode()).hexdigest()[:8]


def label_problems(metadata: Object) -> Iterator[tuple[str, str]]:
    """Field and problem of each label and annotation that the API server refuses."""
    yield from _entries(metadata, "labels", label_key_problem, _label_value_problem)
    yield from _entries(metadata, "annotations", annotation_key_problem, lambda value: "")


def _entries(
    metadata: Object, field: str, key_problem: Callable[[str], str], value_problem: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    path = f"metadata.{field}"
    entries = metadata.get(field, {})
    if not isinstance(entries, dict):
        yield path, "must be a map of strings"
        return
    for key, value in cast("dict[str, Any]", entries).items():
        problem = key_problem(key) or (value_problem(value) if isinstance(value, str) else "must be a string")
        if problem:
            yield field_path(path, key), problem


def annotation_key_problem(key: str) -> str:
    """Why no annotation can have such a key; empty where one can. In front of the slash it may have capitals, unlike a label."""
    prefix, slash, name = key.rpartition("/")
    return label_key_problem(f"{prefix.lower()}{slash}{name}")


def label_key_problem(key: str) -> str:
    """Why no label can have such a key; empty where one can."""
    prefix, slash, name = key.rpartition("/")
    if slash and (len(prefix) > 253 or not _SUBDOMAIN.fullmatch(prefix)):
        return "has a prefix that is no DNS subdomain"
    return "" if len(name) <= 63 and _QUALIFIED.fullmatch(name) else "has a key that is no qualified name of 63 characters"


def _label_value_problem(value: str) -> str:
    return "" if not value or (len(value) <= 63 and _QUALIFIED.fullmatch(value)) else "is no label value of 63 characters"
