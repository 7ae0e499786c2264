{{/*
The add-ons to install as {"<name>": "<API group>"}, by `addOns` and by what the cluster serves. An add-on whose values say `auto`
needs all of its APIs: Metacontroller does not start a controller that lacks one.
*/}}
{{- define "palena.addOns" -}}
{{- $root := . -}}
{{- $installed := dict -}}
{{- if eq .Values.shape "full" -}}
{{- range $name, $addOn := .Files.Get "files/add-ons.yaml" | fromYaml -}}
{{- $wanted := index $root.Values.addOns $name | toString -}}
{{- if eq $wanted "auto" -}}
{{- $wanted = "true" -}}
{{- range $addOn.apis -}}
{{- if not ($root.Capabilities.APIVersions.Has .) -}}
{{- $wanted = "false" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq $wanted "true" -}}
{{- $_ := set $installed $name $addOn.group -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $installed | toYaml -}}
{{- end }}

{{- define "palena.optionalAPIs" -}}
{{- include "palena.addOns" . | fromYaml | values | sortAlpha | join "," -}}
{{- end }}
