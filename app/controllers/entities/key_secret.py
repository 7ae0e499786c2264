"""Where the value of a virtual key is, and which Secrets are answered so that it is never lost.

A value that is there never changes: the registered one counts, else the first. One that was emptied comes back from what was
applied last. A fresh one is made only where no Secret of ours has any, and is used once it is observed.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.controllers.taken_names import holder, is_ours
from app.hooks.observed_fields import object_in, text_in
from app.hooks.replay import replay
from app.litellm.entities.virtual_key import token_of
from app.resources.errors import Unbuildable
from app.resources.key_secret import API_KEY, KEYS, key_secret, key_secret_name
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
    from app.controllers.context import Context
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest

SHORTEST = 16
"""Characters; newer releases take no shorter value."""

LONGEST = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What is observed of a key's value."""

    request: SyncRequest
    spec: LiteLLMVirtualKeySpec
    name: str
    """Of the Secret that is to have it."""
    value: str
    """Empty where none is known."""
    place: str
    """Name of the Secret in which it was seen; empty for one that is on its way."""
    own: tuple[Object, ...]
    """Our Secrets, whatever their names."""
    other: Object | None
    """The Secret of that name as it is known beside our own: related, or read just now."""
    taken: str
    """Who else has the name, as a sentence; empty if nobody has."""
    registered: bool
    """Whether the value is the one that LiteLLM was told."""

    @property
    def foreign(self) -> bool:
        """Whether the Secret of that name is somebody else's and has the registered value."""
        return bool(self.taken) and self.place == self.name

    @property
    def key(self) -> str:
        """Where in its Secret the value is."""
        return API_KEY if not self.foreign or self._has(API_KEY) else KEYS[1]

    def children(self, value: str) -> tuple[Object, ...]:
        """The Secrets to answer, all with this value. Raises :class:`~app.resources.errors.Unbuildable`."""
        if self.foreign:
            return ()
        names = [str(secret["metadata"]["name"]) for secret in self.own]
        if self.taken:
            wanted = names
        elif self.place == self.name:
            wanted = [self.name]
        else:
            # The value is not seen under the name yet: until it is, the old Secret stays.
            wanted = [self.name, *(name for name in names if name != self.name)]
        return tuple(key_secret(self.spec, self.request.namespace, name, value) for name in wanted)

    def _has(self, key: str) -> bool:
        return self.other is not None and bool(_decoded(self.other).get(key))


def held(request: SyncRequest, spec: LiteLLMVirtualKeySpec, found: Object | None = None) -> Held:
    """What is observed. ``found`` is the Secret of that name as it was read just now, and counts before what was observed.

    Raises :class:`~app.resources.errors.Unbuildable` for a name that is none.
    """
    token, before = _recorded(request)
    name = key_secret_name(spec, request.name)
    own = {str(secret["metadata"]["name"]): secret for secret in request.children.groups.get(SECRET.key, {}).values()}
    other = found or request.related.find(SECRET, request.namespace, name)
    taken = ""
    if other is not None and (found is not None or name not in own):
        own.pop(name, None)
        if is_ours(other, request.uid):
            own[name] = other
        else:
            problem = holder(request, SECRET, name)
            taken = problem.message if problem else f"Secret {name} exists already and is left untouched"
    value, place = _value(name, own, token)
    if taken and other is not None and (known := _registered(other, token)):
        value, place = known, name
    if not value and before != name:
        # The Go operator's, which never was ours.
        last = request.related.find(SECRET, request.namespace, before)
        if last is not None and (known := _registered(last, token)):
            value, place = known, before
    return Held(
        request=request,
        spec=spec,
        name=name,
        value=value,
        place=place,
        own=tuple(own.values()),
        other=other,
        taken=taken,
        registered=bool(value) and token_of(value) == token,
    )


def observed_children(request: SyncRequest, spec: LiteLLMVirtualKeySpec) -> tuple[Object, ...] | None:
    """What is answered while something else is missing: what is there, with its values. None where that is to stay as it is.

    No value is made up here: nobody has looked whether the cluster has one.
    """
    try:
        here = held(request, spec)
        if not here.own:
            return ()
        return here.children(here.value) if here.value else None
    except Unbuildable:
        return None


def own_values(request: SyncRequest) -> tuple[str, ...]:
    """Every value in our Secrets."""
    return tuple(
        value for secret in request.children.groups.get(SECRET.key, {}).values() for value in dict.fromkeys(_present(secret))
    )


def fresh_value(context: Context) -> str:
    """A key that nobody knows."""
    return f"sk-{context.entropy(32).hex()}"


def is_usable(value: str) -> bool:
    """Whether LiteLLM takes the value for a key, and clients can send it in a header."""
    return (
        value.startswith("sk-")
        and SHORTEST <= len(value) <= LONGEST
        and value.isascii()
        and value.isprintable()
        and " " not in value
    )


def last_name(request: SyncRequest) -> str:
    """The Secret that the status names; empty if it names none."""
    return _recorded(request)[1]


def _recorded(request: SyncRequest) -> tuple[str, str]:
    """Hash of the registered value and name of its Secret, from the status."""
    status = object_in(request.parent, "status")
    return text_in(status, "litellmKeyToken"), text_in(object_in(status, "keySecretRef"), "name")


def _value(name: str, own: dict[str, Object], token: str) -> tuple[str, str]:
    """The value that counts and the Secret in which it was seen; for one that was only applied, no Secret."""
    at = own.get(name)
    others = [(_present(secret), other) for other, secret in own.items() if other != name]
    if at is not None:
        if present := _present(at):
            return _registered_of(present, token) or present[0], name
        if applied := _applied(at):
            return _registered_of(applied, token) or applied[0], ""
    for values, other in others:
        if value := _registered_of(values, token):
            return value, other
    return next(((values[0], other) for values, other in others if values), ("", ""))


def _registered_of(values: Iterable[str], token: str) -> str:
    return next((value for value in values if token_of(value) == token), "")


def _registered(secret: Object, token: str) -> str:
    return _registered_of(_present(secret), token)


def _present(secret: Object) -> list[str]:
    data = _decoded(secret)
    return [data[key] for key in KEYS if data.get(key)]


def _applied(secret: Object) -> list[str]:
    return _present(orjson.loads(replay(secret).body))


def _decoded(secret: Object) -> dict[str, str]:
    data: Any = secret.get("data")
    values: dict[str, str] = {}
    for key, value in cast("Object", data).items() if isinstance(data, dict) else ():
        try:
            values[key] = base64.b64decode(str(value), validate=True).decode().rstrip("\r\n")
        except (binascii.Error, UnicodeDecodeError):
            continue
    return values
