"""What hooks have at hand beside their request: a clock and the clients of other systems."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.litellm.addresses import AllowRules
from app.litellm.probe import Prober
from app.litellm.transport import JudgedTransport, Resolver

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.litellm.trust import Trust
    from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Given to every sync and finalize. Tests and simulations make their own, with a clock and transports of theirs."""

    now: Callable[[], datetime]
    prober: Prober

    @classmethod
    def of_service(cls, settings: Settings) -> Context:
        """The real one. Raises :class:`~app.litellm.addresses.AllowRuleError` for a rule that cannot be read."""
        allow = AllowRules.parse(settings.endpoint_allow)
        resolve = Resolver()

        def transport(trust: Trust) -> JudgedTransport:
            return JudgedTransport(trust, allow, resolve)

        return cls(now=lambda: datetime.now(UTC), prober=Prober(transport, time.monotonic))

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self.prober.aclose()
