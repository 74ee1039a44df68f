import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@lectern/local-engines';
import { z } from 'zod';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const READY = /^Lectern is ready at /;
/** The first start can include a download of nats-server. The launcher's deadlines are shorter. */
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 60_000;

/**
 * The launcher's environment: enough to run and to download nats-server. Excludes keys of model
 * providers and addresses of other engines, so that every run measures the same system and costs
 * nothing.
 */
const ENVIRONMENT =
  /^(PATH|HOME|TMPDIR|TZ|LANG|LC_.*|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|(HTTPS?|NO)_PROXY|LECTERN_NATS_DOWNLOAD_URL|LECTERN_POSTGRES_DIR)$/i;

/** Rate limits count every request, but are too high to be reached. */
const UNLIMITED = { RATE_LIMIT_SECRET_PER_MINUTE: '1000000' };

/** The API key of the vector store. */
export const VECTOR_STORE_KEY = randomBytes(24).toString('hex');
/** The benchmark calls services directly, so this process needs their key. */
const INTERNAL_KEYS = randomBytes(32).toString('base64');
process.env.LECTERN_INTERNAL_KEYS = INTERNAL_KEYS;
const SECRETS = { QDRANT_API_KEY: VECTOR_STORE_KEY, LECTERN_INTERNAL_KEYS: INTERNAL_KEYS };

const credentialsSchema = z.object({ baseUrl: z.url(), teamId: z.string(), secretKey: z.string() });
const part = z.object({ pid: z.number().int(), address: z.string() });
const stateSchema = z.object({ qdrantUrl: z.url(), parts: z.object({ collection: part }).catchall(part) });

/** A running Lectern. */
export interface Lectern {
  readonly readyAfterMs: number;
  /** True if nats-server had to be downloaded first. */
  readonly fetchedNats: boolean;
  readonly baseUrl: string;
  readonly teamId: string;
  readonly secretKey: string;
  readonly qdrantUrl: string;
  /** The gRPC address of the collection service, `host:port`. */
  readonly collectionAddress: string;
  /** The process id of each part, by name. */
  readonly pids: Readonly<Record<string, number>>;
  /** The current process ids: a part that ends is restarted. */
  readPids(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/**
 * Starts Lectern like `npm start`, with its data in `home` and these settings. Measures the time
 * from the launcher's start to its message that it is ready.
 * @param checkout the repository whose version is started
 */
export async function startLectern(
  home: string,
  signal: AbortSignal,
  settings: Readonly<Record<string, string>> = {},
  checkout: string = REPOSITORY,
): Promise<Lectern> {
  const fetched = join(home, 'bin', 'nats-server');
  const hadNats = existsSync(fetched);
  const started = performance.now();
  const launcher = await startProcess({
    name: 'Lectern',
    command: process.execPath,
    args: [resolve(checkout, 'apps/local/src/main.ts')],
    env: { ...environment(), ...UNLIMITED, ...SECRETS, ...settings, LECTERN_HOME: home, PORT: '0' },
    readiness: READY,
    readinessTimeoutMs: READY_TIMEOUT_MS,
    stopTimeoutMs: STOP_TIMEOUT_MS,
    signal,
  });
  const readyAfterMs = performance.now() - started;
  try {
    const { baseUrl, teamId, secretKey } = credentialsSchema.parse(await readJson(join(home, 'credentials.json')));
    const readState = async () => stateSchema.parse(await readJson(join(home, 'state.json')));
    const { qdrantUrl, parts } = await readState();
    return {
      readyAfterMs,
      fetchedNats: !hadNats && existsSync(fetched),
      baseUrl,
      teamId,
      secretKey,
      qdrantUrl,
      collectionAddress: parts.collection.address,
      pids: pidsOf(parts),
      readPids: async () => pidsOf((await readState()).parts),
      stop: launcher.stop,
    };
  } catch (error) {
    await launcher.stop();
    throw error;
  }
}

const pidsOf = (parts: Readonly<Record<string, { readonly pid: number }>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(parts).map(([name, { pid }]) => [name, pid]));

function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}
