import { type Engine, ensureNatsServer, startNats, startPostgres, startQdrantLocal } from '@lectern/local-engines';
import type { Config } from '#config';
import type { Home } from '#home';
import { ownSetting, settingOf } from '#own-setting';
import type { Parts } from '#parts';
import { requireDatabase } from '#require-database';
import { requireReachable } from '#require-reachable';
import type { Secrets } from '#secrets';
import { type EngineName, SERVICES, type ServiceName } from '#services';
import type { StateFile } from '#state-file';

/** After all services. */
const STOP_ROUND = 4;

/** Where an engine is, as each service reaches it: with its own user and password. */
export type EngineAddress = (service: ServiceName) => string;

/** The addresses that the engines will have; each settles as soon as its engine takes connections. */
export type EngineAddresses = Readonly<Record<EngineName, Promise<EngineAddress>>>;

/** Starts PostgreSQL, NATS and the vector store side by side, except those that the operator has elsewhere. */
export function startEngines(
  config: Config,
  home: Home,
  parts: Parts,
  state: StateFile,
  secrets: Secrets,
  signal: AbortSignal,
): EngineAddresses {
  return {
    postgres: config.DATABASE_URL
      ? externalDatabase(config, config.DATABASE_URL)
      : postgres(home, parts, state, secrets),
    nats: config.NATS_URL
      ? external(config, 'NATS_URL', config.NATS_URL)
      : nats(config, home, parts, state, secrets, signal),
    qdrant: config.QDRANT_URL ? external(config, 'QDRANT_URL', config.QDRANT_URL) : qdrant(config, home, parts, state),
  };
}

async function external(config: Config, setting: string, url: string): Promise<EngineAddress> {
  await requireReachable(setting, url);
  return (service) => ownSetting(config.env, setting, service) ?? url;
}

async function externalDatabase(config: Config, url: string): Promise<EngineAddress> {
  const address = await external(config, 'DATABASE_URL', url);
  await requireDatabase(url);
  for (const { name, needs } of SERVICES)
    if (needs.includes('postgres') && address(name) !== url)
      await requireDatabase(address(name), settingOf('DATABASE_URL', name));
  return address;
}

/** What the address was, to come back at it after a crash; the default's number before that. */
function portLike(previous: Engine | undefined, preferred: number) {
  return previous === undefined ? { port: preferred } : { port: previous.port, portIsFixed: true };
}

/** PostgreSQL of its own, kept running. */
export async function postgres(home: Home, parts: Parts, state: StateFile, secrets: Secrets): Promise<EngineAddress> {
  const { url } = await parts.add({
    name: 'PostgreSQL',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startPostgres({ dataDir: home.postgres, logFile: home.log('postgres'), signal, ...portLike(previous, 5432) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await secrets.ensureRoles(url);
  await state.update({ databaseUrl: url });
  return (service) => secrets.databaseUrlOf(service, url);
}

async function nats(
  config: Config,
  home: Home,
  parts: Parts,
  state: StateFile,
  { natsUsers: users, natsUrlOf }: Secrets,
  signal: AbortSignal,
): Promise<EngineAddress> {
  const binary = await ensureNatsServer({ cacheDir: home.programs, env: config.env, signal });
  const { url } = await parts.add({
    name: 'nats-server',
    stopRound: STOP_ROUND,
    start: (previous: Engine | undefined, signal) =>
      startNats({ binary, storeDir: home.nats, users, logFile: home.log('nats'), signal, ...portLike(previous, 4222) }),
    addressOf: ({ port }) => `127.0.0.1:${port}`,
  });
  await state.update({ natsUrl: url });
  return (service) => natsUrlOf(service, url);
}

async function qdrant(config: Config, home: Home, parts: Parts, state: StateFile): Promise<EngineAddress> {
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
  await state.update({ qdrantUrl: url, ...(config.QDRANT_API_KEY ? { qdrantApiKey: config.QDRANT_API_KEY } : {}) });
  return () => url;
}
