import { type Engine, ensureNatsServer, startNats, startPostgres, startQdrantLocal } from '@lectern/local-engines';
import type { Config } from '#config';
import type { Home } from '#home';
import type { Parts } from '#parts';
import { requireDatabase } from '#require-database';
import { requireReachable } from '#require-reachable';
import type { EngineName } from '#services';
import type { StateFile } from '#state-file';

/** After all services. */
const STOP_ROUND = 4;

/** The addresses that the engines will have; each settles as soon as its engine takes connections. */
export type EngineAddresses = Readonly<Record<EngineName, Promise<string>>>;

/** Starts PostgreSQL, NATS and the vector store side by side, except those that the operator has elsewhere. */
export function startEngines(
  config: Config,
  home: Home,
  parts: Parts,
  state: StateFile,
  signal: AbortSignal,
): EngineAddresses {
  return {
    postgres: config.DATABASE_URL ? externalDatabase(config.DATABASE_URL) : postgres(home, parts, state),
    nats: config.NATS_URL ? external('NATS_URL', config.NATS_URL) : nats(config, home, parts, state, signal),
    qdrant: config.QDRANT_URL ? external('QDRANT_URL', config.QDRANT_URL) : qdrant(config, home, parts, state),
  };
}

async function external(setting: string, url: string): Promise<string> {
  await requireReachable(setting, url);
  return url;
}

async function externalDatabase(url: string): Promise<string> {
  await requireReachable('DATABASE_URL', url);
  await requireDatabase(url);
  return url;
}

/** What the address was, to come back at it after a crash; the default's number before that. */
function portLike(previous: Engine | undefined, preferred: number) {
  return previous === undefined ? { port: preferred } : { port: previous.port, portIsFixed: true };
}

/** PostgreSQL of its own, kept running. */
export async function postgres(home: Home, parts: Parts, state: StateFile): Promise<string> {
  const { url } = await parts.add({
    name: 'PostgreSQL',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startPostgres({ dataDir: home.postgres, logFile: home.log('postgres'), signal, ...portLike(previous, 5432) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ databaseUrl: url });
  return url;
}

async function nats(config: Config, home: Home, parts: Parts, state: StateFile, signal: AbortSignal): Promise<string> {
  const binary = await ensureNatsServer({ cacheDir: home.programs, env: config.env, signal });
  const { url } = await parts.add({
    name: 'nats-server',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startNats({ binary, storeDir: home.nats, logFile: home.log('nats'), signal, ...portLike(previous, 4222) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ natsUrl: url });
  return url;
}

async function qdrant(config: Config, home: Home, parts: Parts, state: StateFile): Promise<string> {
  const { url } = await parts.add({
    name: 'qdrant-local',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startQdrantLocal({
        dataDir: home.qdrant,
        logFile: home.log('qdrant'),
        signal,
        ...(config.QDRANT_API_KEY ? { apiKey: config.QDRANT_API_KEY } : {}),
        ...portLike(previous, 6333),
      }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ qdrantUrl: url });
  return url;
}
