import { MAX_APPROVAL_WAIT_MS } from '@lectern/contracts';
import { parseEgressAllow } from '@lectern/egress';
import { embeddingSettings } from '@lectern/embeddings';
import { modelEnvironment } from '@lectern/llm';
import { grpcTarget, parseConfig, parsed, parseMasterKeys, serviceSettings } from '@lectern/service-kit';
import { checkCollectionSettings, collectionSettings } from '@lectern/vector-store';
import { z } from 'zod';
import { RUN_LIMITS, type RunLimits } from '#loop/run-limits';

/** A limit of runs: an integer within these bounds. */
const limit = (min: number, max: number, usual: number) => z.coerce.number().int().min(min).max(max).default(usual);

const settings = z
  .object({
    ...serviceSettings,
    GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50053'),
    DATABASE_URL: z.url(),
    SEARCH_ADDRESS: grpcTarget.default('127.0.0.1:50051'),
    CONNECTOR_ADDRESS: grpcTarget.default('127.0.0.1:50055'),
    COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
    /** The chat service, which has the models of teams. Without it, runs use only those of the environment. */
    CHAT_ADDRESS: grpcTarget.optional(),
    QDRANT_URL: z.url().default('http://127.0.0.1:6333'),
    QDRANT_API_KEY: z.string().optional(),
    /** The prefix of the name of every Qdrant collection. */
    QDRANT_PREFIX: z.string().optional(),
    ...collectionSettings,
    /** The timeout of a request to the vector store, in milliseconds. */
    QDRANT_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5_000),
    ...embeddingSettings,
    ...modelEnvironment,
    /**
     * Milliseconds between two sweeps that index and expire memories, and between two
     * reconciliations.
     */
    AGENT_SWEEP_INTERVAL_MS: z.coerce.number().int().min(50).default(5_000),
    AGENT_RECONCILE_INTERVAL_MS: z.coerce.number().int().min(100).default(900_000),
    /** The limits of one run (see src/loop/run-limits.ts). */
    AGENT_MAX_ITERATIONS: limit(1, 100, RUN_LIMITS.iterations),
    AGENT_MAX_TOOL_CALLS: limit(1, 1_000, RUN_LIMITS.toolCalls),
    AGENT_TIMEOUT_MS: limit(1_000, 600_000, RUN_LIMITS.wallMs),
    AGENT_MAX_TOKENS: limit(1_000, 100_000_000, RUN_LIMITS.tokens),
    AGENT_TOOL_OUTPUT_BYTES: limit(1_000, 10_000_000, RUN_LIMITS.outputBytes),
    AGENT_TOTAL_OUTPUT_BYTES: limit(1_000, 100_000_000, RUN_LIMITS.totalOutputBytes),
    AGENT_TOOL_TIMEOUT_MS: limit(100, 600_000, RUN_LIMITS.toolMs),
    /** How long a tool call waits for the approval of a person, in milliseconds. */
    AGENT_APPROVAL_TIMEOUT_MS: limit(1_000, MAX_APPROVAL_WAIT_MS, 600_000),
    LECTERN_MASTER_KEYS: parsed(parseMasterKeys).optional(),
    /** Private addresses that tool servers may have; see packages/egress. */
    EGRESS_ALLOW: parsed(parseEgressAllow).prefault(''),
  })
  .superRefine(checkCollectionSettings);

export type Config = z.output<typeof settings>;

/** The settings of the agent service. Throws `ConfigError`. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(settings, env);

/** Returns the limits of a run from the settings. */
export const runLimits = (config: Config): RunLimits => ({
  iterations: config.AGENT_MAX_ITERATIONS,
  toolCalls: config.AGENT_MAX_TOOL_CALLS,
  wallMs: config.AGENT_TIMEOUT_MS,
  tokens: config.AGENT_MAX_TOKENS,
  outputBytes: config.AGENT_TOOL_OUTPUT_BYTES,
  totalOutputBytes: config.AGENT_TOTAL_OUTPUT_BYTES,
  toolMs: config.AGENT_TOOL_TIMEOUT_MS,
});
