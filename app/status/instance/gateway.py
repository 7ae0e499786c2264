"""Everything that is known about a managed gateway in one sync: what its status is decided on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from app.apis.litellm.sighting import UNSEEN, CacheVerdict, Sighting

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.status.instance.pods import PodFault
    from app.status.reason import Reason


class MigrationStage(StrEnum):
    """How far the schema is on its way to what the wanted image needs."""

    SKIPPED = "skipped"
    DATABASE_STARTING = "database starting"
    WAITING = "waiting"
    EARLIER = "earlier"
    """A migration that is not the wanted one is still at work, or its pods are."""
    NOT_STARTED = "not started"
    RUNNING = "running"
    SUSPENDED = "suspended"
    FAILED = "failed"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """The migration of the wanted image."""

    stage: MigrationStage
    about: str = ""
    """Name of the Job or StatefulSet that the stage is about; of an earlier migration also the kind, ``Job gw-migrate-1``."""
    why: str = ""
    """For a failed Job its controller's words, for one that does not start its pod's; for one that waits what it waits for."""
    finished: tuple[str, ...] = ()
    """Digests of what Jobs ran that succeeded, the last one first; kept in status, so that none is run again."""

    @property
    def open_gate(self) -> bool:
        """Whether pods of the wanted image may start."""
        return self.stage in {MigrationStage.SKIPPED, MigrationStage.COMPLETE}


@dataclass(frozen=True, slots=True)
class Hold:
    """Why the pods stay as they are, or are not made yet."""

    why: str
    """What has to come before, as the end of a sentence: ``Secret gw-master-key is stored``."""
    told_by: str = ""
    """The condition type that says what to do; empty where there is nothing to do but wait."""


@dataclass(frozen=True, slots=True)
class Takeover:
    """The Deployment was made by somebody else, and its template is still theirs."""

    generation: int
    """The spec's at which it was taken over."""
    differing: tuple[str, ...] = ()
    """Fields of the template that are held; empty where nothing would change, or the user has agreed."""
    agree: str = ""
    """The command by which the user agrees."""


@dataclass(frozen=True, slots=True)
class ChildProblem:
    """An object that is not as the spec asks for it."""

    child: str
    """``Ingress gw``."""
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardrailNote:
    """What became of a LiteLLMGuardrail that names this instance."""

    name: str
    guardrail: str
    """Its name in LiteLLM; empty where the spec does not even have one."""
    reason: str = ""
    """The reason for which it cannot be used, as its own Ready condition has it."""
    problem: str = ""
    """Why it cannot be used; empty where it can."""
    served: bool = False
    """Whether it is part of the configuration; one with a problem as it last was without."""
    ignored: tuple[str, ...] = ()
    """Variables that it sets and the proxy has otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """The Deployment, as observed, beside what it should be."""

    wanted: int = 0
    """How many pods there should be."""
    replicas: int = 0
    ready: int = 0
    updated: int = 0
    available: int = 0
    version: str = ""
    """Tag of the image that it runs; empty without a Deployment."""
    exists: bool = False
    current: bool = False
    """Whether the Deployment has the wanted pod template and its controller has seen that."""
    stalled: bool = False
    """Whether its controller gave the rollout up."""

    @property
    def complete(self) -> bool:
        """Whether every pod runs the wanted template and serves. Where the old ones go first, there is none for a while."""
        return self.current and self.wanted == self.replicas == self.updated == self.available and not self.stalled


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """The last good pod template runs instead of the wanted one."""

    failed: str
    """Digest of the template that did not become ready."""
    revision: str
    """Name of the ControllerRevision that runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedGateway:
    """Facts, gathered by the controller. Texts are parts of sentences; an empty one means that all is well."""

    endpoint: str
    rollout: Rollout
    migration: Migration
    moving_tag: str = ""
    """The image's tag, where it is one that moves while upgrades are to wait for migrations."""
    hold: Hold | None = None
    rolled_back: RolledBack | None = None
    takeover: Takeover | None = None
    last_successful_revision: str = ""
    problems: tuple[ChildProblem, ...] = ()
    missing: tuple[str, ...] = ()
    """References that lead nowhere: ``Secret lk has no key MASTER (spec.masterKey.secretRef)``."""
    missing_pull_secrets: tuple[str, ...] = ()
    """The same for pulling the image: the kubelet tries without."""
    unreadable: tuple[str, ...] = ()
    guardrails: tuple[GuardrailNote, ...] = ()
    pod_faults: tuple[PodFault, ...] = ()
    kept: tuple[str, ...] = ()
    """Children with data that the spec no longer asks for."""
    sighting: Sighting = UNSEEN
    probe_problem: str = ""
    """Why the proxy cannot be asked at all: its CA, say."""
    redis: bool = False
    redis_behind_cache: bool = False
    cache: CacheVerdict | None = None
    license_secret: str = ""
    enterprise_features: tuple[str, ...] = ()
    """Settings of LiteLLM Enterprise that are on, as ``spec.jwtAuth``."""
    missing_apis: tuple[str, ...] = ()
    """``spec.route (route.openshift.io)``."""
    warnings: tuple[str, ...] = ()
    """Sentences about settings without the effect that they seem to have, or with one that few want."""
    master_key: tuple[str, str, str] | None = None
    """Secret, key and resourceVersion; None without a master key."""
    sections: Object = field(default_factory=dict[str, "object"])
    """The status fields ``sso``, ``scim``, ``secretManager`` and ``backup``, where they have something to say."""
