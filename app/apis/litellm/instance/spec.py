"""The whole spec of a LiteLLMInstance: its sections, in the order in which they are documented."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from app.apis.core import EnvFromSource, EnvVar, ResourceRequirements, TopologySpreadConstraint, Volume, VolumeMount
from app.apis.litellm.instance.caching import Caching
from app.apis.litellm.instance.config_sync import ConfigSync
from app.apis.litellm.instance.database import Database
from app.apis.litellm.instance.exposure import GatewayHTTPRoute, Ingress, Route, Service
from app.apis.litellm.instance.general import AdminUI, DefaultCustomerBudget, GeneralSettings, LiteLLMSettings
from app.apis.litellm.instance.keys import MasterKey, SaltKey
from app.apis.litellm.instance.machine_auth import JWTAuth, OAuth2Auth
from app.apis.litellm.instance.observability import Callbacks, Logging, Observability
from app.apis.litellm.instance.pass_through import PassThroughEndpoint
from app.apis.litellm.instance.pods import (
    Autoscaling,
    DeploymentMetadata,
    HealthCheck,
    Image,
    PodDisruptionBudget,
    PodScheduling,
    ServiceAccountMetadata,
    Upgrade,
)
from app.apis.litellm.instance.rbac import RBAC
from app.apis.litellm.instance.redis import Redis
from app.apis.litellm.instance.routing import Fallbacks, RouterSettings
from app.apis.litellm.instance.secret_manager import SecretManager
from app.apis.litellm.instance.security import TLS, Security
from app.apis.litellm.instance.sso import SCIM, SSO
from app.apis.litellm.instance.workload import Workload
from app.apis.patches import Patch
from app.apis.rules import Rule
from app.apis.section import Section
from app.apis.types import Int32


class LiteLLMInstanceSpec(Section):
    """What the proxy should be."""

    image: Image | None = None
    workload: Workload | None = None
    replicas: Int32 = 1
    """Number of proxy pods."""
    autoscaling: Autoscaling | None = None
    master_key: MasterKey
    salt_key: SaltKey | None = None
    database: Database
    redis: Redis | None = None
    general_settings: GeneralSettings | None = None
    router_settings: RouterSettings | None = None
    litellm_settings: LiteLLMSettings | None = None
    fallbacks: Fallbacks | None = None
    config_sync: ConfigSync | None = None
    service: Service | None = None
    service_account: ServiceAccountMetadata | None = None
    deployment: DeploymentMetadata | None = None
    pod_scheduling: PodScheduling | None = None
    ingress: Ingress | None = None
    route: Route | None = None
    gateway_http_route: Annotated[GatewayHTTPRoute | None, Field(alias="gatewayHTTPRoute")] = None
    security: Security | None = None
    health_check: HealthCheck | None = None
    resources: ResourceRequirements | None = None
    """Resources of the proxy container."""
    pod_disruption_budget: PodDisruptionBudget | None = None
    topology_spread_constraints: list[TopologySpreadConstraint] | None = None
    """How the proxy's pods are spread over zones and nodes; not those of the migration Job."""
    extra_env_vars: list[EnvVar] | None = None
    """More environment variables of the proxy; they win over those made from this spec."""
    extra_env_from: list[EnvFromSource] | None = None
    """ConfigMaps and Secrets whose keys become environment variables of the proxy."""
    extra_volumes: list[Volume] | None = None
    """More volumes of the proxy's pods."""
    extra_volume_mounts: list[VolumeMount] | None = None
    """Where the proxy container mounts them."""
    callbacks: Callbacks | None = None
    observability: Observability | None = None
    upgrade: Upgrade | None = None
    sso: SSO | None = None
    scim: SCIM | None = None
    jwt_auth: JWTAuth | None = None
    oauth2_auth: OAuth2Auth | None = None
    caching: Caching | None = None
    pass_through_endpoints: list[PassThroughEndpoint] | None = None
    """Routes that the proxy hands on as they are."""
    default_customer_budget: DefaultCustomerBudget | None = None
    secret_manager: SecretManager | None = None
    rbac: RBAC | None = None
    logging: Logging | None = None
    admin_ui: Annotated[AdminUI | None, Field(alias="adminUI")] = None
    tls: TLS | None = None
    patches: list[Patch] | None = None
    """JSON Patches for generated objects, for what this spec has no field for."""

    rules: ClassVar[tuple[Rule[LiteLLMInstanceSpec], ...]] = (
        Rule(
            cel="!has(self.workload) || !has(self.workload.managed) || self.workload.managed || has(self.masterKey.secretRef)",
            message="masterKey.secretRef is required when workload.managed is false",
            holds=lambda spec: spec.workload is None or spec.workload.managed or spec.master_key.secret_ref is not None,
        ),
    )
