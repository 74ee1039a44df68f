import { grpcTarget, parseConfig, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';

const MiB = 1024 * 1024;
const { LOG_LEVEL, SHUTDOWN_TIMEOUT_MS } = serviceSettings;

const bytes = (defaultBytes: number, maxBytes: number) =>
  z.coerce.number().int().min(1024).max(maxBytes).default(defaultBytes);

const redirectList = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must hold http or https addresses' })));

const settings = z.object({
  LOG_LEVEL,
  SHUTDOWN_TIMEOUT_MS,
  /** Where HTTP listens; port 0 takes a free one. */
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }),
  SEARCH_ADDRESS: grpcTarget.default('127.0.0.1:50051'),
  CHAT_ADDRESS: grpcTarget.default('127.0.0.1:50052'),
  AGENT_ADDRESS: grpcTarget.default('127.0.0.1:50053'),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
  CONNECTOR_ADDRESS: grpcTarget.default('127.0.0.1:50055'),
  /** Bytes of a JSON body, after its content encoding is undone. */
  MAX_JSON_BYTES: bytes(4 * MiB, 48 * MiB),
  /** Bytes of the body that carries a document. gRPC's messages end at 64 MiB. */
  MAX_DOCUMENT_BYTES: bytes(32 * MiB, 48 * MiB),
  /** Bytes of one uploaded file. */
  MAX_FILE_BYTES: bytes(100 * MiB, 5 * 1024 * MiB),
  /** Files of one upload. */
  MAX_FILES_PER_UPLOAD: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** Milliseconds in which a JSON body must have arrived. */
  BODY_TIMEOUT_MS: z.coerce.number().int().min(10).max(3_600_000).default(60_000),
  /** Milliseconds in which an upload must have arrived and been stored. */
  UPLOAD_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(86_400_000).default(3_600_000),
  /** Where browsers reach this installation, for providers to send users back to; else what the request was sent to. */
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Where users may be sent after an authorisation, separated by commas: origins, or paths; one ending in `/` with all below it. */
  OAUTH_REDIRECT_ALLOWLIST: redirectList.prefault(''),
  /** CIDR ranges of proxies, separated by commas, whose X-Forwarded-For is believed. */
  TRUST_PROXY: z.string().default(''),
});

export type Config = z.output<typeof settings>;

/** Reads the gateway's settings. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(settings, env);
}
