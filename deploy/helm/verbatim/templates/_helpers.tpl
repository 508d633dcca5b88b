{{- define "verbatim.labels" -}}
app.kubernetes.io/name: verbatim
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
