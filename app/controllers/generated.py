"""Secrets whose values are made up: a fresh value goes into a Secret child and nowhere else, and counts once it is observed.

A value that is in use never changes. While the Secret is observed its own value is answered again; one that was emptied
comes back from what was applied last. Only where neither has a value is a new one made, and even then not for a value that
is lost while it is in use. What it locked opens with no other: rows that LiteLLM encrypted with the salt key, or without one
with the master key, and a database's files. And who holds it (clients, an identity provider) knows no other. Such a Secret
or key counts as one that the pods read and that does not exist, so they are kept until somebody restores it.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.hooks.replay import replay
from app.resources import names
from app.resources.cloudnativepg import CNPG_URL_KEY, cnpg_secret
from app.resources.content_digests import has_value
from app.resources.database_url import (
    URL_KEY,
    assembled_url,
    assembled_url_secret,
    missing_parts,
    password_in,
)
from app.resources.errors import Unbuildable
from app.resources.generated_secrets import (
    MASTER_KEY,
    SALT_KEY,
    SCIM_TOKEN,
    master_key,
    salt_key,
    scim_secret,
    scim_token,
    wants_master_key,
    wants_salt_key,
    wants_scim_token,
)
from app.resources.kinds import DEPLOYMENT, SECRET, STATEFUL_SET, VOLUME_CLAIM
from app.resources.managed_database import PASSWORD_KEY, database_secret
from app.resources.references import Reference, references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.resources.gateway import Gateway

    Entropy = Callable[[int], bytes]
    """So many random bytes."""

_BYTES = 32


@dataclass(frozen=True, slots=True)
class GeneratedSecret:
    """A Secret child, and whether what it is for may begin to use it."""

    child: Object
    stored: bool
    """Whether there is nothing to wait for before pods may refer to it: what it is to hold is observed."""

    @property
    def name(self) -> str:
        """Name of the Secret."""
        return str(self.child["metadata"]["name"])

    def brings(self, reference: Reference) -> bool:
        """Whether the Secret or key that is referred to is there once this one is stored."""
        if (reference.kind, reference.name) != (SECRET.kind, self.name):
            return False
        return not reference.key or bool(_data(self.child).get(reference.key))


def generated_secrets(request: SyncRequest, gateway: Gateway, entropy: Entropy) -> tuple[GeneratedSecret, ...]:
    """Every Secret that the spec wants to be made, in the order in which they are wanted."""
    found = (_generated(request, gateway, entropy, *wish) for wish in _wishes(gateway))
    made = [secret for secret in found if secret is not None]
    if (url := assembled(request, gateway)) is not None:
        made.append(_derived(request, assembled_url_secret(gateway, url)))
    return tuple(made)


def needs_assembled_url(request: SyncRequest, cluster: str) -> bool:
    """Whether the Secret of CloudNativePG is there and has no ``uri``."""
    secret = request.related.find(SECRET, request.namespace, cnpg_secret(cluster))
    return secret is not None and not has_value(secret, CNPG_URL_KEY)


def assembled(request: SyncRequest, gateway: Gateway) -> bytes | None:
    """The URL made of the parts in CloudNativePG's Secret; None where it is not wanted, or a part is missing."""
    database = gateway.spec.database.cloudnativepg
    if database is None or not gateway.assembled_database_url:
        return None
    secret = request.related.find(SECRET, request.namespace, cnpg_secret(database.cluster_name))
    return assembled_url(_decoded(secret)) if secret is not None else None


def parts_in_place_of_url(request: SyncRequest, gateway: Gateway, required: Sequence[Reference]) -> list[Reference]:
    """What is required, with the parts that are missing for an assembled URL in place of the Secret that it would be in."""
    database = gateway.spec.database.cloudnativepg
    url = names.database_url(gateway.name)
    if database is None or not gateway.assembled_database_url or all(one.name != url for one in required):
        return list(required)
    name = cnpg_secret(database.cluster_name)
    secret = request.related.find(SECRET, request.namespace, name)
    missing = missing_parts(_decoded(secret)) if secret is not None else []
    parts = [Reference("Secret", name, key, "spec.database.cloudnativepg") for key in missing]
    return [*parts, *(one for one in required if one.name != url)] if parts else list(required)


def without_value(request: SyncRequest, gateway: Gateway) -> Iterator[str]:
    """The names of the Secrets that are made up for a spec and of which no value is observed."""
    for name, key, *_ in _wishes(gateway):
        observed = request.children.find(SECRET, request.namespace, name)
        if observed is None or not (has_value(observed, key) or _kept(observed, key)):
            yield name


