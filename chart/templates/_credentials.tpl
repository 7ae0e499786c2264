{{/*
Token and certificates as {"<key>": "<base64>"}: those of a Secret that is there, else fresh ones where the chart makes them,
else none. A fresh value differs at each call, so each of these is included once, in metacontroller.yaml.
Without a cluster to look into (`helm template`) nothing is there.
*/}}

{{- define "palena.hookToken" -}}
{{- $data := include "palena.dataOf" (list . (include "palena.tokenSecret" .)) | fromYaml -}}
{{- if and (not .Values.hookToken.existingSecret) (not (get $data .Values.hookToken.key)) -}}
{{- $data = dict .Values.hookToken.key (randAlphaNum 48 | b64enc) -}}
{{- end -}}
{{- $data | toYaml -}}
{{- end }}

{{- define "palena.serverCertificate" -}}
{{- $data := include "palena.dataOf" (list . (include "palena.serverSecret" .)) | fromYaml -}}
{{- $names := list "palena" (printf "palena.%s" .Release.Namespace) (include "palena.host" .) -}}
{{- if and (eq (include "palena.ownCertificates" (list . .Values.tls)) "true") (not (get $data "ca.crt")) -}}
{{- $data = include "palena.selfSigned" (list . "palena" $names) | fromYaml -}}
{{- end -}}
{{- $data | toYaml -}}
{{- end }}

{{- define "palena.clientCertificate" -}}
{{- $data := include "palena.dataOf" (list . (include "palena.clientSecret" .)) | fromYaml -}}
{{- if and (eq (include "palena.ownCertificates" (list . .Values.mutualTLS)) "true") (not (get $data "ca.crt")) -}}
{{- $data = include "palena.selfSigned" (list . "metacontroller" (list "metacontroller")) | fromYaml -}}
{{- end -}}
{{- $data | toYaml -}}
{{- end }}

{{/* "true" if the chart itself makes the certificates of a section: not the user, nor cert-manager. */}}
{{- define "palena.ownCertificates" -}}
{{- $root := index . 0 -}}
{{- $section := index . 1 -}}
{{- and $section.enabled (not $section.existingSecret) (not $root.Values.tls.certManager.enabled) -}}
{{- end }}

{{- define "palena.dataOf" -}}
{{- $root := index . 0 -}}
{{- get (lookup "v1" "Secret" $root.Release.Namespace (index . 1)) "data" | default dict | toYaml -}}
{{- end }}

{{/* An authority for one certificate. Its key is thrown away: nothing else can be signed with it. */}}
{{- define "palena.selfSigned" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $days := int $root.Values.tls.selfSignedDays -}}
{{- $authority := genCA (printf "%s-authority" $name) $days -}}
{{- $certificate := genSignedCert $name nil (index . 2) $days $authority -}}
ca.crt: {{ $authority.Cert | b64enc }}
tls.crt: {{ $certificate.Cert | b64enc }}
tls.key: {{ $certificate.Key | b64enc }}
{{- end }}
