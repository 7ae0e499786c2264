"""What ``palena lint`` looks at, a module a check.

Each object is looked at as the API server would, then with the others of the files, then as this release would answer it.
Kinds that Palena does not define may be anything that lies in the same folder: they are looked at for their names, their
metadata, and for what could not even be decoded.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from app.apis.litellm.instance import LITELLM_INSTANCE
from app.cli.checks.answers import answer_warnings
from app.cli.checks.finding import Finding, Severity
from app.cli.checks.folder import Folder, identity, namespace_of
from app.cli.checks.kinds import SERVED, unserved
from app.cli.checks.patches import patch_errors
from app.cli.checks.references import elsewhere_warnings, key_warnings, references
from app.cli.checks.refusals import foreign_refusals, refusals
from app.cli.checks.same_names import same_name_warnings
from app.hooks.objects import resource_key
from app.hooks.observed_fields import object_in
from app.resources.kinds import SECRET
from app.sim.cluster import ApiError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.cli.files import Manifest
    from app.hooks.objects import Object
    from app.sim.simulation import Simulation

__all__ = ["Finding", "Severity", "findings"]


async def findings(manifests: Sequence[Manifest], simulation: Simulation) -> list[Finding]:
    """Everything found, in the order of the files. The simulation has no objects yet, and gets those that pass."""
    folder = Folder(manifests)
    errors = [await _errors(manifest, folder, simulation) for manifest in manifests]
    await _have_secrets(
        [manifest.item for manifest, wrong in zip(manifests, errors, strict=True) if not wrong], folder, simulation
    )
    synced, shared = await _synced(simulation), same_name_warnings(folder)
    found: list[Finding] = []
    for manifest, messages in zip(manifests, errors, strict=True):
        found += [Finding(manifest.origin, str(manifest), Severity.ERROR, message) for message in messages]
        if folder.first(manifest.item) is manifest:
            known = identity(manifest.item)
            found += _warnings(manifest, folder, synced.get(known), shared.get(known, ()))
    return found


async def _errors(manifest: Manifest, folder: Folder, simulation: Simulation) -> list[str]:
    item = manifest.item
    first = folder.first(item)
    if first is not manifest:
        twice = f"another version of this object is in {first.origin}; only one of them can last"
        return [twice] if first.item != item else []
    if (kind := SERVED.get(resource_key(item))) is not None:
        return [*await refusals(item, kind, simulation), *patch_errors(item)]
    if refusal := unserved(item, folder.definitions):
        return [refusal]
    return foreign_refusals(item)


def _warnings(manifest: Manifest, folder: Folder, synced: Object | None, shared: Iterable[str]) -> Iterator[Finding]:
    item = manifest.item
    if resource_key(item) not in SERVED:
        return
    for message in key_warnings(item, folder):
        yield Finding(manifest.origin, str(manifest), Severity.WARNING, message)
    for message in elsewhere_warnings(item, folder):
        yield Finding(manifest.origin, str(manifest), Severity.WARNING, message, strict=False)
    for message in [*(answer_warnings(synced) if synced else ()), *shared]:
        yield Finding(manifest.origin, str(manifest), Severity.WARNING, message)


async def _have_secrets(items: Sequence[Object], folder: Folder, simulation: Simulation) -> None:
    """Let the hooks see the Secrets of the files: a licence among them decides what enterprise settings do.

    Master keys that are in none of them are imagined, or what names the instance would wait and not be looked at.
    """
    imagined = [
        {
            "apiVersion": SECRET.api_version,
            "kind": SECRET.kind,
            "metadata": {"name": one.name, "namespace": namespace_of(item)},
            "stringData": {one.key: "sk-imagined"},
        }
        for item in items
        if resource_key(item) == LITELLM_INSTANCE.resource.key
        for one in references(object_in(object_in(item, "spec"), "masterKey"), "spec.masterKey")
        if folder.find(SECRET.key, namespace_of(item), one.name) is None
    ]
    for item in [*items, *imagined]:
        if resource_key(item) == SECRET.key:
            # Nobody asked whether the API server takes it.
            with suppress(ApiError):
                await simulation.apply([item])


async def _synced(simulation: Simulation) -> dict[tuple[str, str], Object]:
    """The objects that passed, with the status that the hooks give them."""
    # Not simulation.converge: that looks at all objects after each pass, and a folder may have many.
    await simulation.loop.run_until_quiet()
    return {identity(item): item for item in await simulation.objects()}
