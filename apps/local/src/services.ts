/** The engines that services connect to. */
export type EngineName = 'postgres' | 'nats' | 'qdrant';

/** The launcher's description of a service. */
export interface Service {
  readonly name: ServiceName;
  /** The preferred port. The gateway's port is a setting. */
  readonly port: number;
  /** The service starts when these engines accept connections. */
  readonly needs: readonly EngineName[];
  /** The shutdown round. Clients stop before their servers. */
  readonly stopRound: 1 | 2 | 3;
  /** The settings to pass to the service. `*` at the end matches any suffix. */
  readonly settings: readonly string[];
}

export type GrpcServiceName = 'search' | 'chat' | 'agent' | 'collection' | 'connector';
export type ServiceName = GrpcServiceName | 'gateway';

const MODELS = ['ANTHROPIC_*', 'OPENAI_*', 'MODEL_*', 'CHAT_MODEL'];
/** Includes OPENAI_*: OpenAI can be the provider of embeddings. */
const VECTORS = [
  'EMBEDDING_*',
  'MODELS_DIR',
  'MODEL_THREADS',
  'OPENAI_*',
  'QDRANT_TIMEOUT_MS',
  'QDRANT_PREFIX',
  'SPACE_*',
];
/** How collections of vectors are created. */
const VECTOR_COLLECTIONS = [
  'QDRANT_SHARD_NUMBER',
  'QDRANT_REPLICATION_FACTOR',
  'QDRANT_WRITE_CONSISTENCY_FACTOR',
  'QDRANT_QUANTIZATION',
  'QDRANT_VECTORS_ON_DISK',
  'QDRANT_HNSW_PER_TENANT',
  'QDRANT_MAX_OPTIMIZATION_THREADS',
];

/** The six services. Each gets only the secrets that it uses. */
export const SERVICES: readonly Service[] = [
  {
    name: 'gateway',
    port: 8080,
    needs: ['postgres', 'nats'],
    stopRound: 1,
    settings: [
      'MAX_*',
      'DRAIN_MS',
      'BODY_TIMEOUT_MS',
      'UPLOAD_TIMEOUT_MS',
      'TRUST_PROXY',
      'REDIS_URL',
      'KEY_STALE_MS',
      'USAGE_*',
      'SESSION_*',
      'SEARCH_ANALYTICS_*',
      'WEBHOOK_*',
      'RATE_*',
      'PUBLIC_URL',
      'OAUTH_REDIRECT_ALLOWLIST',
      'LECTERN_MASTER_KEYS',
      'EGRESS_ALLOW',
      'OIDC_PROVIDERS',
      'SLACK_API_URL',
      'SMTP_*',
      'MCP_ALLOWED_ORIGINS',
    ],
  },
  {
    name: 'search',
    port: 50051,
    needs: ['qdrant'],
    stopRound: 3,
    settings: [...VECTORS, 'SEARCH_*', 'RERANK_*'],
  },
  {
    name: 'chat',
    port: 50052,
    needs: ['postgres'],
    stopRound: 2,
    settings: [...MODELS, 'CHAT_*', 'LECTERN_MASTER_KEYS', 'EGRESS_ALLOW'],
  },
  {
    name: 'agent',
    port: 50053,
    needs: ['postgres', 'qdrant'],
    stopRound: 2,
    settings: [...MODELS, ...VECTORS, ...VECTOR_COLLECTIONS, 'AGENT_*', 'LECTERN_MASTER_KEYS', 'EGRESS_ALLOW'],
  },
  {
    name: 'collection',
    port: 50054,
    needs: ['postgres', 'nats', 'qdrant'],
    stopRound: 3,
    settings: [
      ...VECTORS,
      ...VECTOR_COLLECTIONS,
      ...MODELS,
      'NATS_REPLICAS',
      'MODELS_HUB_URL',
      'INDEX_*',
      'SUMMARY_*',
      'SWEEP_INTERVAL_MS',
      'RECONCILE_INTERVAL_MS',
      'MAX_*',
    ],
  },
  {
    name: 'connector',
    port: 50055,
    needs: ['postgres', 'nats'],
    stopRound: 2,
    settings: [
      'NATS_REPLICAS',
      'BLOB_*',
      'S3_*',
      'SYNC_*',
      'WORK_LEASE_MS',
      'SWEEP_INTERVAL_MS',
      'PARSER_*',
      'OCR_*',
      'MAX_*',
      'LECTERN_MASTER_KEYS',
      'EGRESS_ALLOW',
      'GITHUB_*',
      'SLACK_*',
      'NOTION_*',
      'GOOGLE_*',
      'SALESFORCE_*',
      'CONNECTION_TEST_TIMEOUT_MS',
    ],
  },
];

/** The settings of every process. */
export const COMMON_SETTINGS: readonly string[] = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TZ',
  'LANG',
  'LC_*',
  'LOG_LEVEL',
  'SHUTDOWN_TIMEOUT_MS',
  'OTEL_*',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_USE_ENV_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];
