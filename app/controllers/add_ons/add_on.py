"""What all add-ons do: attach what the spec asks for, keep what is there where that is not known, and leave others' objects be.

Not here: status, which only the instance's own controller writes, and kinds that it owns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LITELLM_INSTANCE, LiteLLMInstanceSpec
from app.controllers.attaching import outcomes
from app.controllers.taken_names import holder, noted
from app.hooks.controller import ChildRule, DecoratorController, Update
from app.hooks.names import name_problem
from app.hooks.objects import terminating
from app.hooks.replay import replay, replay_all
from app.hooks.response import CustomizeResponse, DecoratorResponse, RelatedRule
from app.resources.attachments import of_api
from app.resources.gateway import Gateway
from app.status.instance.gateway import ChildProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.hooks.objects import Object, Resource
    from app.hooks.request import CustomizeRequest, SyncRequest
    from app.hooks.response import Retained
    from app.resources.attachments import Attachment
    from app.resources.gateway import SecretKey

    Authority = Callable[[SyncRequest, LiteLLMInstanceSpec], SecretKey | None]
    """Where the authority of the proxy's own certificate is."""


def add_on(
    name: str,
    api: str,
    *,
    subresources: tuple[str, ...] = (),
    secrets: Callable[[CustomizeRequest], tuple[RelatedRule, ...]] | None = None,
    authority: Authority | None = None,
    looks_at: tuple[Resource, ...] = (),
) -> DecoratorController[Any]:
    """The declaration of the add-on for one API group.

    ``looks_at`` are the kinds that ``secrets`` asks for; ``subresources`` must be writable for what it attaches.
    """
    attachments = of_api(api)
    rules = tuple(ChildRule(one.resource, Update.IN_PLACE, subresources) for one in attachments)

    def sync(request: SyncRequest, _: Any) -> DecoratorResponse:
        return attach(request, api, attachments, authority)

    def customize(request: CustomizeRequest) -> CustomizeResponse:
        return CustomizeResponse(related=[*own_names(request, attachments), *(secrets(request) if secrets else ())])

    return DecoratorController(
        name=f"{LITELLM_INSTANCE.resource.plural}-{name}",
        target=LITELLM_INSTANCE.resource,
        attachments=rules,
        optional_api=api,
        related=(*(one.resource for one in attachments), *looks_at),
        sync=sync,
        customize=customize,
    )


def own_names(request: CustomizeRequest, attachments: Sequence[Attachment]) -> Iterator[RelatedRule]:
    """Whatever holds the names of the attachments: an object of somebody else is never answered."""
    for attachment in attachments:
        names = tuple(name for name in attachment.names(request.name) if not name_problem("", name))
        if names:
            yield RelatedRule(resource=attachment.resource, namespace=request.namespace, names=names)


def attach(request: SyncRequest, api: str, attachments: Sequence[Attachment], authority: Authority | None) -> DecoratorResponse:
    """What the spec asks for. Under an instance that is not managed, or cannot be read, everything stays as it is."""
    spec = check_spec(LiteLLMInstanceSpec, request.parent.get("spec"))
    if isinstance(spec, InvalidSpec) or (spec.workload is not None and not spec.workload.managed):
        return DecoratorResponse(attachments=[], retained=replay_all(request.children))
    gateway = Gateway(
        name=request.name,
        namespace=request.namespace,
        spec=spec,
        certificate_authority=authority(request, spec) if authority else None,
    )
    attached: list[Object] = []
    retained: list[Retained] = []
    taken: list[ChildProblem] = []
    for attachment in attachments:
        for name, outcome in outcomes(gateway, attachment) if _installed(request, attachment) else ():
            observed = request.children.find(attachment.resource, request.namespace, name)
            if (held := holder(request, attachment.resource, name)) is not None:
                taken.append(held)
            elif not isinstance(outcome, ChildProblem):
                attached.append(outcome)
            elif observed is not None and not terminating(observed):
                retained.append(replay(observed))
    return DecoratorResponse(attachments=attached, retained=retained, annotations=noted(api, taken, request.parent))


def _installed(request: SyncRequest, attachment: Attachment) -> bool:
    return attachment.resource.key in request.watched({attachment.resource.key: attachment.resource})
