import {
  CollectionServiceDefinition,
  type ResolveCollectionsResponse,
  SearchRuleServiceDefinition,
  SynonymServiceDefinition,
} from '@lectern/contracts';
import {
  createDenseEncoders,
  createLsiEncoderCache,
  createSparseEncoder,
  type DenseEncoder,
  encoderSettings,
  type LsiEncoderCache,
  type SparseEncoder,
} from '@lectern/embeddings';
import { connectGrpc, createLogger, type GrpcClient, type Logger } from '@lectern/service-kit';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import type { Config } from '#config';
import { createReranker, type Reranker } from '#rerank/create-reranker';
import { createTeamRulesCache, type TeamRulesCache } from '#rules/team-rules';
import { type SharedCall, shareCalls } from '#sharing/share-calls';
import { type WorkAhead, workAhead } from '#sharing/work-ahead';
import { createTeamSynonymsCache, type TeamSynonymsCache } from '#synonyms/team-synonyms';

/** The dependencies of the service. */
export interface Context {
  readonly config: Config;
  readonly log: Logger;
  readonly collections: GrpcClient<typeof CollectionServiceDefinition>;
  readonly synonyms: GrpcClient<typeof SynonymServiceDefinition>;
  readonly searchRules: GrpcClient<typeof SearchRuleServiceDefinition>;
  /** The search rules of teams. */
  readonly teamRules: TeamRulesCache;
  /** The compiled synonyms of teams. */
  readonly teamSynonyms: TeamSynonymsCache;
  /** Joins concurrent requests that resolve the same collections for the same caller. */
  readonly shareResolved: SharedCall<ResolveCollectionsResponse>;
  /** Starts a search with the scope that its caller had last time. */
  readonly searchAhead: WorkAhead<ResolveCollectionsResponse>;
  /** Joins concurrent searches that count the same documents. */
  readonly shareCounts: SharedCall<number>;
  readonly store: VectorStore;
  readonly sparse: SparseEncoder;
  /**
   * Returns the encoder of an embedding model. Throws `invalid_request` if it is not configured.
   */
  readonly denseEncoder: (model: string) => DenseEncoder;
  /** Returns the encoder of the configured model. */
  readonly defaultEncoder: () => DenseEncoder;
  /** The encoders of learned spaces. */
  readonly spaces: LsiEncoderCache;
  /** Undefined without a configured reranker. */
  readonly reranker: Reranker | undefined;
  close(): void;
}

/**
 * A scope is a list of collections: a few hundred bytes, or a few kilobytes for a key with very many
 * collections.
 */
const MAX_CACHED_SCOPES = 1_000;

/** Creates all dependencies of the service, without a call to any of them. */
export function createContext(config: Config, overrides: Partial<Context> = {}): Context {
  const collection = connectGrpc(config.COLLECTION_ADDRESS);
  const log = overrides.log ?? createLogger({ service: 'search', level: config.LOG_LEVEL });
  const encoders = createDenseEncoders(encoderSettings(config, log));
  return {
    config,
    log,
    collections: collection.client(CollectionServiceDefinition, { deadlineMs: 5_000 }),
    synonyms: collection.client(SynonymServiceDefinition, { deadlineMs: 5_000 }),
    searchRules: collection.client(SearchRuleServiceDefinition, { deadlineMs: 5_000 }),
    teamRules: createTeamRulesCache(),
    teamSynonyms: createTeamSynonymsCache(),
    shareCounts: shareCalls(),
    shareResolved: shareCalls(),
    searchAhead: workAhead(MAX_CACHED_SCOPES),
    store: createVectorStore({
      url: config.QDRANT_URL,
      apiKey: config.QDRANT_API_KEY,
      prefix: config.QDRANT_PREFIX,
      timeoutMs: config.QDRANT_TIMEOUT_MS,
    }),
    sparse: createSparseEncoder(),
    denseEncoder: encoders.get,
    defaultEncoder: () => encoders.get(),
    spaces: createLsiEncoderCache({ maxBytes: config.SPACE_CACHE_BYTES }),
    reranker: createReranker(config, log),
    close: () => collection.close(),
    ...overrides,
  };
}
