{{/* The service's environment. A setting that has the service's own default is left out. */}}
{{- define "palena.environment" -}}
{{- $settings := .Values.settings -}}
{{- if .Values.tls.enabled }}
- name: PALENA_TLS_CERT_FILE
  value: /run/palena/tls/tls.crt
- name: PALENA_TLS_KEY_FILE
  value: /run/palena/tls/tls.key
{{- end }}
{{- if .Values.mutualTLS.enabled }}
- name: PALENA_TLS_CLIENT_CA_FILE
  value: /run/palena/client-authority/ca.crt
{{- end }}
- name: PALENA_HOOK_TOKEN_FILE
  value: /run/palena/hook-token/{{ .Values.hookToken.key }}
- name: PALENA_OPTIONAL_APIS
  value: {{ include "palena.optionalAPIs" . | quote }}
{{- $variables := list
      (list "PALENA_CLUSTER_ID" $settings.clusterID "default")
      (list "PALENA_ENDPOINT_ALLOW" (join "," $settings.endpointAllow) "")
      (list "PALENA_APPLY_STRATEGY" $settings.applyStrategy "dynamic-apply")
      (list "PALENA_PLATFORM" (include "palena.platform" .) "kubernetes")
      (list "PALENA_LOG_LEVEL" $settings.logLevel "info")
      (list "PALENA_LOG_FORMAT" $settings.logFormat "json") }}
{{- range $variables }}
{{- if ne (index . 1) (index . 2) }}
- name: {{ index . 0 }}
  value: {{ index . 1 | quote }}
{{- end }}
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The kubelet shows no certificate: where one is demanded it can only see that the port is open. */}}
{{- define "palena.probe" -}}
{{- $root := index . 0 }}
{{- if $root.Values.mutualTLS.enabled -}}
tcpSocket:
  port: hooks
{{- else -}}
httpGet:
  path: {{ index . 1 }}
  port: hooks
  {{- if $root.Values.tls.enabled }}
  scheme: HTTPS
  {{- end }}
{{- end }}
{{- end }}
