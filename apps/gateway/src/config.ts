import { parseEgressAllow } from '@lectern/egress';
import { grpcTarget, parseConfig, parsed, parseMasterKeys, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';
import { parseDefinedProviders } from '#identity/oidc/defined-providers';
import { isAddressRange } from '#limits/client-ip';

const MiB = 1024 * 1024;
const { LOG_LEVEL, SHUTDOWN_TIMEOUT_MS, LECTERN_INTERNAL_KEYS } = serviceSettings;

const bytes = (defaultBytes: number, maxBytes: number) =>
  z.coerce.number().int().min(1024).max(maxBytes).default(defaultBytes);

const perMinute = (defaultCount: number) => z.coerce.number().int().min(1).max(1_000_000).default(defaultCount);

const redirectList = z
  .string()
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must contain http or https URLs' })));

const originList = redirectList.transform((addresses) => addresses.map((address) => new URL(address).origin));

const fields = z.object({
  LOG_LEVEL,
  SHUTDOWN_TIMEOUT_MS,
  LECTERN_INTERNAL_KEYS,
  /**
   * Milliseconds at shutdown during which requests are still accepted and readiness fails, so that
   * load balancers notice.
   */
  DRAIN_MS: z.coerce.number().int().min(0).max(300_000).default(0),
  /** The address and port to listen on. Port 0 chooses a free port. */
  HOST: z.string().default('0.0.0.0'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }),
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
   * The same limit for JSON bodies that can contain long lists or settings; only secret keys send
   * them.
   */
  MAX_JSON_BYTES: bytes(4 * MiB, 48 * MiB),
  /** Maximum bytes of a body with a document. A gRPC message has at most 64 MiB. */
  MAX_DOCUMENT_BYTES: bytes(32 * MiB, 48 * MiB),
  /** Maximum bytes of one uploaded file. */
  MAX_FILE_BYTES: bytes(100 * MiB, 5 * 1024 * MiB),
  /** Maximum files of one upload. */
  MAX_FILES_PER_UPLOAD: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** Milliseconds within which a JSON body must arrive. */
  BODY_TIMEOUT_MS: z.coerce.number().int().min(10).max(3_600_000).default(60_000),
  /** Milliseconds within which an upload must arrive and be stored. */
  UPLOAD_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(86_400_000).default(3_600_000),
  /**
   * The public URL of this installation, to which OAuth providers redirect. Default: the Host
   * of the request.
   */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => /^https?:\/\/[^/?#@]+\/*$/i.test(url), {
      error: 'must be only a scheme, a host and a port, without a path, because Lectern needs its own host',
    })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  /**
   * The server that sends email: smtp://user:password@host:port, or smtps:// for TLS from the start.
   * With `?requireTLS=true`, smtp:// never continues without TLS.
   */
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  /** The sender of email, for example `Lectern <lectern@example.com>`. Required with SMTP_URL. */
  SMTP_FROM: z
    .string()
    .max(320)
    .regex(/^(?:[^<>"\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/, 'must be an address, or a name and <address>')
    .optional(),
  /**
   * Where users can be redirected after an authorization, separated by commas: origins or paths. A
   * path that ends in `/` includes everything below it.
   */
  OAUTH_REDIRECT_ALLOWLIST: redirectList.prefault(''),
  /**
   * Origins of pages, separated by commas, that can use MCP from a browser, in addition to the
   * installation itself and localhost.
   */
  MCP_ALLOWED_ORIGINS: originList.prefault(''),
  /**
   * Maximum bytes of an upload that is stored before it is processed: one that is signed or has an
   * Idempotency-Key.
   */
  MAX_HELD_UPLOAD_BYTES: bytes(1024 * MiB, 100 * 1024 * MiB),
  /**
   * Maximum bytes of all uploads that a replica stores at once. One key pair can use half of them.
   */
  MAX_HELD_UPLOADS_TOTAL_BYTES: bytes(4 * 1024 * MiB, 1024 * 1024 * MiB),
  /**
   * Addresses and CIDR ranges of proxies, separated by commas, whose X-Forwarded-For is trusted.
   */
  TRUST_PROXY: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((range) => range !== ''))
    .refine((ranges) => ranges.every(isAddressRange), 'must be addresses or CIDR ranges, separated by commas'),
  /** Requests per minute of a secret key, unless its pair sets a limit. */
  RATE_LIMIT_SECRET_PER_MINUTE: perMinute(3_000),
  /** Requests per minute of a publishable key and client address, unless its pair sets a limit. */
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: perMinute(300),
  /**
   * Invalid keys per minute from one client address, on each replica; 0 for no limit. Above it,
   * invalid keys get 429.
   */
  RATE_LIMIT_UNKNOWN_KEYS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(200),
  /**
   * Requests per minute from one client address to `/api/v1/oauth/callback`, which needs no key; on
   * each replica, 0 for no limit.
   */
  RATE_LIMIT_OAUTH_CALLBACKS_PER_MINUTE: z.coerce.number().int().min(0).max(1_000_000).default(60),
  /** Requests per minute of a signed-in person. */
  RATE_LIMIT_PERSON_PER_MINUTE: perMinute(600),
  /**
   * Failed attempts per minute to sign in from one client address on each replica, and half as many for
   * one account from there. All addresses together have ten times as many for one account. Links have
   * their own limit of the same size, and challenges for passkeys one that is ten times as large.
   */
  RATE_LIMIT_SIGN_INS_PER_MINUTE: z.coerce.number().int().min(2).max(1_000_000).default(20),
  /**
   * Encrypts the client secrets of identity providers and the secrets of webhooks. The connector service
   * uses the same keys.
   */
  LECTERN_MASTER_KEYS: parsed(parseMasterKeys).optional(),
  /** Internal addresses that identity providers and webhooks may have, separated by commas. */
  EGRESS_ALLOW: parsed(parseEgressAllow).prefault(''),
  /** Identity providers that the operator defines, as a JSON list (docs/people.md). Without it, stored ones stay. */
  OIDC_PROVIDERS: parsed(parseDefinedProviders).optional(),
  /** The URL of Slack's Web API. Change it for GovSlack, proxies and tests. */
  SLACK_API_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .default('https://slack.com/api/')
    .transform((text) => text.replace(/\/*$/, '/')),
  /** Minutes without a request after which a session ends. */
  SESSION_IDLE_MINUTES: z.coerce.number().int().min(1).max(525_600).default(10_080),
  /** Minutes after which a session ends in any case. */
  SESSION_MAX_MINUTES: z.coerce.number().int().min(1).max(525_600).default(43_200),
  /**
   * The share of each limit that a replica admits on its own while the shared store is
   * unavailable.
   */
  RATE_LIMIT_FALLBACK_SHARE: z.coerce.number().gt(0).max(1).default(0.5),
  /** A Redis-compatible server that shares the limits. Default: PostgreSQL. */
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' }).optional(),
  /** Maximum open streams per key pair and replica. */
  MAX_STREAMS_PER_KEY: z.coerce.number().int().min(1).max(100_000).default(100),
  /**
   * Milliseconds for which cached keys keep working while the database is unavailable; 0 to
   * disable.
   */
  KEY_STALE_MS: z.coerce.number().int().min(0).max(3_600_000).default(60_000),
  /** Days for which the data of `GET /api/v1/analytics/usage` is kept. */
  USAGE_RETENTION_DAYS: z.coerce.number().int().min(1).max(3_650).default(400),
  /** Days for which search analytics are kept; 0 to record none. */
  SEARCH_ANALYTICS_RETENTION_DAYS: z.coerce.number().int().min(0).max(3_650).default(90),
  /** Queries of fewer people are not listed in search analytics. */
  SEARCH_ANALYTICS_MIN_PEOPLE: z.coerce.number().int().min(1).max(1_000).default(1),
  /** Milliseconds within which the queries that a person types count as one. */
  SEARCH_ANALYTICS_COLLAPSE_MS: z.coerce.number().int().min(0).max(60_000).default(2_000),
  /** True to allow webhooks with http addresses, whose requests everybody on the way can read. */
  WEBHOOK_ALLOW_HTTP: z
    .stringbool({ error: 'must be true or false. Correct it, or leave it empty for false.' })
    .default(false),
  /** The most events that wait for one webhook. Newer ones are dropped and counted. */
  WEBHOOK_MAX_PENDING: z.coerce.number().int().min(1).max(10_000_000).default(100_000),
  /**
   * The NATS server that announces changed keys to other replicas. Without it, they notice within 5
   * s.
   */
  NATS_URL: z.string().optional(),
});

const settings = fields.refine(({ SMTP_URL, SMTP_FROM }) => SMTP_URL === undefined || SMTP_FROM !== undefined, {
  path: ['SMTP_FROM'],
  error: 'is required with SMTP_URL: the address that sends email',
});

export type Config = z.output<typeof settings>;

/** Reads the gateway's settings. Throws `ConfigError`. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(settings, env);
}
