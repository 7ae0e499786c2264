"""What a LiteLLMCustomer asks for."""

from __future__ import annotations

from app.apis.litellm.object_permission import ObjectPermission
from app.apis.section import Section
from app.apis.types import InstanceRef, Int64


class LiteLLMCustomerSpec(Section):
    """An end user of an application, who has no key of their own."""

    instance_ref: InstanceRef
    customer_id: str
    """Id that requests name in their field user."""
    alias: str | None = None
    """Name to show."""
    max_budget: float | None = None
    """US dollars that may be spent in a period."""
    budget_duration: str | None = None
    """Period after which the spend starts again from 0, such as 24h or 30d."""
    budget_id: str | None = None
    """Id of a budget in LiteLLM that sets the limits, instead of limits here."""
    tpm_limit: Int64 | None = None
    """Tokens per minute."""
    rpm_limit: Int64 | None = None
    """Requests per minute."""
    allowed_model_region: str | None = None
    """Region that models must run in, such as eu."""
    default_model: str | None = None
    """Model that is used where a request of the customer names none."""
    models: list[str] | None = None
    """Models that may be used. LiteLLM 1.81 takes no such list for customers: a condition says that it is ignored there."""
    blocked: bool | None = None
    """Refuse all requests."""
    object_permission: ObjectPermission | None = None
    metadata: dict[str, str] | None = None
    """Notes. LiteLLM keeps none for customers: a condition says that they are ignored."""
