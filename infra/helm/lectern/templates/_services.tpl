{{/* What differs between the services, apart from values. `calls` and `callers` become network policies. */}}
{{- define "lectern.services" -}}
gateway:
  port: 8080
  calls: [search, chat, agent, collection, connector]
  engines: [postgres, nats, redis, submission, submissions]
  egress: providers
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_GATEWAY }
    - { name: LECTERN_MASTER_KEYS, key: LECTERN_MASTER_KEYS }
    - { name: OIDC_PROVIDERS, key: OIDC_PROVIDERS, optional: true }
    - { name: REDIS_URL, key: REDIS_URL, optional: true }
    - { name: SMTP_URL, key: SMTP_URL, optional: true }
    - { name: NATS_URL, key: NATS_URL_GATEWAY }
search:
  port: 50051
  callers: [gateway, chat, agent]
  calls: [collection]
  engines: [qdrant]
  egress: providers
  secrets:
    - { name: QDRANT_API_KEY, key: QDRANT_API_KEY }
    - { name: EMBEDDING_API_KEY, key: EMBEDDING_API_KEY, optional: true }
    - { name: RERANK_API_KEY, key: RERANK_API_KEY, optional: true }
    - { name: OPENAI_API_KEY, key: OPENAI_API_KEY, optional: true }
chat:
  port: 50052
  callers: [gateway, agent]
  calls: [search, agent, collection]
  engines: [postgres]
  egress: sources
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_CHAT }
    - { name: LECTERN_MASTER_KEYS, key: LECTERN_MASTER_KEYS }
    - { name: ANTHROPIC_API_KEY, key: ANTHROPIC_API_KEY, optional: true }
    - { name: OPENAI_API_KEY, key: OPENAI_API_KEY, optional: true }
agent:
  port: 50053
  callers: [gateway, chat]
  calls: [search, chat, connector, collection]
  engines: [postgres, qdrant]
  egress: sources
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_AGENT }
    - { name: QDRANT_API_KEY, key: QDRANT_API_KEY }
    - { name: LECTERN_MASTER_KEYS, key: LECTERN_MASTER_KEYS }
    - { name: EMBEDDING_API_KEY, key: EMBEDDING_API_KEY, optional: true }
    - { name: ANTHROPIC_API_KEY, key: ANTHROPIC_API_KEY, optional: true }
    - { name: OPENAI_API_KEY, key: OPENAI_API_KEY, optional: true }
collection:
  port: 50054
  callers: [gateway, search, chat, agent, connector]
  engines: [postgres, nats, qdrant]
  egress: providers
  queue: document-index
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_COLLECTION }
    - { name: NATS_URL, key: NATS_URL_COLLECTION }
    - { name: QDRANT_API_KEY, key: QDRANT_API_KEY }
    - { name: EMBEDDING_API_KEY, key: EMBEDDING_API_KEY, optional: true }
    - { name: OPENAI_API_KEY, key: OPENAI_API_KEY, optional: true }
connector:
  port: 50055
  callers: [gateway, agent]
  calls: [collection]
  engines: [postgres, nats]
  egress: sources
  queue: sync-item
  secrets:
    - { name: DATABASE_URL, key: DATABASE_URL_CONNECTOR }
    - { name: NATS_URL, key: NATS_URL_CONNECTOR }
    - { name: BLOB_S3_ACCESS_KEY_ID, key: BLOB_S3_ACCESS_KEY_ID, optional: true }
    - { name: BLOB_S3_SECRET_ACCESS_KEY, key: BLOB_S3_SECRET_ACCESS_KEY, optional: true }
    - { name: LECTERN_MASTER_KEYS, key: LECTERN_MASTER_KEYS }
    - { name: GOOGLE_CLIENT_SECRET, key: GOOGLE_CLIENT_SECRET, optional: true }
    - { name: NOTION_CLIENT_SECRET, key: NOTION_CLIENT_SECRET, optional: true }
{{- end }}

{{- define "lectern.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  app.kubernetes.io/part-of: lectern
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .labels }}
{{ toYaml . | indent 2 }}
{{- end }}
{{- end }}

{{- define "lectern.image" -}}
{{ .root.Values.image.registry }}-{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The claim of the volume for uploaded files. Empty if a bucket stores them. */}}
{{- define "lectern.filesClaim" -}}
{{- if not .Values.files.bucket -}}
{{ required "Uploaded files have no place: files.bucket and files.volumeClaim are empty. Set one of them." .Values.files.volumeClaim }}
{{- end -}}
{{- end }}

{{/* The settings of a service that follow from other values. */}}
{{- define "lectern.derivedSettings" -}}
{{- $facts := index .services .name }}
LOG_LEVEL: info
SHUTDOWN_TIMEOUT_MS: "30000"
{{- if eq .name "gateway" }}
DRAIN_MS: "5000"
{{- end }}
{{- range $facts.calls }}
{{ upper . }}_ADDRESS: dns:///{{ . }}:{{ (index $.services .).port }}
{{- end }}
{{- if has "qdrant" $facts.engines }}
QDRANT_URL: {{ .root.Values.engines.qdrant.url | quote }}
{{- if ne .name "search" }}
{{- range $setting, $value := .root.Values.engines.qdrant.collections }}
{{- if ne (toString $value) "" }}
{{ $setting }}: {{ toString $value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if or (eq .name "collection") (eq .name "connector") }}
NATS_REPLICAS: {{ toString .root.Values.engines.nats.replicas | quote }}
{{- end }}
{{- if eq .name "connector" }}
BLOB_DIR: /data/blobs
{{- with .root.Values.files }}
{{- if .bucket }}
BLOB_S3_BUCKET: {{ .bucket | quote }}
BLOB_S3_REGION: {{ .region | quote }}
{{- end }}
{{- if .endpoint }}
BLOB_S3_ENDPOINT: {{ .endpoint | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
