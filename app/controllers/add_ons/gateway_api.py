"""HTTPRoutes, where the Gateway API is installed."""

from __future__ import annotations

from app.controllers.add_ons.add_on import add_on

GATEWAY_API = add_on("gateway-api", "gateway.networking.k8s.io")
