"""Every reason that a condition of a managed LiteLLMInstance can have, beside those it shares with attached ones."""

from __future__ import annotations

from app.status.instance.reasons import DATABASE_READY
from app.status.reason import READY, Reason

ROLLOUT_COMPLETE = "RolloutComplete"
PODS_HEALTHY = "PodsHealthy"
REDIS_READY = "RedisReady"
CHILDREN_APPLIED = "ChildrenApplied"
REFERENCES_RESOLVED = "ReferencesResolved"
TEMPLATE_HELD = "TemplateHeld"

ALL_RESOURCES_READY = Reason(
    READY,
    "True",
    "AllResourcesReady",
    "The gateway has a ready pod, answers its health routes, and nothing that the spec asks for is refused or missing.",
    "Nothing.",
)
RECONCILE_ERROR = Reason(
    READY,
    "False",
    "ReconcileError",
    "Something that the spec asks for cannot be applied; what runs is kept as it is.",
    "Do what the condition that the message names says.",
)
DEPLOYMENT_NOT_READY = Reason(
    READY,
    "False",
    "DeploymentNotReady",
    "No pod of the gateway is ready.",
    "See the conditions RolloutComplete and PodsHealthy for what it waits for.",
    passing=True,
)
LIVENESS_PROBE_FAILED = Reason(
    READY,
    "False",
    "LivenessProbeFailed",
    "A pod is ready, but the gateway does not answer its liveliness route at status.endpoint.",
    "Look at the Service, at network policies between Palena and the gateway, and at the proxy's log.",
)
AUTO_ROLLBACK = Reason(
    READY,
    "False",
    "AutoRollback",
    "The pods of the present spec did not become ready in time, so the last good pod template runs again.",
    "Correct the spec; any change of the pod template is tried anew.",
)
MIGRATION_SKIPPED = Reason(
    DATABASE_READY,
    "True",
    "MigrationSkipped",
    "No migration Job is asked for; the proxy migrates its schema itself when it starts.",
    "Nothing; set spec.database.migration to have upgrades wait for a migration Job.",
)
MIGRATION_WAITING = Reason(
    DATABASE_READY,
    "False",
    "MigrationWaiting",
    "The migration Job is not made yet, because something that it needs is missing.",
    "Wait for what the message names, or create it.",
)
MIGRATION_RUNNING = Reason(
    DATABASE_READY,
    "False",
    "MigrationRunning",
    "A migration Job is at work; pods keep the present template until it has ended and the wanted image's has succeeded.",
    "Wait. A Job that never ends is ended at spec.database.migration.timeout.",
    passing=True,
)
MIGRATION_NOT_STARTED = Reason(
    DATABASE_READY,
    "False",
    "MigrationNotStarted",
    "No pod of the migration Job can start; pods keep the present template until it succeeded.",
    "Correct what the message names: most often the image, its pull Secret, or where its pods may run.",
)
MIGRATION_SUSPENDED = Reason(
    DATABASE_READY,
    "False",
    "MigrationSuspended",
    "Somebody suspended the migration Job; pods keep the present template until it succeeded.",
    'Resume the Job (kubectl patch job NAME -p \'{"spec":{"suspend":false}}\'), or delete it to have it made anew.',
)
MIGRATION_COMPLETE = Reason(
    DATABASE_READY,
    "True",
    "MigrationComplete",
    "The migration Job of the wanted image succeeded.",
    "Nothing.",
)
MIGRATION_FAILED = Reason(
    DATABASE_READY,
    "False",
    "MigrationFailed",
    "The migration Job of the wanted image failed; pods keep the present template.",
    "Read the Job's pods' logs, correct the cause, and delete the Job to have it run again, or choose another image.",
)
DATABASE_STARTING = Reason(
    DATABASE_READY,
    "False",
    "DatabaseStarting",
    "The managed database is not ready yet.",
    "Wait; if it lasts, look at the pod of the StatefulSet that the message names.",
    passing=True,
)
UPGRADES_GATED_BY_MOVING_TAG = Reason(
    "UpgradesGated",
    "False",
    "MovingTag",
    "The image's tag is one that moves, so a new image under it is neither noticed nor migrated for.",
    "Pin spec.image.tag to a release.",
)
REDIS_CONFIGURED = Reason(
    REDIS_READY,
    "True",
    "RedisConfigured",
    "The proxy is told of Redis; nothing that Palena can ask about depends on it.",
    "Nothing.",
)
REDIS_CONNECTED = Reason(
    REDIS_READY,
    "True",
    "RedisConnected",
    "The proxy reaches the Redis behind its cache.",
    "Nothing.",
)
REDIS_DISCONNECTED = Reason(
    REDIS_READY,
    "False",
    "RedisDisconnected",
    "The proxy does not reach the Redis behind its cache.",
    "Check spec.redis or spec.caching.redis, the password's Secret, and Redis itself.",
)
REDIS_NOT_CHECKED = Reason(
    REDIS_READY,
    "Unknown",
    "NotChecked",
    "The proxy could not be asked about the Redis behind its cache.",
    "See the Ready condition; without a master key the proxy cannot be asked at all.",
)
ALL_PODS_HEALTHY = Reason(
    PODS_HEALTHY,
    "True",
    "AllPodsHealthy",
    "The gateway has a ready pod.",
    "Nothing.",
)
PODS_NOT_READY = Reason(
    PODS_HEALTHY,
    "False",
    "PodsNotReady",
    "No pod is ready, and none gives a reason.",
    "Wait; the condition RolloutComplete says what the gateway waits for.",
    passing=True,
)
POD_FAULT = Reason(
    PODS_HEALTHY,
    "False",
    "PodFault",
    "No pod is ready; the condition's reason is the one that the first faulty pod gives, such as ImagePullBackOff.",
    "Do what Kubernetes documents for that reason; status.unhealthyPods has the details.",
)
ENTERPRISE_FEATURES = Reason(
    "EnterpriseFeaturesConfigured",
    "True",
    "EnterpriseFeaturesConfigured",
    "The spec uses features of LiteLLM Enterprise, and no licence was found.",
    "Create the Secret <instance>-license with the key license-key, or remove the settings that the message names.",
    attention=True,
)
ROLLED_OUT = Reason(
    ROLLOUT_COMPLETE,
    "True",
    "RolledOut",
    "Every pod runs what the present spec asks for.",
    "Nothing.",
)
ROLLOUT_IN_PROGRESS = Reason(
    ROLLOUT_COMPLETE,
    "False",
    "RolloutInProgress",
    "Pods are being replaced.",
    "Wait.",
    passing=True,
)
ROLLOUT_WAITING = Reason(
    ROLLOUT_COMPLETE,
    "False",
    "Waiting",
    "The pods are not made or changed yet, because something must come before.",
    "Wait; the message names what comes before.",
    passing=True,
)
ROLLOUT_HELD = Reason(
    ROLLOUT_COMPLETE,
    "False",
    "Held",
    "The pods are kept as they are, because what the spec asks for cannot be rolled out.",
    "Do what the condition that the message names says.",
)
ROLLOUT_STALLED = Reason(
    ROLLOUT_COMPLETE,
    "False",
    "ProgressDeadlineExceeded",
    "The new pods did not become ready in time.",
    "Do what the message says of the pod; spec.upgrade.autoRollback returns to the last good pods by itself.",
)
ROLLED_BACK = Reason(
    ROLLOUT_COMPLETE,
    "False",
    "RolledBack",
    "The last good pod template runs instead of the one that the spec asks for.",
    "Correct the spec; any change of the pod template is tried anew.",
)
TAKEN_OVER = Reason(
    TEMPLATE_HELD,
    "True",
    "TakenOver",
    "The Deployment was made by somebody else; its pods run on as they are until you agree that they are replaced.",
    "Edit the spec, or run the command of the message, at a time when pods may be replaced.",
    attention=True,
)
NAME_TAKEN = Reason(
    CHILDREN_APPLIED,
    "False",
    "NameTaken",
    "An object that this instance needs has a name that something else uses; that is left untouched.",
    "Rename this instance, or delete or rename the other object.",
)
CHILD_INVALID = Reason(
    CHILDREN_APPLIED,
    "False",
    "ChildInvalid",
    "A setting of the spec makes an object that Kubernetes would refuse; that object is kept as it was.",
    "Correct the field that the message names.",
)
PATCH_FAILED = Reason(
    CHILDREN_APPLIED,
    "False",
    "PatchFailed",
    "A patch of spec.patches cannot be applied; the object that it is for is kept as it was.",
    "Correct the patch that the message names.",
)
CHILD_NOT_APPLIED = Reason(
    CHILDREN_APPLIED,
    "False",
    "ChildNotApplied",
    "For more than a minute an object is not there, or not as the spec asks for it.",
    "Look for the API server's words in Metacontroller's log, and correct the spec, the quota or the policy that they name.",
)
REFERENCES_MISSING = Reason(
    REFERENCES_RESOLVED,
    "False",
    "ReferenceMissing",
    "A Secret, a ConfigMap or a key that the pods need does not exist; running pods are kept as they are.",
    "Create what the message names; Palena notices by itself.",
)
PULL_SECRET_MISSING = Reason(
    REFERENCES_RESOLVED,
    "False",
    "PullSecretMissing",
    "A Secret for pulling the image does not exist; the kubelet pulls without it.",
    "Create what the message names, or remove it from spec.image.pullSecrets; pods that could not pull try again by themselves.",
)
REFERENCES_UNREADABLE = Reason(
    REFERENCES_RESOLVED,
    "Unknown",
    "ReferenceUnreadable",
    "A Secret that a guardrail names could not be read, so its rotation goes unnoticed for now.",
    "Nothing if it passes; else give the service the right to get Secrets, or have it run in a cluster.",
)
GUARDRAILS_LEFT_OUT = Reason(
    "GuardrailsApplied",
    "False",
    "GuardrailsLeftOut",
    "Guardrails that name this instance cannot be used and are not part of the proxy's configuration.",
    "Correct the LiteLLMGuardrail objects that the message names; status.guardrails has each one's reason.",
)
LAST_GOOD_GUARDRAILS_SERVED = Reason(
    "GuardrailsApplied",
    "False",
    "LastGoodGuardrailsServed",
    "Guardrails were edited into something that cannot be used; the proxy's configuration has them as they last were.",
    "Correct the LiteLLMGuardrail objects that the message names, or delete them to have them left out.",
)
GUARDRAILS_WAITING = Reason(
    "GuardrailsApplied",
    "False",
    "GuardrailsWaiting",
    "The pods run an earlier configuration, which does not have every guardrail that names this instance as it is now.",
    "Do what the condition RolloutComplete says; the guardrails come with the pods that it tells of.",
)
GUARDRAILS_APPLIED = Reason(
    "GuardrailsApplied",
    "True",
    "GuardrailsApplied",
    "Every guardrail that names this instance is part of the proxy's configuration.",
    "Nothing.",
)
API_NOT_INSTALLED = Reason(
    "AddOnsAvailable",
    "False",
    "ApiNotInstalled",
    "The spec asks for objects of an API that this installation has no add-on for.",
    "Install the API and the add-on for it (PALENA_OPTIONAL_APIS), or remove the setting.",
)
SETTINGS_QUESTIONABLE = Reason(
    "SpecWarnings",
    "True",
    "SettingsQuestionable",
    "Settings have no effect, not the one that they seem to have, or one that few want.",
    "Correct or remove what the message names, or leave it knowingly.",
    attention=True,
)
DATA_KEPT = Reason(
    "ChildrenRetained",
    "True",
    "DataKept",
    "Objects that hold data or keys are kept although the spec no longer asks for them.",
    "Delete them by hand once nobody needs what they hold.",
    attention=True,
)

