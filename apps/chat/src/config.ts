import { parseEgressAllow } from '@lectern/egress';
import { modelEnvironment } from '@lectern/llm';
import { grpcTarget, parseConfig, parsed, parseMasterKeys, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';

const settings = z.object({
  ...serviceSettings,
  GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50052'),
  DATABASE_URL: z.url(),
  SEARCH_ADDRESS: grpcTarget.default('127.0.0.1:50051'),
  AGENT_ADDRESS: grpcTarget.default('127.0.0.1:50053'),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
  ...modelEnvironment,
  /** The maximum duration of a reply, in milliseconds. */
  CHAT_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(600_000).default(120_000),
  LECTERN_MASTER_KEYS: parsed(parseMasterKeys).optional(),
  /** Private addresses that model endpoints may have; see packages/egress. */
  EGRESS_ALLOW: parsed(parseEgressAllow).prefault(''),
});

export type Config = z.output<typeof settings>;

/** Reads the settings of the chat service. Throws `ConfigError`. */
export const readConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(settings, env);
