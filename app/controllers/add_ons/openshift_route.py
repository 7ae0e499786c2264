"""The Route, on OpenShift."""

from __future__ import annotations

from app.controllers.add_ons.add_on import add_on

# OpenShift lets nobody choose a host name who may not write this subresource.
OPENSHIFT_ROUTE = add_on("openshift-route", "route.openshift.io", subresources=("custom-host",))
