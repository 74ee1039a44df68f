import { publicAddresses } from '@lectern/connectors';
import { parseEgressAllow } from '@lectern/egress';
import { grpcTarget, parseConfig, parsed, parseMasterKeys, serviceSettings } from '@lectern/service-kit';
import { z } from 'zod';

const MIB = 1024 * 1024;

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
/** Parses a base URL and removes a trailing slash. */
const baseUrl = (standard: string) => webUrl.default(standard).transform((text) => text.replace(/\/+$/, ''));

const settings = z.object({
  ...serviceSettings,
  GRPC_ADDRESS: serviceSettings.GRPC_ADDRESS.default('127.0.0.1:50055'),
  DATABASE_URL: z.url().default('postgresql://localhost:5432/lectern'),
  NATS_URL: z.string().min(1).default('nats://127.0.0.1:4222'),
  /** Copies of each stream: 1 on one machine, 3 on a cluster. */
  NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  COLLECTION_ADDRESS: grpcTarget.default('127.0.0.1:50054'),
  /** The folder that holds uploaded files; replicas share it. */
  BLOB_DIR: z.string().min(1).default('.lectern/blobs'),
  /**
   * A bucket to use instead of the folder, at Amazon S3 or at the S3-compatible `BLOB_S3_ENDPOINT`.
   */
  BLOB_S3_BUCKET: z.string().optional(),
  BLOB_S3_REGION: z.string().default('us-east-1'),
  BLOB_S3_ENDPOINT: webUrl.optional(),
  /** Prefix of every key in the bucket. */
  BLOB_S3_PREFIX: z.string().max(500).default(''),
  BLOB_S3_ACCESS_KEY_ID: z.string().optional(),
  BLOB_S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Items read and parsed concurrently by this process. */
  SYNC_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(8),
  /** Items of one connector read and parsed concurrently by this process. */
  SYNC_CONNECTOR_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(6),
  /** Maximum milliseconds for one item, from fetching to indexing. */
  SYNC_ITEM_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(86_400_000).default(1_800_000),
  /**
   * Days after which the item rows of an ended job are deleted. The job and its failed items are
   * kept.
   */
  SYNC_ITEM_DAYS: z.coerce.number().min(0.0001).max(3_650).default(14),
  /** Child processes that parse files. */
  PARSER_PROCESSES: z.coerce.number().int().min(1).max(32).default(2),
  /** Maximum milliseconds to parse one file. */
  PARSER_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(600_000).default(60_000),
  /** Maximum resident memory of one parser process, in MiB. */
  PARSER_MEMORY_MB: z.coerce.number().int().min(128).max(16_384).default(768),
  /** Languages of the text to recognize in images and scans, by Tesseract's codes; `off` recognizes nothing. */
  OCR_LANGUAGES: z
    .string()
    .regex(/^(off|[a-z]{3}(_[a-z]+)*(,[a-z]{3}(_[a-z]+)*){0,9})$/, 'must be a list like "eng,deu", or "off"')
    .transform((list) => (list === 'off' ? [] : list.split(',')))
    .prefault('eng,deu'),
  /** Child processes that recognize text, in addition to `PARSER_PROCESSES`. */
  OCR_PROCESSES: z.coerce.number().int().min(1).max(32).default(1),
  /** Maximum milliseconds to recognize one page. */
  OCR_PAGE_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(3_600_000).default(300_000),
  /** Pages of one file to recognize. */
  OCR_MAX_PAGES: z.coerce.number().int().min(1).max(100_000).default(500),
  /** Maximum size of an image, in millions of pixels. */
  OCR_MAX_MEGAPIXELS: z.coerce.number().min(1).max(1_000).default(40),
  /** Maximum bytes of one file. */
  MAX_FILE_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(10 * 1024 * MIB)
    .default(100 * MIB),
  MAX_FILES_PER_UPLOAD: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** Milliseconds of consecutive failures while listing a source until its job fails. */
  SYNC_PATIENCE_MS: z.coerce.number().int().min(1_000).max(86_400_000).default(120_000),
  /** Hours after which a sync job fails. */
  SYNC_MAX_HOURS: z.coerce.number().min(0.001).max(720).default(24),
  /** Milliseconds until another worker takes over the work of one that crashed. */
  WORK_LEASE_MS: z.coerce.number().int().min(1_000).max(300_000).default(10_000),
  /** Milliseconds between two runs of the sweeper. */
  SWEEP_INTERVAL_MS: z.coerce.number().int().min(100).max(60_000).default(2_000),
  /** Maximum milliseconds of a connection test. */
  CONNECTION_TEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(19_000).default(15_000),
  /**
   * The master keys: `2:base64,1:base64`, where the first one seals new credentials, or one key in
   * base64.
   */
  LECTERN_MASTER_KEYS: parsed(parseMasterKeys).optional(),
  /** Internal addresses that connectors can call: `db.internal:5432,10.0.0.0/8`. */
  EGRESS_ALLOW: parsed(parseEgressAllow).prefault(''),
  /** URLs of the platforms. Change them for enterprise editions, proxies and tests. */
  GITHUB_API_URL: baseUrl(publicAddresses.github),
  SLACK_API_URL: baseUrl(publicAddresses.slack).transform((text) => `${text}/`),
  NOTION_API_URL: baseUrl(publicAddresses.notion),
  GOOGLE_API_URL: baseUrl(publicAddresses.google),
  GOOGLE_ADMIN_API_URL: baseUrl(publicAddresses.googleAdmin),
  GOOGLE_GMAIL_API_URL: baseUrl(publicAddresses.gmail),
  SALESFORCE_LOGIN_URL: baseUrl(publicAddresses.salesforceLogin),
  /** The OAuth applications that users authorize, with full URLs. */
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_AUTH_URL: webUrl.default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_TOKEN_URL: webUrl.default(publicAddresses.googleToken),
  NOTION_CLIENT_ID: z.string().optional(),
  NOTION_CLIENT_SECRET: z.string().optional(),
  NOTION_AUTH_URL: webUrl.default('https://api.notion.com/v1/oauth/authorize'),
});

export type Config = z.output<typeof settings>;

/** Parses the service's settings. Throws a `ConfigError` that lists every problem. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return parseConfig(settings, env);
}
