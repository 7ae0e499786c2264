"""The kinds that a managed gateway is made of, or looks at: built-in ones, then those of APIs that a cluster may lack."""

from __future__ import annotations

from app.hooks.objects import Resource

CONFIG_MAP = Resource("v1", "ConfigMap", "configmaps")
POD = Resource("v1", "Pod", "pods")
SECRET = Resource("v1", "Secret", "secrets")
SERVICE = Resource("v1", "Service", "services")
SERVICE_ACCOUNT = Resource("v1", "ServiceAccount", "serviceaccounts")
VOLUME_CLAIM = Resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims")
CONTROLLER_REVISION = Resource("apps/v1", "ControllerRevision", "controllerrevisions")
DEPLOYMENT = Resource("apps/v1", "Deployment", "deployments")
STATEFUL_SET = Resource("apps/v1", "StatefulSet", "statefulsets")
AUTOSCALER = Resource("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers")
JOB = Resource("batch/v1", "Job", "jobs")
INGRESS = Resource("networking.k8s.io/v1", "Ingress", "ingresses")
NETWORK_POLICY = Resource("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies")
DISRUPTION_BUDGET = Resource("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets")

SERVICE_MONITOR = Resource("monitoring.coreos.com/v1", "ServiceMonitor", "servicemonitors")
PROMETHEUS_RULE = Resource("monitoring.coreos.com/v1", "PrometheusRule", "prometheusrules")
ROUTE = Resource("route.openshift.io/v1", "Route", "routes")
HTTP_ROUTE = Resource("gateway.networking.k8s.io/v1", "HTTPRoute", "httproutes")
SCHEDULED_BACKUP = Resource("postgresql.cnpg.io/v1", "ScheduledBackup", "scheduledbackups")
