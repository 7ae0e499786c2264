"""What hooks have at hand beside their request: a clock and the clients of other systems."""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.controllers.config_sync.remembered import Comparisons
from app.controllers.unapplied import Unapplied
from app.kube.cluster_reader import cluster_reader
from app.kube.reader import NoReader
from app.litellm.addresses import AllowRules
from app.litellm.admin.client import AdminClient
from app.litellm.admin.model_health import ModelHealth
from app.litellm.allowance import Unmetered
from app.litellm.drifts import Drifts
from app.litellm.probe import Prober
from app.litellm.snapshots import Snapshots
from app.litellm.transport import JudgedTransport, Resolver

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.kube.reader import Reader
    from app.litellm.trust import Trust
    from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Given to every sync and finalize. Tests and simulations make their own, with a clock and transports of theirs."""

    now: Callable[[], datetime]
    prober: Prober
    entropy: Callable[[int], bytes] = secrets.token_bytes
    """So many random bytes, for the keys and passwords that are made up."""
    reader: Reader = field(default_factory=NoReader)
    """For what is two references away from a parent."""
    unapplied: Unapplied = field(default_factory=Unapplied)
    """What was answered and does not come to be."""
    optional_apis: frozenset[str] = frozenset()
    """API groups whose add-ons are installed."""
    admin: AdminClient = field(default_factory=AdminClient.nowhere)
    """The admin API of proxies."""
    model_health: ModelHealth = field(default_factory=ModelHealth)
    """What proxies know of their models' health."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    """What proxies have, for config sync."""
    comparisons: Comparisons = field(default_factory=Comparisons)
    """What came of them for instances."""
    drifts: Drifts = field(default_factory=Drifts)
    """What config sync had LiteLLM told again."""
    cluster_id: str = "default"
    """Part of every derived id and ownership mark."""
    left_behind: Callable[[str], None] = lambda kind: None
    """Told the kind of each object that is gone here and may be left in LiteLLM."""
    changed: Callable[[str, str], None] = lambda kind, change: None
    """Told what config sync did to an object of LiteLLM, with the kind of its custom resource."""
    openshift: bool = False
    """Whether ``platform: auto`` means OpenShift here."""

    @classmethod
    def of_service(cls, settings: Settings) -> Context:
        """The real one. Raises :class:`~app.litellm.addresses.AllowRuleError` for a rule that cannot be read."""
        allow = AllowRules.parse(settings.endpoint_allow)
        resolve = Resolver()

        def transport(trust: Trust) -> JudgedTransport:
            return JudgedTransport(trust, allow, resolve)

        def pooled(trust: Trust) -> JudgedTransport:
            return JudgedTransport(trust, allow, resolve, Unmetered())

        prober = Prober(transport, time.monotonic)
        return cls(
            now=lambda: datetime.now(UTC),
            prober=prober,
            admin=AdminClient(pooled, time.monotonic, prober.doubt),
            cluster_id=settings.cluster_id,
            reader=cluster_reader(os.environ, time.monotonic),
            optional_apis=settings.optional_apis,
            openshift=settings.platform == "openshift",
        )

    async def aclose(self) -> None:
        """Ends what is under way."""
        await self.snapshots.aclose()
        await self.admin.aclose()
        await self.prober.aclose()
        await self.reader.aclose()
