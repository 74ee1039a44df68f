import { grpcTarget, parseConfig, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';
import { isAddressRange } from '#limits/client-ip';

const MiB = 1024 * 1024;
const { LOG_LEVEL, SHUTDOWN_TIMEOUT_MS, LECTERN_INTERNAL_KEYS } = serviceSettings;

const bytes = (defaultBytes: number, maxBytes: number) =>
  z.coerce.number().int().min(1024).max(maxBytes).default(defaultBytes);

const perMinute = (defaultCount: number) => z.coerce.number().int().min(1).max(1_000_000).default(defaultCount);

const redirectList = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must hold http or https addresses' })));

const originList = redirectList.transform((addresses) => addresses.map((address) => new URL(address).origin));

const settings = z.object({
  LOG_LEVEL,
  SHUTDOWN_TIMEOUT_MS,
  LECTERN_INTERNAL_KEYS,
  /** Milliseconds at shutdown in which requests are still taken and balancers told to look elsewhere: longer than they take to notice. */
  DRAIN_MS: z.coerce.number().int().min(0).max(300_000).default(0),
  /** Where HTTP listens; port 0 takes a free one. */
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// address' }),
  SEARCH_ADDRESS: grpcTarget.default('127.0.0.1:50051'),
  CHAT_ADDRESS: grpcTarget.default('127.0.0.1:50052'),
  AGENT_ADDRESS: grpcTarget.default('127.0.0.1:50053'),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
  CONNECTOR_ADDRESS: grpcTarget.default('127.0.0.1:50055'),
  /**
   * Maximum bytes of the JSON body of a search, a chat or another small operation, after content
   * decoding.
   */
  MAX_SMALL_JSON_BYTES: bytes(256 * 1024, 4 * MiB),
  /**
   * The same limit for JSON bodies that may carry long lists or settings; only secret keys send
   * them.
   */
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
  /** Origins of pages, separated by commas, that may use MCP from a browser, besides our own and those of the browser's machine. */
  MCP_ALLOWED_ORIGINS: originList.prefault(''),
  /** Bytes of an upload that is held until it is known to be right: one that is signed, or sent with an Idempotency-Key. */
  MAX_HELD_UPLOAD_BYTES: bytes(1024 * MiB, 100 * 1024 * MiB),
  /** Bytes of all uploads that a replica stores at once; one key pair may use half of them. */
  MAX_HELD_UPLOADS_TOTAL_BYTES: bytes(4 * 1024 * MiB, 1024 * 1024 * MiB),
  /** Addresses and CIDR ranges of proxies, separated by commas, whose X-Forwarded-For is believed. */
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((range) => range !== ''))
    .refine((ranges) => ranges.every(isAddressRange), 'must be addresses or CIDR ranges, separated by commas'),
  /** Requests a minute of a secret key, where its pair says nothing else. */
  RATE_LIMIT_SECRET_PER_MINUTE: perMinute(3_000),
  /** Requests a minute of a publishable key from one client address, where its pair says nothing else. */
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: perMinute(300),
  /** Keys that do not exist which one client address may present a minute, on each replica; 0 for any number. Beyond it invalid keys are answered 429 there. */
  RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(200),
  /**
   * Requests per minute from one client address to `/api/v1/oauth/callback`, which needs no key; on
   * each replica, 0 for no limit.
   */
  RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(60),
  /** The part of each limit that a replica admits by itself while the store of the limits is away. */
  RATE_LIMIT_FALLBACK_SHARE: z.coerce.number().gt(0).max(1).default(0.5),
  /** Where the limits are shared: a server that speaks Redis' protocol; PostgreSQL where it is left out. */
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  /** Streams that one pair may have open on one replica. */
  MAX_STREAMS_PER_KEY: z.coerce.number().int().min(1).max(100_000).default(100),
  /** Milliseconds for which a key that is known works on while the database is away. 0: not at all. */
  KEY_STALE_MS: z.coerce.number().int().min(0).max(3_600_000).default(60_000),
  /** Days for which the hours of `GET /api/v1/analytics/usage` are kept. */
  USAGE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(400),
  /** NATS, by which replicas tell each other at once of a changed key; without it they notice within 5 s. */
  NATS_URL: z.string().optional(),
});

export type Config = z.output<typeof settings>;

/** Reads the gateway's settings. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(settings, env);
}
