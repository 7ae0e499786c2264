"""The guardrails of a gateway: LiteLLMGuardrail objects of its namespace that name it.

One that served, and was then edited into something that cannot be used, is served as it last was: a slip must not switch a
check off. What it was is recorded on the ConfigMap beside the configuration that it is part of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import orjson

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL, LiteLLMGuardrailSpec
from app.hooks.objects import annotations_of, terminating
from app.hooks.observed_fields import object_in, text_in
from app.proxyconfig.guardrails import Candidate, choose, entry, flaw
from app.proxyconfig.text import guardrails_in
from app.resources import names
from app.resources.config_map import CONFIG_FILE, GUARDRAILS
from app.resources.kinds import CONFIG_MAP
from app.resources.references import references
from app.status.instance.gateway import GuardrailNote
from app.status.instance.reasons import INVALID_SPEC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.resources.references import Reference


@dataclass(frozen=True, slots=True)
class Guardrails:
    """What a gateway makes of them."""

    specs: Mapping[str, LiteLLMGuardrailSpec]
    """Those that are rendered by name of their objects, oldest first."""
    references: tuple[Reference, ...]
    """Secrets and ConfigMaps that those refer to."""
    record: str
    """Those specs as JSON, by name of their objects; empty without any."""
    notes: tuple[GuardrailNote, ...]
    """What became of each object, by name."""


_NONE = Guardrails(specs={}, references=(), record="", notes=())


@dataclass(frozen=True, slots=True)
class _Checked:
    """An object with what can be made of it."""

    name: str
    created: str
    stored: Any
    """The spec as it is stored: the object's own, or the recorded one in its place."""
    spec: LiteLLMGuardrailSpec | None
    """The same as its model; None where there is nothing to render."""
    reason: str = ""
    problem: str = ""
    """Why the object's own spec cannot be used."""


def guardrails_of(request: SyncRequest) -> Guardrails:
    """The guardrails that name this instance; those that are being deleted are gone already."""
    own = list(_own(request))
    if not own:
        return _NONE
    record = _record(request)
    checked = {str(item["metadata"]["name"]): _checked(item, record) for item in own}
    choice = choose(Candidate(one.name, one.created, one.spec) for one in checked.values() if one.spec is not None)
    stored = {one.name: checked[one.name].stored for one in choice.rendered}
    rendered = [
        GuardrailNote(
            name=one.name,
            guardrail=one.spec.guardrail_name,
            reason=checked[one.name].reason,
            problem=checked[one.name].problem,
            served=True,
        )
        for one in choice.rendered
    ]
    refused = [
        GuardrailNote(
            name=one.candidate.name, guardrail=one.candidate.spec.guardrail_name, reason=one.reason, problem=one.message
        )
        for one in choice.refused
    ]
    unread = [
        GuardrailNote(name=one.name, guardrail="", reason=one.reason, problem=one.problem)
        for one in checked.values()
        if one.spec is None
    ]
    return Guardrails(
        specs={one.name: one.spec for one in choice.rendered},
        references=tuple(reference for name in stored for reference in references(stored[name], f"guardrail {name} spec")),
        record=orjson.dumps(stored, option=orjson.OPT_SORT_KEYS).decode() if stored else "",
        notes=tuple(sorted((*rendered, *refused, *unread), key=lambda note: note.name)),
    )


def with_ignored(guardrails: Guardrails, ignored: Iterable[tuple[str, ...]]) -> Guardrails:
    """The same, told which variables the proxy has otherwise; ``ignored`` is in the order of ``specs``."""
    names_of = dict(zip(guardrails.specs, ignored, strict=True))
    notes = (replace(note, ignored=names_of.get(note.name, ())) for note in guardrails.notes)
    return replace(guardrails, notes=tuple(notes))


def as_configured(guardrails: Guardrails, config: Object | None) -> Guardrails:
    """The same beside a ConfigMap that stays, or came back, in place of theirs: those alone are served that it has like this."""
    there = guardrails_in(str(config["data"].get(CONFIG_FILE, ""))) if config is not None and "data" in config else []
    served = {name for name, spec in guardrails.specs.items() if entry(spec) in there}
    notes = (replace(note, served=note.served and note.name in served) for note in guardrails.notes)
    return replace(guardrails, notes=tuple(notes))


def _own(request: SyncRequest) -> Iterator[Object]:
    for item in request.related.of(LITELLM_GUARDRAIL.resource):
        if not terminating(item) and _instance(item.get("spec")) == request.name:
            yield item


def _checked(item: Object, record: Object) -> _Checked:
    """The object as it is, else as it is recorded, else as it is for the choice to refuse it."""
    name, created = str(item["metadata"]["name"]), str(item["metadata"].get("creationTimestamp", ""))
    stored = item.get("spec")
    spec = check_spec(LiteLLMGuardrailSpec, stored)
    reason, problem = (INVALID_SPEC.reason, spec.message) if isinstance(spec, InvalidSpec) else flaw(spec) or ("", "")
    if problem:
        last = check_spec(LiteLLMGuardrailSpec, record.get(name))
        if not isinstance(last, InvalidSpec) and flaw(last) is None:
            return _Checked(name, created, record[name], last, reason, problem)
    return _Checked(name, created, stored, None if isinstance(spec, InvalidSpec) else spec, reason, problem)


def _record(request: SyncRequest) -> Object:
    """The specs that the observed configuration was made of, by name of their objects."""
    config = request.children.find(CONFIG_MAP, request.namespace, names.config(request.name))
    text: Any = annotations_of(config).get(GUARDRAILS) if config is not None else None
    try:
        record: Any = orjson.loads(text) if isinstance(text, str) else None
    except orjson.JSONDecodeError:
        record = None
    return cast("Object", record) if isinstance(record, dict) else {}


def _instance(spec: Any) -> str:
    return text_in(object_in(spec, "instanceRef"), "name")