def _wishes(gateway: Gateway) -> Iterator[tuple[str, str, bytes, Callable[[Gateway, bytes], Object | None]]]:
    """Name, key, prefix of the value, and builder."""
    if wants_master_key(gateway):
        yield names.master_key(gateway.name), MASTER_KEY, b"sk-", master_key
    if wants_salt_key(gateway):
        yield names.salt_key(gateway.name), SALT_KEY, b"sk-", salt_key
    if wants_scim_token(gateway) and (name := _scim_name(gateway)):
        yield name, SCIM_TOKEN, b"sk-", scim_token
    if database_secret(gateway, b"") is not None:
        yield names.database(gateway.name), PASSWORD_KEY, b"", database_secret


def _scim_name(gateway: Gateway) -> str:
    """Empty where the spec gives a name that is none; the pods, which would read the Secret, are then refused for it."""
    try:
        return scim_secret(gateway)
    except Unbuildable:
        return ""


def _generated(
    request: SyncRequest,
    gateway: Gateway,
    entropy: Entropy,
    name: str,
    key: str,
    prefix: bytes,
    build: Callable[[Gateway, bytes], Object | None],
) -> GeneratedSecret | None:
    """The Secret; as it is where its value is lost and may not be made anew, and then None where nothing is left of it."""
    observed = request.children.find(SECRET, request.namespace, name)
    kept = _kept(observed, key) if observed is not None else b""
    if not kept and _in_use(request, gateway, name):
        return GeneratedSecret(orjson.loads(replay(observed).body), stored=True) if observed is not None else None
    kept = kept or _under_another_name(request, gateway, key)
    built = build(gateway, kept or prefix + entropy(_BYTES).hex().encode())
    if built is None:
        raise AssertionError("a wish is only made for a Secret that is built")
    return _with_what_is_there(observed, built, fresh=not kept)


def _under_another_name(request: SyncRequest, gateway: Gateway, key: str) -> bytes:
    """The value that running pods read from another Secret of ours; empty without one. A new name makes no new value."""
    deployment = request.children.find(DEPLOYMENT, request.namespace, names.deployment(gateway.name))
    read = references(deployment["spec"]["template"]["spec"], "spec") if deployment is not None else ()
    secrets = (
        request.children.find(SECRET, request.namespace, one.name) for one in read if (one.kind, one.key) == ("Secret", key)
    )
    return next((value for secret in secrets if secret is not None and (value := _decoded(secret).get(key))), b"")


def _in_use(request: SyncRequest, gateway: Gateway, name: str) -> bool:
    """Whether something that is observed has the value of that Secret: a database's volume, else running pods."""
    if name == names.database(gateway.name):
        claim = request.children.find(VOLUME_CLAIM, request.namespace, name)
        workload = request.children.find(STATEFUL_SET, request.namespace, names.database_stateful_set(gateway.name))
        return claim is not None and (workload is not None or bool(claim["spec"].get("volumeName")))
    deployment = request.children.find(DEPLOYMENT, request.namespace, names.deployment(gateway.name))
    return deployment is not None and any(
        (one.kind, one.name) == (SECRET.kind, name) for one in references(deployment["spec"]["template"]["spec"], "spec")
    )


def _with_what_is_there(observed: Object | None, built: Object, *, fresh: bool) -> GeneratedSecret:
    """The child with every value that is there already, under keys of others too, and whether all its own are.

    A fresh value brings those that are made of it along: parts of one Secret never disagree.
    """
    if observed is None:
        return GeneratedSecret(built, stored=False)
    own: Object = built["data"]
    present: Object = {key: value for key, value in _data(observed).items() if value}
    return GeneratedSecret(
        {**built, "data": {**present, **own} if fresh else {**own, **present}},
        stored=not fresh and present.keys() >= own.keys(),
    )


def _derived(request: SyncRequest, built: Object) -> GeneratedSecret:
    """A child whose values follow from other Secrets, and so change with them."""
    observed = request.children.find(SECRET, request.namespace, built["metadata"]["name"])
    if observed is None:
        return GeneratedSecret(built, stored=False)
    stored = all(has_value(observed, key) for key in built["data"])
    return GeneratedSecret({**built, "data": {**_data(observed), **built["data"]}}, stored=stored)


def _kept(observed: Object, key: str) -> bytes:
    """The value under a key as it is, else as it was applied last; a database's password also from the URL."""
    present, applied = _decoded(observed), _decoded(orjson.loads(replay(observed).body))
    values = {**applied, **{name: value for name, value in present.items() if value}}
    if not values.get(key) and key == PASSWORD_KEY:
        return password_in(values.get(URL_KEY, b""))
    return values.get(key, b"")


def _decoded(secret: Object) -> dict[str, bytes]:
    values: dict[str, bytes] = {}
    for key, value in _data(secret).items():
        try:
            values[key] = base64.b64decode(str(value), validate=True)
        except binascii.Error:
            continue
    return values


def _data(secret: Object) -> Object:
    data: Any = secret.get("data")
    return cast("Object", data) if isinstance(data, dict) else {}
