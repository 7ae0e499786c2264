"""Every reason that an entity's conditions ``Ready`` and ``Synced`` share, and those of its other conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.status.entity.password_reasons import PASSWORD_REASONS
from app.status.instance.reasons import INVALID_SPEC as INVALID_SPEC_READY
from app.status.reason import READY, Reason

if TYPE_CHECKING:
    from app.status.reason import Condition, ConditionStatus

SYNCED_TYPE = "Synced"


@dataclass(frozen=True, slots=True)
class EntityReason:
    """One reason of two conditions: ``Synced``, which upstream's tools wait for, and ``Ready``, which everybody's do."""

    ready: Reason
    synced: Reason

    def because(self, message: str) -> tuple[Condition, Condition]:
        """Both conditions with this message."""
        return self.ready.because(message), self.synced.because(message)


def _both(status: ConditionStatus, reason: str, meaning: str, remedy: str, *, passing: bool = False) -> EntityReason:
    return EntityReason(
        Reason(READY, status, reason, meaning, remedy, told_with=SYNCED_TYPE, passing=passing),
        Reason(SYNCED_TYPE, status, reason, meaning, remedy, passing=passing),
    )


SYNCED = _both("True", "Synced", "LiteLLM has accepted everything that the spec asks for.", "Nothing.")
INSTANCE_NOT_READY = _both(
    "False",
    "InstanceNotReady",
    "The LiteLLMInstance that spec.instanceRef names does not exist or is not ready, or its master key cannot be read.",
    "Create the instance, or do what its own conditions say; the object follows by itself.",
)
INSTANCE_NOT_FOUND = _both(
    "False",
    "InstanceNotFound",
    "The LiteLLMInstance that spec.instanceRef names does not exist in this namespace.",
    "Create it, or correct spec.instanceRef.name; the object follows by itself.",
)
REFERENCE_NOT_READY = _both(
    "False",
    "ReferenceNotReady",
    "Another object that the spec refers to does not exist yet, or LiteLLM does not have it yet.",
    "Create the object that the message names, or do what its own conditions say; this one follows by itself.",
)
SECRET_NOT_FOUND = _both(
    "False",
    "SecretNotFound",
    "A Secret that the spec refers to does not exist.",
    "Create the Secret that the message names, in the same namespace.",
)
SECRET_KEY_MISSING = _both(
    "False",
    "SecretKeyMissing",
    "A Secret that the spec refers to lacks the key, or holds nothing usable under it.",
    "Put the value under the key that the message names.",
)
SECRET_FETCH_FAILED = _both(
    "False",
    "SecretFetchFailed",
    "A Secret could not be read from the cluster just now, which does not mean that it is gone.",
    "Wait; if it lasts, see whether Palena may get Secrets in this namespace.",
)
PROXY_NOT_REACHABLE = _both(
    "False",
    "ProxyUnavailable",
    "The proxy did not answer, or its database did not, while the instance is held for ready.",
    "Look at the proxy and its database; the object follows by itself.",
)
MASTER_KEY_REJECTED = _both(
    "False",
    "MasterKeyRejected",
    "The proxy does not take the instance's master key for an admin's.",
    "Make the Secret and the proxy agree: the proxy reads its master key at start.",
)
ENTERPRISE_LICENSE_REQUIRED = _both(
    "False",
    "EnterpriseLicenseRequired",
    "Something in the spec takes a LiteLLM Enterprise licence that the proxy does not have; all else is in LiteLLM.",
    "Give the proxy a licence, or take the fields that the message names out of the spec.",
)
CONFLICT = _both(
    "False",
    "Conflict",
    "LiteLLM has an object of this id that belongs to another cluster or object, or was made by hand; it is left as it is.",
    'Choose another id, delete one of the two, or take the object over with the annotation litellm.palena.ai/adopt: "true".',
)
NAME_TAKEN = _both(
    "False",
    "NameTaken",
    "LiteLLM has another object with the alias, e-mail address or name, which has to be unique.",
    "Choose another one, or delete the other object in LiteLLM; the object follows by itself.",
)
NOT_STORED = _both(
    "False",
    "NotStored",
    "LiteLLM was told of the object and does not keep it.",
    "See that the proxy stores objects in its database: general_settings.store_model_in_db and STORE_MODEL_IN_DB.",
)
AWAITING_STORAGE = _both(
    "False",
    "AwaitingStorage",
    "LiteLLM was told of the object, and has not listed it yet.",
    "Wait: other replicas of the proxy see it after half a minute.",
    passing=True,
)
SYNC_FAILED = _both(
    "False",
    "SyncFailed",
    "LiteLLM refused the request, or failed at it; the message has its words.",
    "Correct the field that LiteLLM complains about, or look at the proxy's log.",
)
API_ERROR = _both(
    "False",
    "APIError",
    "LiteLLM refused the request, or failed at it; the message has its words.",
    "Correct the field that LiteLLM complains about, or look at the proxy's log.",
)
INVALID_SPEC = EntityReason(
    INVALID_SPEC_READY,
    Reason(
        SYNCED_TYPE,
        "False",
        "InvalidSpec",
        "The stored spec does not satisfy this version's schema or rules; LiteLLM is not told anything.",
        "Correct the field that the message names and apply the object again.",
    ),
)
KEY_PENDING = _both(
    "False",
    "KeyPending",
    "The value of the key is on its way into its Secret; LiteLLM is told of it once it is seen there.",
    "Wait a moment; the object follows by itself.",
    passing=True,
)
KEY_SECRET_NAME_TAKEN = _both(
    "False",
    "KeySecretNameTaken",
    "A Secret that is not this object's has the name under which the key is to be handed over; it is left as it is.",
    "Choose another spec.keySecretName, or delete that Secret; the object follows by itself.",
)
KEY_VALUE_INVALID = _both(
    "False",
    "KeyValueInvalid",
    "The Secret holds a value that LiteLLM does not take for a key; what was registered before stays as it is.",
    'Put a value there that begins with "sk-" and has 16 characters or more, or delete the Secret to get a new one.',
)
EXPIRED = EntityReason(
    Reason(
        READY,
        "False",
        "Expired",
        "The time in spec.expiresAt has passed: LiteLLM refuses the key.",
        "Set a later spec.expiresAt, or delete the object.",
    ),
    SYNCED.synced,
)
DELETION_PENDING = _both(
    "False",
    "DeletionPending",
    "The object is being deleted here, and LiteLLM could not be told yet.",
    "Wait: after two minutes the deletion ends here, and what is left in LiteLLM is told in Palena's log.",
    passing=True,
)

CANNOT_CLEAR = Reason(
    "FieldsCleared",
    "False",
    "CannotClear",
    "A field was taken out of the spec, and LiteLLM has no way to clear it without losing something.",
    "Set the field to the value that it should have, or change it in LiteLLM.",
    attention=True,
)
FIELDS_IGNORED = Reason(
    "FieldsApplied",
    "False",
    "FieldsIgnored",
    "LiteLLM's API has no place for a field of the spec, so it has no effect.",
    "Take the field out of the spec.",
    attention=True,
)
ID_CHANGED = Reason(
    "IdentityKept",
    "False",
    "IdChanged",
    "The id in the spec was changed after the object was bound to another, which it keeps.",
    "Put the old id back, or delete this object and create it anew under the new id.",
    attention=True,
)
KEY_SECRET_NOT_OWNED = Reason(
    "KeySecretOwned",
    "False",
    "KeySecretNotOwned",
    "The key's value is in a Secret that is not this object's; it is used, and neither changed nor deleted.",
    "Hand the Secret over by the label that the message names, or copy its value elsewhere and delete it, which makes a new key.",
    attention=True,
)
LEFT_BEHIND = Reason(
    "FormerInstanceCleared",
    "False",
    "LeftBehind",
    "spec.instanceRef named another LiteLLMInstance before: what LiteLLM has there of the object stays, and a key works on.",
    "Delete it in LiteLLM there. The condition goes with the next edit of the spec.",
    attention=True,
)
MEMBERSHIP_REFUSED = Reason(
    "MembershipsApplied",
    "False",
    "MembershipRefused",
    "A team that the user's spec names decides on its members alone and does not list the user, who is therefore not added.",
    "List the user's e-mail address in the team's spec.members, or take the team out of the user's spec.teams.",
    attention=True,
)
ADOPTED = Reason(
    "Adopted",
    "True",
    "ExistedBefore",
    "The object was in LiteLLM before and is now kept as the spec says; it stays in LiteLLM when this one is deleted.",
    "Nothing.",
)

SHARED = (
    SYNCED,
    INSTANCE_NOT_READY,
    INSTANCE_NOT_FOUND,
    REFERENCE_NOT_READY,
    SECRET_NOT_FOUND,
    SECRET_KEY_MISSING,
    SECRET_FETCH_FAILED,
    PROXY_NOT_REACHABLE,
    MASTER_KEY_REJECTED,
    ENTERPRISE_LICENSE_REQUIRED,
    CONFLICT,
    NAME_TAKEN,
    NOT_STORED,
    AWAITING_STORAGE,
    SYNC_FAILED,
    API_ERROR,
    KEY_PENDING,
    KEY_SECRET_NAME_TAKEN,
    KEY_VALUE_INVALID,
    DELETION_PENDING,
)

ENTITY_REASONS: tuple[Reason, ...] = (
    *(one.synced for one in SHARED),
    *(one.ready for one in SHARED),
    INVALID_SPEC.synced,
    EXPIRED.ready,
    KEY_SECRET_NOT_OWNED,
    CANNOT_CLEAR,
    FIELDS_IGNORED,
    ID_CHANGED,
    LEFT_BEHIND,
    MEMBERSHIP_REFUSED,
    *PASSWORD_REASONS,
    ADOPTED,
)
"""All of them but ``Ready=False/InvalidSpec``, which every kind has."""
