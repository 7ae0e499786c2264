"""Finds an object of ours under an id that nobody remembers: the status that had it was lost, and nothing else tells the id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.controllers.entities.setting import owner_of
from app.controllers.entities.unsettled import of_failure
from app.litellm.admin.errors import AdminError

if TYPE_CHECKING:
    from app.controllers.entities.setting import Setting
    from app.litellm.entities.organization import Organization
    from app.litellm.entities.team import Team


async def lost_id(setting: Setting[Any], entity: Organization | Team, alias: str) -> str:
    """The id of what has the alias and our mark; empty if there is none, or the status or the spec tells the id.

    Raises :class:`~app.controllers.entities.unsettled.Unsettled`.
    """
    if setting.before.id or setting.chosen:
        return ""
    try:
        listed = await setting.link.admin.ask(entity.find(alias))
        return entity.found(owner_of(setting.request, setting.context), listed)
    except AdminError as error:
        raise of_failure(error) from error
