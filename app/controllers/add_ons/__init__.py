"""Add-ons to a managed LiteLLMInstance: a DecoratorController for each API that a cluster may lack.

A child rule for a kind that is not served keeps a whole controller down, so these kinds are not among the instance's own
children, and each add-on is installed only where its API is. They never answer a status: what is wrong with what they are
asked for is told by the instance's own controller.
"""

from __future__ import annotations

from app.controllers.add_ons.cloudnativepg_backup import CLOUDNATIVEPG_BACKUP
from app.controllers.add_ons.gateway_api import GATEWAY_API
from app.controllers.add_ons.monitoring import MONITORING
from app.controllers.add_ons.openshift_route import OPENSHIFT_ROUTE

ADD_ONS = (MONITORING, OPENSHIFT_ROUTE, GATEWAY_API, CLOUDNATIVEPG_BACKUP)
