"""The guardrails of a gateway: LiteLLMGuardrail objects of its namespace that name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.guardrail import LITELLM_GUARDRAIL, LiteLLMGuardrailSpec
from app.hooks.objects import terminating
from app.proxyconfig.guardrails import Candidate, choose
from app.resources.references import references
from app.status.instance.gateway import GuardrailNote

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.resources.references import Reference

INVALID_SPEC = "InvalidSpec"


@dataclass(frozen=True, slots=True)
class Guardrails:
    """What a gateway makes of them."""

    specs: tuple[LiteLLMGuardrailSpec, ...]
    """Those that are rendered, oldest first."""
    references: tuple[Reference, ...]
    """Secrets and ConfigMaps that those refer to."""
    notes: tuple[GuardrailNote, ...]
    """What became of each object, by name."""


def guardrails_of(request: SyncRequest) -> Guardrails:
    """The guardrails that name this instance; those that are being deleted are gone already."""
    candidates: list[Candidate] = []
    stored: dict[str, Any] = {}
    notes: list[GuardrailNote] = []
    for item in request.related.get(LITELLM_GUARDRAIL.resource.key, {}).values():
        if terminating(item) or _instance(item) != request.name:
            continue
        name = str(item["metadata"]["name"])
        spec = check_spec(LiteLLMGuardrailSpec, item.get("spec"))
        if isinstance(spec, InvalidSpec):
            notes.append(GuardrailNote(name=name, guardrail="", reason=INVALID_SPEC, problem=spec.message))
        else:
            stored[name] = item["spec"]
            candidates.append(Candidate(name, str(item["metadata"].get("creationTimestamp", "")), spec))
    choice = choose(candidates)
    notes += [GuardrailNote(name=one.name, guardrail=one.spec.guardrail_name) for one in choice.rendered]
    notes += [
        GuardrailNote(
            name=one.candidate.name, guardrail=one.candidate.spec.guardrail_name, reason=one.reason, problem=one.message
        )
        for one in choice.refused
    ]
    return Guardrails(
        tuple(one.spec for one in choice.rendered),
        tuple(reference for one in choice.rendered for reference in references(stored[one.name], f"guardrail {one.name} spec")),
        tuple(sorted(notes, key=lambda note: note.name)),
    )


def _instance(item: Object) -> str:
    spec: Any = item.get("spec")
    reference: Any = cast("Object", spec).get("instanceRef") if isinstance(spec, dict) else None
    return str(cast("Object", reference).get("name", "")) if isinstance(reference, dict) else ""
