{{/*
A file of files/, object by object, with what only the values know: (list <root> <path> <hooks>). `hooks` has what
Metacontroller is told about the service: url, query, authorization, and perhaps caBundle and clientTLS.
*/}}
{{- define "palena.installed" -}}
{{- $root := index . 0 -}}
{{- $hooks := index . 2 -}}
{{- range splitList "\n---\n" ($root.Files.Get (index . 1)) }}
{{- $object := fromYaml . }}
{{- range $declared := dig "spec" "hooks" dict $object }}
{{- $webhook := $declared.webhook }}
{{- $path := (urlParse $webhook.url).path }}
{{- $_ := mergeOverwrite $webhook (omit $hooks "url" "query") (dict "url" (printf "%s%s?%s" $hooks.url $path $hooks.query)) }}
{{- end }}
---
{{ toYaml $object }}
{{- end }}
{{- end }}
