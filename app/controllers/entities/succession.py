"""A key takes another one's place: its value changed, and alias and spend go over to the new one.

Every step is found again in LiteLLM by whoever goes on after an interruption (:mod:`app.litellm.entities.virtual_key` says
how), also without our status: the older key by the hash in the status, by its alias, or by the alias of heirs, and it counts
only if it has our mark. No key that holds the spend is deleted before another one holds it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.controllers.entities.key_secret import own_values
from app.controllers.entities.setting import agreed, owner_of
from app.controllers.entities.settling import look_up, make
from app.controllers.entities.unsettled import REFUSED, Unsettled
from app.hooks.observed_fields import text_in
from app.litellm.admin.calls import Call
from app.litellm.admin.errors import NotFound, Unnameable
from app.litellm.entities.amounts import plain
from app.litellm.entities.identity import derived_id
from app.litellm.entities.ownership import Claim, claim
from app.litellm.entities.virtual_key import VirtualKey, heir, token_of
from app.status.entity.reasons import NAME_TAKEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
    from app.controllers.context import Context
    from app.controllers.entities.kind import Aim
    from app.controllers.entities.setting import Setting
    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest
    from app.litellm.admin.client import Admin
    from app.litellm.entities.entity import Wanted
    from app.litellm.entities.ownership import Owner
    from app.status.entity.recorded import Recorded

KEY = VirtualKey()


def heir_alias(request: SyncRequest, context: Context) -> str:
    """The alias of a key that waits to take another one's place: one for each object, and known to nobody else."""
    identity = derived_id(context.cluster_id, str(request.parent["kind"]), request.namespace, request.name)
    return f"palena-{identity}"


async def succeed(setting: Setting[LiteLLMVirtualKeySpec], aim: Aim) -> Object:
    """Registers the heir of whatever key went before, and deletes that. Without one before it nothing is done here.

    Raises :class:`~app.litellm.admin.errors.AdminError`, and ``Unsettled`` for an alias that somebody else's key has.
    """
    admin, wanted, known = setting.link.admin, aim.wanted, setting.before.id
    row, archived = await _seen(admin, wanted.id)
    moved = known not in ("", wanted.id)
    waiting = heir_alias(setting.request, setting.context)
    if row is not None:
        settled = not moved and row.get("key_alias") != waiting
        whose = claim(
            KEY.mark_of(row),
            wanted.owner,
            bound=wanted.bound,
            adopting=wanted.adopting,
            adopted=wanted.adopted,
            strict=wanted.strict,
        )
        if settled or whose in (Claim.FOREIGN, Claim.NAMESAKE, Claim.UNCLAIMED):
            return {"currentSpend": plain(row.get("spend"))}
    before = await _before(setting, wanted, waiting, moved=moved)
    if row is None:
        spend = await _register(admin, wanted, waiting, before, archived)
    else:
        spend = row.get("spend")
    for token in before:
        await _deleted(admin, token)
    return {"currentSpend": plain(spend)}


async def leftovers(admin: Admin, request: SyncRequest, before: Recorded, context: Context) -> Iterable[str]:
    """The hashes of every key that a deleted object may have: more than one in the midst of a succession."""
    found = dict.fromkeys([*filter(None, [before.id]), *(token_of(value) for value in own_values(request))])
    if list(found) == [before.id]:
        return found
    alias = text_in(request.parent.get("spec"), "keyAlias")
    for name in (alias, heir_alias(request, context)):
        with suppress(Unnameable):
            row = KEY.found(name, await admin.ask(KEY.find(name))) if name else None
            if row is not None and _of_alias(row, owner_of(request, context), agreed(request)) is Claim.OURS:
                found[row["token"]] = None
    return found


async def _before(setting: Setting[LiteLLMVirtualKeySpec], wanted: Wanted, waiting: str, *, moved: bool) -> dict[str, Object]:
    """Our other keys by hash: the one in the status, the one with the alias, an heir that never came to be."""
    admin, known = setting.link.admin, setting.before
    owner = owner_of(setting.request, setting.context)
    found: dict[str, Object] = {}
    if moved:
        row, _ = await _seen(admin, known.id)
        whose = row and claim(KEY.mark_of(row), owner, bound=True, adopting=False, adopted=known.adopted, strict=wanted.strict)
        if row is not None and whose is Claim.OURS:
            found[known.id] = row
    alias = str(wanted.fields["key_alias"])
    for name in (alias, waiting):
        row = KEY.found(name, await admin.ask(KEY.find(name)))
        if row is None or row["token"] == wanted.id or row["token"] in found:
            continue
        whose = _of_alias(row, owner, setting.agreed)
        if whose is not Claim.OURS:
            of = f", which belongs to {owner.namesake}" if whose is Claim.NAMESAKE else ""
            raise Unsettled(NAME_TAKEN, f"LiteLLM has another key with the alias {name}{of}", REFUSED)
        found[row["token"]] = row
    return found


def _of_alias(row: Object, owner: Owner, agreed: bool) -> Claim:
    """Whose a key is that the alias alone leads to. Of a namesake's nobody can tell whether it is in use: people decide."""
    return claim(KEY.mark_of(row), owner, bound=False, adopting=False, strict=not agreed)


async def _register(admin: Admin, wanted: Wanted, waiting: str, before: dict[str, Object], archived: Object | None) -> float:
    """Makes the heir, if there is anything to inherit; the spend that it begins with."""
    aborted = [token for token, row in before.items() if row.get("key_alias") == waiting]
    for token in aborted:
        if len(before) > len(aborted):
            # The one whose heir it was to be is still there, with the spend.
            await _deleted(admin, token)
            del before[token]
        else:
            # It is all that is left: it makes room for the next heir.
            await admin.ask(Call("POST", "/key/update", body={"key": token, "key_alias": wanted.fields["key_alias"]}))
    spends = [_number(row.get("spend")) for row in before.values()]
    if archived is not None and claim(KEY.mark_of(archived), wanted.owner, bound=wanted.bound, adopting=False) is Claim.OURS:
        spends.append(_number(archived.get("spend")))
    spend = max(spends, default=0.0)
    if before or spend:
        new = heir(wanted, waiting, spend)
        call = KEY.create(new, new.mark())
        await make(admin, replace(call, secrets=(*new.secrets, admin.key)))
    return spend


async def _seen(admin: Admin, token: str) -> tuple[Object | None, Object | None]:
    """The key of that hash, and what is left of one that was deleted."""
    row, answer = await look_up(admin, KEY, token)
    return row, KEY.archived(answer)


async def _deleted(admin: Admin, token: str) -> None:
    with suppress(NotFound):
        await admin.ask(KEY.delete(token))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
