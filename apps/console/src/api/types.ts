/** The API's answers, as docs/ and the contract have them. Times are ISO 8601. */

export interface PageMeta {
  readonly requestId: string;
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export interface OwnKey {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  readonly kind: 'secret' | 'publishable';
  readonly allow_all_collections: boolean;
  readonly allowed_collections: readonly string[];
  readonly require_signature: boolean;
  readonly rate_limit_per_minute: number;
  readonly expires_at: string | null;
}

export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly documentCount: number;
  readonly embeddingModel: string;
  readonly createdAt: string;
}

export interface CollectionRecord extends Collection {
  readonly embeddingCount: number;
  readonly connectors: readonly string[];
  readonly updatedAt: string;
}

export type DocumentStatus = 'pending' | 'processing' | 'indexed' | 'failed' | 'deleted';

export interface Failure {
  readonly code: string;
  readonly message: string;
}

export interface LecternDocument {
  readonly id: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly error: Failure | null;
  readonly collection: string;
  readonly collectionName: string;
  readonly source: string;
  readonly type: string;
  readonly connector: string | null;
  readonly url: string | null;
  readonly chunkCount: number;
  readonly sizeBytes: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly indexedAt: string | null;
}

export interface DocumentContent {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly status: DocumentStatus;
  readonly collection: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SearchResult {
  readonly documentId: string;
  readonly title: string;
  readonly excerpt: string;
  readonly highlights: readonly Span[];
  readonly url: string | null;
  readonly score: number;
  readonly scores: {
    readonly keyword: number | null;
    readonly semantic: number | null;
    readonly rerank: number | null;
  };
  readonly collection: string;
  readonly collectionName: string;
  readonly source: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly passages: readonly (Span & { readonly text: string; readonly heading: string; readonly score: number })[];
  readonly updatedAt: string;
}

export interface Facet {
  readonly field: string;
  readonly values: readonly { readonly value: string | number | boolean; readonly count: number }[];
}

export interface SearchAnswer {
  readonly query: string;
  readonly results: readonly SearchResult[];
  readonly facets: readonly Facet[];
  readonly tookMs: number;
}

export interface Source {
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
  readonly url: string;
}

export interface Confidence {
  readonly score: number;
  readonly label: 'high' | 'medium' | 'low';
  readonly signals?: {
    readonly coverageRatio: number;
    readonly shapeConfidence: number;
    readonly coverageCompleteness: number;
    readonly violationFree: number;
  };
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly agentId: string | null;
  readonly messageCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Message {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly sources?: readonly Source[];
  readonly answer_confidence?: Confidence | null;
  readonly usage?: Usage;
  readonly createdAt: string;
}

export interface ConversationRecord extends Conversation {
  readonly messages: readonly Message[];
}

export interface Model {
  readonly id: string;
  readonly provider: string;
  readonly default: boolean;
}

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly tools: readonly string[];
  readonly collections: readonly string[];
  readonly startMessage: string | null;
  readonly memory: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AgentRecord extends Agent {
  readonly systemPrompt: string;
}

export interface TemplateVariable {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly default?: string | null;
}

export interface AgentTemplate {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly tools: readonly string[];
  readonly variables: readonly TemplateVariable[];
}

export interface AgentRun {
  readonly id: string;
  readonly status: string;
  readonly message: string;
  readonly content: string | null;
  readonly startedAt: string;
  readonly completedAt: string | null;
}

export type ConnectorTypeName =
  | 's3'
  | 'google_drive'
  | 'confluence'
  | 'github'
  | 'slack'
  | 'notion'
  | 'salesforce'
  | 'postgresql'
  | 'upload';

export interface Connector {
  readonly id: string;
  readonly name: string;
  readonly type: ConnectorTypeName;
  readonly status: string;
  readonly statusReason: string | null;
  readonly collection: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly lastSync: string | null;
  readonly createdAt: string;
}

export interface ConnectionReport {
  readonly success: boolean;
  readonly latencyMs: number;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly message: string }[];
  readonly error?: Failure;
}

export interface SyncJob {
  readonly jobId: string;
  readonly connectorId: string;
  readonly kind: string;
  readonly mode: string;
  readonly status: string;
  readonly queuedReason?: string;
  readonly progress: {
    readonly total: number;
    readonly collected: number;
    readonly parsed: number;
    readonly indexed: number;
    readonly skipped: number;
    readonly deleted: number;
    readonly failed: number;
  };
  readonly errors: readonly (Failure & { readonly path: string })[];
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

export interface KeyPair {
  readonly id: string;
  readonly name: string;
  readonly allow_all_collections: boolean;
  readonly allowed_collections: readonly string[];
  readonly allowed_hosts: readonly string[];
  readonly allowed_referers: readonly string[];
  readonly require_signature: boolean;
  readonly rate_limit_per_minute: number | null;
  readonly expires_at: string | null;
  readonly publishableKeyPrefix: string;
  readonly secretKeyPrefix: string;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export interface NewKeyPair extends KeyPair {
  readonly publishableKey: string;
  readonly secretKey: string;
}

export interface AuditEvent {
  readonly id: string;
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  readonly actor: { readonly keyId: string; readonly user: string | null };
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  readonly createdAt: string;
}