GATEWAY_REASONS: tuple[Reason, ...] = (
    ALL_RESOURCES_READY,
    RECONCILE_ERROR,
    DEPLOYMENT_NOT_READY,
    LIVENESS_PROBE_FAILED,
    AUTO_ROLLBACK,
    MIGRATION_SKIPPED,
    MIGRATION_WAITING,
    MIGRATION_RUNNING,
    MIGRATION_NOT_STARTED,
    MIGRATION_SUSPENDED,
    MIGRATION_COMPLETE,
    MIGRATION_FAILED,
    DATABASE_STARTING,
    UPGRADES_GATED_BY_MOVING_TAG,
    REDIS_CONFIGURED,
    REDIS_CONNECTED,
    REDIS_DISCONNECTED,
    REDIS_NOT_CHECKED,
    ALL_PODS_HEALTHY,
    PODS_NOT_READY,
    POD_FAULT,
    ENTERPRISE_FEATURES,
    ROLLED_OUT,
    ROLLOUT_IN_PROGRESS,
    ROLLOUT_WAITING,
    ROLLOUT_HELD,
    ROLLOUT_STALLED,
    ROLLED_BACK,
    TAKEN_OVER,
    NAME_TAKEN,
    CHILD_INVALID,
    PATCH_FAILED,
    CHILD_NOT_APPLIED,
    REFERENCES_MISSING,
    PULL_SECRET_MISSING,
    REFERENCES_UNREADABLE,
    GUARDRAILS_LEFT_OUT,
    LAST_GOOD_GUARDRAILS_SERVED,
    GUARDRAILS_WAITING,
    GUARDRAILS_APPLIED,
    API_NOT_INSTALLED,
    SETTINGS_QUESTIONABLE,
    DATA_KEPT,
)
"""All of them; a test holds the pages to this list."""
