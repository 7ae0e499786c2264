{{/*
Names are fixed, not made from the release's: controllers and definitions are objects of the whole cluster, so there is one
installation in it, and commands in the documentation can be copied.
*/}}

{{- define "palena.labels" -}}
app.kubernetes.io/name: palena
app.kubernetes.io/part-of: palena
{{- end }}

{{/* A Deployment's selector can never change. */}}
{{- define "palena.selector" -}}
app.kubernetes.io/name: palena
app.kubernetes.io/component: hooks
{{- end }}

{{- define "palena.metadata" -}}
name: palena
namespace: {{ .Release.Namespace }}
labels:
  {{- include "palena.labels" . | nindent 2 }}
{{- end }}

{{- define "palena.image" -}}
{{- $repository := required "image.repository: no image is published; build one from the checkout (docker build) and name it" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "palena.host" -}}
palena.{{ .Release.Namespace }}.svc
{{- end }}

{{- define "palena.tokenSecret" -}}
{{ .Values.hookToken.existingSecret | default "palena-hook-token" }}
{{- end }}

{{- define "palena.serverSecret" -}}
{{ .Values.tls.existingSecret | default "palena-tls" }}
{{- end }}

{{- define "palena.clientSecret" -}}
{{ .Values.mutualTLS.existingSecret | default "palena-client-tls" }}
{{- end }}

{{- define "palena.platform" -}}
{{- if ne .Values.settings.platform "auto" -}}
{{ .Values.settings.platform }}
{{- else if .Capabilities.APIVersions.Has "security.openshift.io/v1" -}}
openshift
{{- else -}}
kubernetes
{{- end -}}
{{- end }}
